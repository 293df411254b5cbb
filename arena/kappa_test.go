package arena

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"digitduel/digit"
)

// TestKappaInterval checks, in simulated matches of players whose luck differs between pairs, that
// the interval contains the true kappa about 95 times in 100. An interval that treats decisions as
// independent contains it far less often.
func TestKappaInterval(t *testing.T) {
	const matches, pairs = 1500, 60
	for _, v := range []struct {
		kappa, luck float64 // luck: the maximum difference between pairs
	}{{0, 0}, {0.3, 0}, {0.5, 0.5}, {0.6, 0.4}, {0.85, 0.15}} {
		rng := rand.New(rand.NewPCG(1, math.Float64bits(v.kappa+v.luck)))
		held, naive := 0, 0
		for range matches {
			var starts []decisions
			var sum decisions
			for range pairs {
				var one decisions
				own := v.kappa + v.luck*float64(2*rng.IntN(2)-1)
				for range rng.IntN(9) {
					of := 2 + rng.IntN(15)
					c := float64(1+rng.IntN(of-1)) / float64(of)
					one.count, one.chance = one.count+1, one.chance+c
					if rng.Float64() < c+own*(1-c) {
						one.kept++
					}
				}
				starts = append(starts, one)
				sum.join(one)
			}
			_, low, high := kappaOf(starts)
			if *low <= v.kappa && v.kappa <= *high {
				held++
			}
			share, mean := sum.kept/sum.count, sum.chance/sum.count
			from, to := wilson(share, sum.count)
			if *Kappa(from, mean) <= v.kappa && v.kappa <= *Kappa(to, mean) {
				naive++
			}
		}
		t.Logf("kappa %v, luck %v: held %.1f %%, without pairs %.1f %%",
			v.kappa, v.luck, 100*float64(held)/matches, 100*float64(naive)/matches)
		if held < matches*93/100 || held > matches*985/1000 {
			t.Errorf("kappa %v, luck %v: held in %d of %d matches", v.kappa, v.luck, held, matches)
		}
		if v.luck == 0.5 && naive > matches*90/100 {
			t.Errorf("the decisions of a pair are independent here, so this tests nothing")
		}
	}
}

// TestKappaEdges checks matches with little evidence: no decisions, one pair, all pairs alike,
// everything kept or lost.
func TestKappaEdges(t *testing.T) {
	if kappa, low, high := kappaOf([]decisions{{}}); kappa != nil || low != nil || high != nil {
		t.Errorf("kappa is from %v to %v without decisions", *low, *high)
	}
	for _, v := range []struct {
		pairs, each, kept int
		low, high         float64 // of the share kept
	}{
		{1, 4, 2, 0.0546, 0.9454}, {20, 4, 4, 0.8389, 1}, {20, 4, 0, 0, 0.1611},
		{20, 4, 2, 0.2993, 0.7007},
	} {
		one := decisions{float64(v.each), float64(v.kept), float64(v.each) / 4}
		_, low, high := kappaOf(slices.Repeat([]decisions{one}, v.pairs))
		if math.Abs(*low-(v.low-0.25)/0.75) > 1e-3 || math.Abs(*high-(v.high-0.25)/0.75) > 1e-3 {
			t.Errorf("%+v: from %v to %v", v, *low*0.75+0.25, *high*0.75+0.25)
		}
	}
}

// TestRounded checks that sums of fractions are rounded to twelve decimals, and that 0 has no
// sign.
func TestRounded(t *testing.T) {
	third := 1.0 / 3
	for _, v := range []struct {
		x    float64
		want string
	}{
		{-1.9999999999999998, "-2"}, {0.1 + 0.2, "0.3"}, {1 - third - third - third, "0"},
		{-1e-17, "0"}, {math.Copysign(0, -1), "0"}, {0.5, "0.5"},
		{third, "0.333333333333"}, {-third, "-0.333333333333"},
		{1234.5678901234, "1234.5678901234"}, {5000.1 + 0.2, "5000.3"},
		{1e15 + 0.5, "1000000000000000.5"}, {8116, "8116"},
	} {
		if got, err := json.Marshal(rounded(v.x)); err != nil || string(got) != v.want {
			t.Errorf("%v is written as %s, want %s; %v", v.x, got, v.want, err)
		}
	}
	if k := Kappa(0, 2*third); *k != -2 {
		t.Errorf("kappa is %v, want -2", *k)
	}
	if e := (Penta{0, 0, 4, 0, 0}).Elo(); math.Signbit(*e.Elo) {
		t.Error("equal players have -0 Elo")
	}
}

// TestFigures checks that every figure of a summary and of a grade is rounded, and that 0 has no
// sign.
func TestFigures(t *testing.T) {
	plan, solutions := planOf(t,
		Plan{Players: []string{"casual", "beginner"}, Pairs: 30, Seed: 6,
			SPRT: &SPRT{0, 30, 0.05, 0.05, Logistic}}, "decision:ply=0-3", "dilemma", "highest")
	_, standing := play(t, Runner{Plan: plan, Solutions: solutions})
	grade, err := GradeReplies([]Key{{Item: 1, Rules: digit.Highest, Position: "___/___",
		Chance: 1.0 / 3}, {Item: 2, Rules: digit.Highest, Position: "___/___", Chance: 1.0 / 3}},
		nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	var walk func(where string, value any)
	walk = func(where string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for key, value := range v {
				walk(where+" "+key, value)
			}
		case []any:
			for _, value := range v {
				walk(where, value)
			}
		case float64:
			if seen++; v != rounded(v) || v == 0 && math.Signbit(v) {
				t.Errorf("%s is not rounded: %v", where, v)
			}
		}
	}
	for _, figures := range []any{standing.Summary(), grade} {
		var tree any
		if text, err := json.Marshal(figures); err != nil || json.Unmarshal(text, &tree) != nil {
			t.Fatal(err)
		}
		walk("", tree)
	}
	if seen < 50 {
		t.Errorf("only %d figures", seen)
	}
}

// TestKappaWorth compares the effective number of decisions with a computation by hand. It is at
// most the number of decisions.
func TestKappaWorth(t *testing.T) {
	for _, v := range []struct {
		name         string
		each, chance int             // of a pair; random moves keep one in chance
		kept         func(i int) int // of pair i
		want         float64
	}{
		// Kappa 1/3, e = ±2: ½ × ½ × 80² × 19/(20 × 80)
		{"all or none", 4, 4, func(i int) int { return 4 * (i % 2) }, 19},
		// e = -0.05 and once 0.95: 399, but there are only 40 decisions
		{"almost alike", 2, 2, func(i int) int { return 1 + (19+i)/38 }, 40},
		// Share 0.95, e = 0.2 and once -3.8: 0.0475 × 80² × 19/(20 × 15.2)
		{"one pair lost", 4, 4, func(i int) int { return min(4, 4*i) }, 19},
		// In the other cases, each pair counts as one.
		{"nothing kept", 4, 4, func(int) int { return 0 }, 20},
		{"everything kept", 4, 4, func(int) int { return 4 }, 20},
		{"all pairs alike", 4, 4, func(int) int { return 2 }, 20},
	} {
		var starts []decisions
		var sum decisions
		for i := range 20 {
			one := decisions{float64(v.each), float64(v.kept(i)),
				float64(v.each) / float64(v.chance)}
			starts = append(starts, one)
			sum.join(one)
		}
		if got := effective(sum, starts); math.Abs(got-v.want) > 1e-9 {
			t.Errorf("%s: %v of %v are worth %v, want %v", v.name, sum.kept, sum.count, got, v.want)
		}
	}
	var none []decisions // pairs in which random moves keep different shares
	var sum decisions
	for i := range 20 {
		none = append(none, decisions{4, 0, float64(2*i+1) / 10})
		sum.join(none[i])
	}
	if got := effective(sum, none); got != 20 {
		t.Errorf("nothing kept in unequal pairs is worth %v, want 20", got)
	}
}

// TestRareDecisions compares players who had decisions from some of four starts only. The
// difference of their kappas has no interval if more than a tenth of the resamples have none.
func TestRareDecisions(t *testing.T) {
	for decided, held := range map[int]bool{0: false, 1: false, 2: true, 4: true} {
		var one, other Figures
		for i := range 4 {
			at := Start{Batch: i}
			one.order, other.order = append(one.order, at), append(other.order, at)
		}
		one.starts, other.starts = map[Start]*tally{}, map[Start]*tally{}
		for i, at := range one.order {
			one.starts[at], other.starts[at] = &tally{games: 2}, &tally{games: 2}
			if i < decided {
				one.starts[at].decisions = decisions{count: 4, kept: 3, chance: 1}
				other.starts[at].decisions = decisions{count: 4, kept: float64(i), chance: 1}
			}
		}
		d, ok := one.Compare(&other, nil)
		if !ok || (d.Kappa != nil) != (decided > 0) || (d.KappaLow != nil) != held ||
			(d.KappaHigh != nil) != held {
			t.Errorf("decisions from %d of 4 starts: got %+v, interval %v", decided, d, held)
		}
	}
}

// TestSameResamples checks that players are always compared with the same result.
func TestSameResamples(t *testing.T) {
	one, other := Figures{starts: map[Start]*tally{}}, Figures{starts: map[Start]*tally{}}
	for i := range 50 {
		at := Start{Batch: i}
		one.order, other.order = append(one.order, at), append(other.order, at)
		one.starts[at] = &tally{games: 2, points: float64(i%7) / 3}
		other.starts[at] = &tally{games: 2, points: float64(i%11) / 5}
	}
	d, _ := one.Compare(&other, nil)
	again, _ := one.Compare(&other, nil)
	if *d.ScoreLow != *again.ScoreLow || *d.ScoreHigh != *again.ScoreHigh {
		t.Errorf("%v to %v, then %v to %v", *d.ScoreLow, *d.ScoreHigh, *again.ScoreLow,
			*again.ScoreHigh)
	}
}
