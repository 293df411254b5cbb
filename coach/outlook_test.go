package coach

import "testing"

// TestOutlook checks the text about forced wins, and the advice for fairness, in known games.
func TestOutlook(t *testing.T) {
	const two = "Play two games and start one each."
	for _, tt := range []struct{ rules, want, fair string }{
		{"dilemma", "The starter can force a win: 27 of 30 first moves do.", two},
		{"sevens", "The starter can force a win: all 10 first moves do.", two},
		{"divisibility", "The starter can force a win: 1 of 9 first moves does.", two},
		{"nines", "Nobody can force a win: 3 of 9 first moves draw and 6 lose.", ""},
		{"tug", "Nobody can force a win: 1 of 9 first moves draws and 8 lose.", ""},
		{"divisibility win=never", "Nobody can force a win: all 9 first moves draw.", ""},
		{"highest width=1 final=later", "The second player can force a win.", two},
	} {
		s := solved(t, tt.rules)
		if got := Outlook(s); got != tt.want || Fairer(s) != tt.fair {
			t.Errorf("%s: %q, %q", tt.rules, got, Fairer(s))
		}
	}
}
