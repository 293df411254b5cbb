package digit

import (
	"math/rand/v2"
	"testing"
)

// TestAllocs checks that Moves, Pick, Play, Result and Threats allocate nothing, along random
// games of the books and the variants.
func TestAllocs(t *testing.T) {
	for _, text := range append(BookNames(), variants...) {
		t.Run(text, func(t *testing.T) {
			r, rng := rulesOf(t, text), rand.New(rand.NewPCG(5, 5))
			count := func(name string, p Position, do func()) {
				if n := testing.AllocsPerRun(5, do); n != 0 {
					t.Errorf("%s: %s allocates %v times", r.Text(p), name, n)
				}
			}
			for range 3 {
				var p Position
				for !r.Result(p).Over() {
					m, _ := r.Pick(p, rng.IntN)
					count("Moves", p, func() {
						for range r.Moves(p) {
						}
					})
					count("Pick", p, func() { r.Pick(p, rng.IntN) })
					count("Play", p, func() {
						if _, err := r.Play(p, m); err != nil {
							t.Error(err)
						}
					})
					count("Result", p, func() { r.Result(p) })
					count("Threats", p, func() {
						for range r.Threats(p, First) {
						}
					})
					p, _ = r.Play(p, m)
				}
				count("Result", p, func() { r.Result(p) })
			}
		})
	}
}
