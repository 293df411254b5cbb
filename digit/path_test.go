package digit

import (
	"math/rand/v2"
	"testing"
)

// TestPath checks that Path finds legal moves to the positions of random games.
func TestPath(t *testing.T) {
	rules := []Rules{Sevens, Dilemma, Highest, Reverse, Divisibility}
	for _, text := range []string{
		"divisibility pool=0-9 zero=barred", "divisibility pool=0-f target=3", "dilemma zero=barred width=2",
		"sevens win=each target=6 pool=1-7", "sevens zero=barred", "divisibility pool=0-9 zero=counts target=6",
	} {
		r, err := ParseRules(text)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, r)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, r := range rules {
		for range 300 {
			var p Position
			for {
				moves, ok := r.Path(p)
				var q Position
				for _, m := range moves {
					var err error
					if q, err = r.Play(q, m); err != nil {
						t.Fatalf("%v: %s by %v: %v", r, r.Text(p), moves, err)
					}
				}
				if !ok || q != p {
					t.Fatalf("%v: %v, %v lead to %s, want %s", r, moves, ok, r.Text(q), r.Text(p))
				}
				m, ok := r.Pick(p, rng.IntN)
				if !ok {
					break
				}
				p, _ = r.Play(p, m)
			}
		}
	}
}

// TestNoPath checks that Path finds no moves to positions that the rules cannot reach.
func TestNoPath(t *testing.T) {
	twice, _ := Sevens.ParsePosition("127/58")
	late, _ := Highest.ParsePosition("12_/34_")
	for _, tt := range []struct {
		name string
		r    Rules
		p    Position
	}{
		{"a hand where numbers grow", Divisibility, twice},
		{"one number twice", Highest, Position{late.first, late.first}},
		{"out of turn", Highest, Position{late.first, 0}},
	} {
		if moves, ok := tt.r.Path(tt.p); ok {
			t.Errorf("%s: got the moves %v, want none", tt.name, moves)
		}
	}
}
