package disguise

import (
	"context"
	"testing"

	"digitduel/digit"
)

// TestFewest compares fewest with the number of positions in which no number is full, and checks
// that a game with too many positions is refused without a search.
func TestFewest(t *testing.T) {
	rules := []digit.Rules{}
	for _, b := range digit.Books {
		rules = append(rules, b.Rules)
	}
	for _, text := range []string{
		"highest width=2", "highest width=1", "highest pool=0-5 width=2 zero=barred", "dilemma pool=0-6 zero=barred", "dilemma pool=1-6",
		"sevens width=2", "sevens pool=1-7", "sevens pool=0-6 zero=barred", "divisibility pool=0-6 win=full", "divisibility pool=0-4 width=2 win=full zero=barred",
	} {
		rules = append(rules, rulesOf(t, text))
	}
	for _, r := range rules {
		n := 0
		for _, p := range positionsOf(t, r) {
			if ply := r.Ply(p); (ply+1)/2 < r.Fills(digit.First) && ply/2 < r.Fills(digit.Second) {
				n++
			}
		}
		if r.Win == digit.EachTurn {
			n = 0 // the game can end before
		}
		if least := fewest(r); least != n && (r.Zero != digit.Barred || least > n) {
			t.Errorf("%v has %d positions in which no number is full, but fewest returns %d", r,
				n, least)
		}
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel() // so that a search would fail
	_, err := mustNew(t, rulesOf(t, "dilemma width=4"), 1).Prove(canceled, 1_000_000)
	if want := "cannot disguise dilemma width=4: it has more than 1000000 positions"; err == nil ||
		err.Error() != want {
		t.Error(err)
	}
}
