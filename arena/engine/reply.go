package engine

import (
	"slices"
	"strings"
)

// An Option is what an engine says can be set: "option name N type T default V var V var V".
type Option struct {
	Name, Type, Default string
	Vars                []string // the values that there are, of a combo
}

// parseOption reads what follows the word option.
func parseOption(text string) (o Option) {
	var key string
	var value []string
	add := func() {
		joined := strings.Join(value, " ")
		switch key {
		case "name":
			o.Name = joined
		case "type":
			o.Type = joined
		case "default":
			o.Default = joined
		case "var":
			o.Vars = append(o.Vars, joined)
		}
		value = nil
	}
	for word := range strings.FieldsSeq(text) {
		if slices.Contains([]string{"name", "type", "default", "var"}, word) {
			add()
			key = word
			continue
		}
		value = append(value, word)
	}
	add()
	return o
}

func (o Option) String() string {
	var text strings.Builder
	text.WriteString("option name " + o.Name + " type " + o.Type)
	if o.Default != "" {
		text.WriteString(" default " + o.Default)
	}
	for _, v := range o.Vars {
		text.WriteString(" var " + v)
	}
	return text.String()
}

// isReply reports whether a line is one that an engine may write, whatever it was told.
func isReply(line string) bool {
	verb, rest, _ := strings.Cut(line, " ")
	words := len(strings.Fields(rest))
	switch verb {
	case "ugiok", "readyok":
		return words == 0
	case "id", "option", "info":
		return words > 0
	case "bestmove", "response": // nothing is an answer too: one that is no move, and that there is no legal one
		return true
	}
	return false
}
