package lab

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"digitduel/digit"
	"digitduel/solve"
)

// A brute computes the measures by playing every game from start to end, with the rules alone.
type brute struct {
	rules digit.Rules
	known map[digit.Position]int
}

// value returns the winner: +1 for the first player, -1 for the second, 0 for a draw.
func (b *brute) value(p digit.Position) int {
	if v, ok := b.known[p]; ok {
		return v
	}
	v := 0
	switch b.rules.Result(p).Score {
	case digit.FirstWins:
		v = 1
	case digit.SecondWins:
		v = -1
	case digit.Draw:
	case digit.Open:
		var all []int
		for m := range b.rules.Moves(p) {
			next, _ := b.rules.Play(p, m)
			all = append(all, b.value(next))
		}
		if v = slices.Max(all); b.rules.Turn(p) == digit.Second {
			v = slices.Min(all)
		}
	}
	b.known[p] = v
	return v
}

// choices returns the positions after each digit in each place. A digit is called if a call wins.
func (b *brute) choices(p digit.Position) []digit.Position {
	var all []digit.Position
	at := map[digit.Move]int{}
	for m := range b.rules.Moves(p) {
		next, _ := b.rules.Play(p, m)
		switch i, known := at[m.Uncalled()]; {
		case !known:
			at[m.Uncalled()] = len(all)
			all = append(all, next)
		case b.rules.Result(next).Reason == digit.Multiple:
			all[i] = next
		}
	}
	return all
}

// A trail is the path to a position, with its probability. For each position of the path it has the
// value, and the share and number of the choices that keep it.
type trail struct {
	chance float64
	values []int
	keep   []float64
	kept   []int
}

// games calls end for every game from a position.
func (b *brute) games(p digit.Position, slip float64, t trail, end func(trail)) {
	v := b.value(p)
	t.values = append(slices.Clone(t.values), v)
	choices := b.choices(p)
	if len(choices) == 0 {
		end(t)
		return
	}
	kept := 0
	for _, next := range choices {
		if b.value(next) == v {
			kept++
		}
	}
	n := float64(len(choices))
	t.keep = append(slices.Clone(t.keep), float64(kept)/n)
	t.kept = append(slices.Clone(t.kept), kept)
	for _, next := range choices {
		extended := t
		extended.chance *= slip / n
		if b.value(next) == v {
			extended.chance += t.chance * (1 - slip) / float64(kept)
		}
		b.games(next, slip, extended, end)
	}
}

// first returns the first player's share and the share of draws from a position.
func (b *brute) first(p digit.Position, slip float64) (first, draws float64) {
	b.games(p, slip, trail{chance: 1}, func(t trail) {
		switch t.values[len(t.values)-1] {
		case 1:
			first += t.chance
		case 0:
			first += t.chance / 2
			draws += t.chance
		}
	})
	return first, draws
}

func (b *brute) report() Report {
	var r Report
	for _, slip := range Slips {
		first, draws := b.first(digit.Position{}, slip)
		r.Curve = append(r.Curve, Point{slip, first, draws})
		if slip == 0.2 {
			r.Bias = first - 0.5
		}
	}
	for _, next := range b.choices(digit.Position{}) {
		first, _ := b.first(next, 0.2)
		r.Cut = max(r.Cut, min(first, 1-first))
	}
	r.Lengths = make([]float64, b.rules.Fills(digit.First)+b.rules.Fills(digit.Second)+1)
	shares := 0.0
	b.games(digit.Position{}, 0.2, trail{chance: 1}, func(t trail) {
		end := t.values[len(t.values)-1]
		r.Lengths[len(t.keep)] += t.chance
		r.Length += t.chance * float64(len(t.keep))
		if end == 0 {
			r.Draws += t.chance
		} else if slices.Contains(t.values, -end) {
			r.Drama += t.chance
		}
		for i, keep := range t.keep {
			if keep < 1 {
				r.Decisions += t.chance
				shares += t.chance * keep
				if t.kept[i] == 1 {
					r.OnlyMoves += t.chance
				}
			}
			if t.values[i] != t.values[i+1] {
				r.LeadChanges += t.chance
			}
		}
		settled := len(t.values) - 1
		for settled > 0 && t.values[settled-1] == end {
			settled--
		}
		r.Settled += t.chance * float64(settled)
	})
	r.Keep = 1
	if r.Decisions > 0 {
		r.Keep = shares / r.Decisions
	}
	return r
}

// randomRules returns the rules of a small random game.
func randomRules(rng *rand.Rand) digit.Rules {
	for {
		r := digit.Rules{
			Place: digit.Place(rng.IntN(3)), Width: uint8(rng.IntN(4)), Target: uint16(rng.IntN(14)), Win: digit.Win(rng.IntN(4)), Zero: digit.Zero(rng.IntN(3)),
		}
		for range 3 + rng.IntN(4) {
			r.Pool |= digit.PoolOf(digit.Digit(rng.IntN(11)))
		}
		for i := range rng.IntN(3) {
			r.Final[i] = digit.Above + digit.Order(rng.IntN(6))
		}
		if r.Check() != nil {
			continue
		}
		games := uint64(0)
		for count := range r.Perft(1000) {
			games += count.Games
		}
		if 0 < games && games < 4000 {
			return r
		}
	}
}

// TestBrute compares the measures of many small games with those computed from all their lines of
// play.
func TestBrute(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	kinds := map[string]int{}
	games := 150
	if nightly {
		games = 1500
	}
	for range games {
		r := randomRules(rng)
		s, err := solve.Solve(t.Context(), r, solve.Config{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Measure(t.Context(), s, Config{})
		if err != nil {
			t.Fatal(err)
		}
		b := &brute{r, map[digit.Position]int{}}
		if diff := differ(got, b.report()); diff != "" {
			t.Fatalf("%v: %s", r, diff)
		}
		kinds[fmt.Sprint(r.Place, " ", r.Win)]++
		kinds["value "+got.Winner]++
		if got.Drama > 0 {
			kinds["drama"]++
		}
	}
	if len(kinds) < 12 {
		t.Errorf("only these kinds of games were tried: %v", kinds)
	}
}

// differ describes the first figure that differs by more than rounding, or returns "".
func differ(got, want Report) string {
	for i, p := range want.Curve {
		if q := got.Curve[i]; !near(p.First, q.First) || !near(p.Draw, q.Draw) || p.Slip != q.Slip {
			return fmt.Sprintf("curve: got %v, want %v", q, p)
		}
	}
	if len(got.Lengths) != len(want.Lengths) {
		return fmt.Sprintf("lengths: got %v, want %v", got.Lengths, want.Lengths)
	}
	for i, share := range want.Lengths {
		if !near(got.Lengths[i], share) {
			return fmt.Sprintf("lengths: got %v, want %v", got.Lengths, want.Lengths)
		}
	}
	for _, f := range Figures {
		if g, w := f.Of(&got), f.Of(&want); !f.Fast && !near(g, w) {
			return fmt.Sprintf("%s: got %v, want %v", f.Name, g, w)
		}
	}
	return ""
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
