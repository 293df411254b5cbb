package digit

import "testing"

// TestPick checks, in all positions, that Pick maps the random numbers one to one to the legal
// moves, in the order of Moves.
func TestPick(t *testing.T) {
	eachRules(t, func(t *testing.T, r Rules) {
		i := 0
		for p := range positions(r) {
			if i++; i%(7*lawStride) != 0 && i > 100 {
				continue
			}
			asked, next := 0, 0
			intn := func(n int) int {
				asked = n
				return next
			}
			for m := range r.Moves(p) {
				got, ok := r.Pick(p, intn)
				if !ok || got != m {
					t.Fatalf("%s: %d of %d picks %v, %v; want %v",
						r.Text(p), next, asked, got, ok, m)
				}
				next++
			}
			if next == 0 {
				if m, ok := r.Pick(p, func(int) int { panic("asked") }); ok {
					t.Fatalf("%s: Pick returns %v, but the game is over", r.Text(p), m)
				}
			} else if asked != next {
				t.Fatalf("%s: Pick chooses from %d moves, but there are %d", r.Text(p), asked, next)
			}
		}
	})
}
