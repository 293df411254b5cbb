package coach

import (
	"testing"

	"digitduel/digit"
	"digitduel/solve"
)

// TestOutlook tells who wins games of which that is known.
func TestOutlook(t *testing.T) {
	for _, tt := range []struct{ rules, short, long string }{
		{"dilemma", "With best play whoever starts wins", "With best play whoever starts wins, in 5 turns. Of the 30 first moves 27 win."},
		{"sevens", "With best play whoever starts wins", "With best play whoever starts wins, in 5 turns, by any first move."},
		{"divisibility", "With best play whoever starts wins at once", "With best play whoever starts wins at once. Of the 9 first moves 1 wins."},
		{"divisibility target=13", "With best play whoever starts wins", "With best play whoever starts wins, in 3 turns. Of the 9 first moves 8 win."},
		{"highest width=1", "With best play whoever starts wins", "With best play whoever starts wins, in 2 turns. Of the 9 first moves 1 wins."},
		{"divisibility win=never", "With best play it is a draw", "With best play it is a draw, in 9 turns, by any first move."},
		{"highest width=1 final=later", "With best play the second player wins", "With best play the second player wins, in 2 turns, whatever the first move."},
	} {
		r, err := digit.ParseRules(tt.rules)
		if err != nil {
			t.Fatal(err)
		}
		s, err := solve.Solve(t.Context(), r, solve.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if got := Outlook(s); got.Short != tt.short || got.Long != tt.long {
			t.Errorf("%s: %q, %q", tt.rules, got.Short, got.Long)
		}
	}
}

// TestFairer offers a pair where somebody has the better of a game.
func TestFairer(t *testing.T) {
	for rules, want := range map[string]string{
		"dilemma": "Whoever starts has the better of it: a pair is fairer.", "highest width=1 final=later": "The second player has the better of it: a pair is fairer.", "divisibility win=never": "",
	} {
		r, err := digit.ParseRules(rules)
		if err != nil {
			t.Fatal(err)
		}
		s, err := solve.Solve(t.Context(), r, solve.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if got := Fairer(s); got != want {
			t.Errorf("%s: %q, want %q", rules, got, want)
		}
	}
}
