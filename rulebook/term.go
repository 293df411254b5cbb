package rulebook

import (
	"cmp"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/match"
)

// A Term describes an option of a table in words. Forms, screens and flags list [Terms].
type Term struct {
	match.Option
	Label    string       // on a screen: "Calling"
	Question string       // in a form: "When time runs out"
	Choices  []TermChoice // the values to choose from, the default first
	Typed    string       // other values that may be typed; "": none
	Flag     string       // the help of its flag
	// Means describes the value in a sentence; "": it needs no mention.
	Means func(digit.Rules, match.Terms) string
}

// A TermChoice is a value of a Term, with its text in a form and a brief text on a screen.
type TermChoice struct{ Value, Text, Brief string }

// Terms are the options that are chosen by themselves. Those that depend on each other or on the
// players (length, start, hints, targets) have their own questions.
var Terms = []Term{
	term("turn-time", Term{
		Question: "Time for each turn",
		Choices: []TermChoice{
			{"", "no clock", ""}, {"15s", "15 seconds", ""}, {"30s", "30 seconds", ""},
			{"1m", "1 minute", ""}, {"2m", "2 minutes", ""},
		},
		Typed: "1s to 24h, as in 45s or 1m30s",
		Flag:  "time limit for each turn, as in 30s",
		Means: clock,
	}),
	term("on-timeout", Term{
		Label: "Out of time", Question: "When time runs out",
		Choices: []TermChoice{
			{"lose", "you lose", "loses"},
			{"random", "a random digit is played", "random digit"},
		},
		Flag:  "lose, or play a random move, when time runs out",
		Means: clock,
	}),
	term("auto-call", Term{
		Label: "Calling", Question: "Calling",
		Choices: []TermChoice{
			{"", Calls(false), "by yourself"}, {"on", Calls(true), "by the game"},
		},
		Flag:  "call the highest multiple automatically",
		Means: func(_ digit.Rules, t match.Terms) string { return Calls(t.AutoCall) },
	}),
}

// term adds the option of a name to its words.
func term(name string, words Term) Term {
	words.Option = match.FindOption(name)
	return words
}

// Chosen returns the choice that is the value of the term; ok is false if it is another value.
func (t Term) Chosen(terms match.Terms) (c TermChoice, ok bool) {
	is := cmp.Or(t.Get(terms), t.Choices[0].Value)
	i := slices.IndexFunc(t.Choices, func(c TermChoice) bool { return c.Value == is })
	if i < 0 {
		return c, false
	}
	return t.Choices[i], true
}

// clock describes the time for each turn.
func clock(r digit.Rules, t match.Terms) string {
	if t.AutoCall {
		r = AutoCalled(r)
	}
	return TurnTime(r, t.TurnTime, t.OnTimeout == match.Random)
}

// Agreed describes all terms of a table. Start says how the games begin, if that is special.
func Agreed(r digit.Rules, t match.Terms, start string) string {
	said := []string{BestOf(r, t.Length())}
	for _, term := range Terms {
		if text := term.Means(r, t); text != "" && (term.Moot == nil || term.Moot(t, r) == "") {
			said = append(said, text)
		}
	}
	if t.Swap {
		said = append(said, Swap)
	}
	if start != "" {
		said = append(said, start)
	}
	if t.Targets != (match.Targets{}) {
		said = append(said, Targets(t.Targets.List()))
	}
	return strings.Join(slices.Compact(said), " ") // two terms may share a sentence
}
