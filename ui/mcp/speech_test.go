package mcp

import (
	"strings"
	"testing"

	"digitduel/arena/disguise"
	"digitduel/digit"
)

// TestSpelling reads moves as agents write them: spaces and capitals matter in no words.
func TestSpelling(t *testing.T) {
	for _, rules := range []string{"dilemma", "sevens", "divisibility", "dilemma pool=0-f", "sevens pool=1-c width=1"} {
		r, err := digit.ParseRules(rules)
		if err != nil {
			t.Fatal(err)
		}
		d, err := disguise.New(r, 7)
		if err != nil {
			t.Fatal(err)
		}
		for m := range r.Moves(digit.Position{}) {
			text, words := plain{r}.Move(m), disguised{d}.Move(m)
			for _, tt := range []struct {
				speech speech
				text   string
			}{
				{plain{r}, text}, {plain{r}, strings.ToUpper(text)}, {plain{r}, strings.ToLower(text)}, {plain{r}, strings.Join(strings.Split(text, ""), " ")},
				{disguised{d}, words}, {disguised{d}, strings.ToUpper(words)}, {disguised{d}, strings.NewReplacer("@", " @ ", "=", " = ", "+", " + ").Replace(words)},
			} {
				if got, err := tt.speech.ParseMove(tt.text); err != nil || got != m {
					t.Errorf("%s: %q is %v, %v; want %v", rules, tt.text, got, err, m)
				}
			}
		}
	}
}
