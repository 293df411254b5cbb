package lab

import (
	"fmt"
	"testing"

	"digitduel/digit"
	"digitduel/rulebook"
)

// TestFair recomputes the figures of every fair game, and checks that neither player can force a
// win.
func TestFair(t *testing.T) {
	for _, b := range digit.Fair {
		r := measured(t, b.Name)
		f, ok := rulebook.FairnessOf(b.Rules)
		if !ok {
			t.Errorf("%s: missing fairness", b.Name)
		}
		if r.Winner != "draw" || !r.Exact || r.Curve[0].First != 0.5 || r.Curve[0].Draw != 1 {
			t.Errorf("%s: the winner with best play is %s and P(0) is %v, want a draw",
				b.Name, r.Winner, r.Curve[0])
		}
		claimed := fmt.Sprintf("0/%d/%d %.3f %.2f %.1f %.1f", f.Draw, f.Loss, f.First, f.Draws,
			f.Turns, f.Decisions)
		moves := r.FirstMoves
		found := fmt.Sprintf("%d/%d/%d %.3f %.2f %.1f %.1f",
			moves.Win, moves.Draw, moves.Loss, r.Bias+0.5, r.Draws, r.Length, r.Decisions)
		if claimed != found {
			t.Errorf("%s: claimed %s, found %s", b.Name, claimed, found)
		}
		if r.Bias < -0.01 || r.Bias > 0.01 || r.Draws > 0.4 || r.Decisions < 5 {
			t.Errorf("%s is biased, drawn too often or has too few decisions: %s", b.Name, claimed)
		}
	}
	if _, ok := rulebook.FairnessOf(digit.Dilemma); ok {
		t.Error("a book is listed as fair")
	}
}
