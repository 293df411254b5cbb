package coach

import (
	"math/rand/v2"
	"slices"
	"testing"

	"digitduel/digit"
	"digitduel/solve"
)

// TestBalancedOpenings plays every opening of a set, checks its value with the solution, and counts
// the outcomes.
func TestBalancedOpenings(t *testing.T) {
	for rules, want := range map[string]string{
		"dilemma": "", "sevens": "", "highest": "", "divisibility": "", "reverse": "",
		"divisibility target=13": "", "dilemma target=37 final=below": "drawn",
		"divisibility pool=1-2 target=7": "none",
	} {
		s := solved(t, rules)
		set, ok := BalancedOpenings(s)
		if ok != (want != "none") || set.Drawn != (want == "drawn") {
			t.Errorf("%s: a set of %d, drawn %v", rules, len(set.Openings), set.Drawn)
		}
		count := map[solve.Outcome]int{}
		seen := map[string]bool{}
		for _, o := range set.Openings {
			var p digit.Position
			for _, m := range o.Moves {
				var err error
				if p, err = s.Rules().Play(p, m); err != nil {
					t.Fatalf("%s: %v: %v", rules, o.Moves, err)
				}
			}
			if s.Rules().Result(p).Over() || s.Value(p) != o.Value ||
				len(o.Moves) != set.Plies || o.Value.Plies < 2 {
				t.Errorf("%s: %v leads to %s, %v", rules, o.Moves, s.Rules().Text(p), o.Value)
			}
			count[o.Value.Outcome]++
			seen[s.Rules().Text(p)] = true
		}
		if count[solve.Win] != count[solve.Loss] || len(seen) != len(set.Openings) ||
			ok && len(seen) < fewOpenings {
			t.Errorf("%s: outcomes %v of %d different openings", rules, count, len(seen))
		}
		t.Logf("%s: %d openings of %d plies, %v", rules, len(set.Openings), set.Plies, count)
		if !ok {
			continue
		}
		drawn := set.Draw(rand.New(rand.NewPCG(1, 2)), 5)
		if len(drawn) != 5 || slices.Equal(drawn[0], drawn[1]) {
			t.Errorf("%s: Draw returns %v, want five different openings", rules, drawn)
		}
		if drawn := set.Draw(rand.New(rand.NewPCG(1, 2)), 1e6); len(drawn) != len(set.Openings) {
			t.Errorf("%s: Draw returns %d of %d openings", rules, len(drawn), len(set.Openings))
		}
	}
}
