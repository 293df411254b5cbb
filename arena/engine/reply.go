package engine

import (
	"slices"
	"strings"
)

// An Option is an option that an engine declares: "option name N type T default V var V var V".
type Option struct {
	Name, Type, Default string
	Vars                []string // the allowed values of a combo
}

// parseOption parses the text after the word option.
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
