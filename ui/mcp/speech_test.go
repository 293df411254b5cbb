package mcp

import (
	"strings"
	"testing"

	"digitduel/arena/disguise"
	"digitduel/arena/speech"
	"digitduel/digit"
)

// TestSpelling checks that spaces and capitals do not matter in moves, with and without a disguise.
func TestSpelling(t *testing.T) {
	for _, rules := range []string{
		"dilemma", "sevens", "divisibility", "dilemma pool=0-f", "sevens pool=1-c width=1",
	} {
		r, err := digit.ParseRules(rules)
		if err != nil {
			t.Fatal(err)
		}
		d, err := disguise.New(r, 7, false)
		if err != nil {
			t.Fatal(err)
		}
		for m := range r.Moves(digit.Position{}) {
			text, words := speech.Plain(r).Move(m), speech.InWords(d).Move(m)
			for _, tt := range []struct {
				speech speech.Speech
				text   string
			}{
				{speech.Plain(r), text},
				{speech.Plain(r), strings.ToUpper(text)},
				{speech.Plain(r), strings.ToLower(text)},
				{speech.Plain(r), strings.Join(strings.Split(text, ""), " ")},
				{speech.InWords(d), words},
				{speech.InWords(d), strings.ToUpper(words)},
				{speech.InWords(d), strings.NewReplacer("@", " @ ", "=", " = ", "+", " + ").Replace(words)},
			} {
				if got, err := tt.speech.ParseMove(tt.text); err != nil || got != m {
					t.Errorf("%s: %q: got %v, %v; want %v", rules, tt.text, got, err, m)
				}
			}
		}
	}
}
