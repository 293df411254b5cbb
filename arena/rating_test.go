package arena

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"digitduel/digit"
)

// standingOf returns a standing of players with given ratings and random pairs.
func standingOf(rng *rand.Rand, elo []float64, first []float64, pairs int) *Standing {
	p := &Plan{Format: RoundRobin, Pairs: pairs, Seed: 1}
	for range elo {
		p.Players = append(p.Players, "casual")
	}
	p.Players = distinct(p.Players)
	for i := range first {
		p.Rules = append(p.Rules, digit.Books[i].Rules)
		p.Positions = append(p.Positions, []string{"-"})
	}
	s := NewStanding(p)
	win := func(ahead float64) int {
		if rng.Float64() < 1/(1+math.Pow(10, -ahead/400)) {
			return 2
		}
		return 0
	}
	for _, e := range p.encounters() {
		for r, f := range first {
			c := &cell{}
			for range pairs {
				one, two := win(elo[e.a]-elo[e.b]+f), 2-win(elo[e.b]-elo[e.a]+f)
				c.both[one][two]++
				c.penta[one+two]++
			}
			s.cells[cellKey{e, r}] = c
		}
	}
	return s
}

// TestRatings recovers the ratings that games were drawn with: the true ones are in the intervals
// about 95 times in 100.
func TestRatings(t *testing.T) {
	elo, first := []float64{-250, -50, 100, 200}, []float64{150, -40}
	rng := rand.New(rand.NewPCG(4, 4))
	inside, all := 0, 0
	for range 25 {
		got := standingOf(rng, elo, first, 200).rate()
		if got.None != "" {
			t.Fatal(got.None)
		}
		for i, r := range append(got.Players, got.First...) {
			want := append(append([]float64(nil), elo...), first...)[i]
			all++
			if *r.Low <= want && want <= *r.High {
				inside++
			}
			if math.Abs(r.Elo-want) > 70 {
				t.Errorf("%s: %.0f, want %.0f", r.Name, r.Elo, want)
			}
		}
	}
	if share := float64(inside) / float64(all); share < 0.88 {
		t.Errorf("%d of %d intervals hold the true figure", inside, all)
	}
}

// TestTwoRatings compares the fit with a computation by hand: without an advantage of the first
// move, the difference of two players follows from their score.
func TestTwoRatings(t *testing.T) {
	s := standingOf(rand.New(rand.NewPCG(1, 1)), []float64{0, 0}, []float64{0}, 0)
	c := &cell{both: [3][3]int{{10, 0, 20}, {0, 0, 0}, {20, 0, 50}}} // 140 of 200 points in either seat
	s.cells[cellKey{encounter{0, 1}, 0}] = c
	got, err := s.fit(s.counts(s.keys(), nil))
	want := 400 * math.Log10(0.7/0.3)
	if err != nil || math.Abs(got[0]-got[1]-want) > 1e-6 || math.Abs(got[2]) > 1e-6 {
		t.Errorf("%v, %v; want a difference of %v", got, err, want)
	}
}

// TestNoFit checks the reasons for counts without ratings, and that they are found at once.
func TestNoFit(t *testing.T) {
	for _, v := range []struct {
		name  string
		cells map[encounter][3][3]int
		want  string
	}{
		{"nothing", nil, "no games compare casual with casual#2"},
		{"apart", map[encounter][3][3]int{{0, 1}: {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}}, "no games compare casual with casual#3"},
		{"all points", map[encounter][3][3]int{{0, 1}: {2: {0, 0, 9}}, {1, 2}: {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}}, "casual took 18 of 18 points"},
		{"two groups", map[encounter][3][3]int{{0, 1}: {2: {0, 0, 9}}, {0, 2}: {2: {0, 0, 9}}, {1, 2}: {{3, 0, 1}, {0, 0, 0}, {2, 0, 3}}}, "casual took 36 of 36 points"},
		{"first wins", map[encounter][3][3]int{{0, 1}: {2: {9, 0, 0}}, {1, 2}: {2: {9, 0, 0}}}, "the side that moved first took 36 of 36 points"},
		{"one seat", map[encounter][3][3]int{{0, 1}: {2: {2, 0, 4}}, {1, 2}: {2: {2, 0, 4}}}, "moving first against casual#2 in dilemma, took 6 of 6 points"},
	} {
		s := standingOf(rand.New(rand.NewPCG(1, 1)), []float64{0, 0, 0}, []float64{0}, 0)
		clear(s.cells)
		for e, both := range v.cells {
			s.cells[cellKey{e, 0}] = &cell{both: both}
		}
		if got := s.rate().None; !strings.Contains(got, v.want) {
			t.Errorf("%s: %q, want %q", v.name, got, v.want)
		}
	}
}

// TestNoIntervals rates few pairs. If more than one bootstrap sample in 40 has no fit there is no
// interval, and the report says why.
func TestNoIntervals(t *testing.T) {
	for _, v := range []struct {
		split, shared int // pairs won by each player, and pairs with one win each
		missed        int
		report        string
	}{
		{1, 0, 199, "Of 400 draws of pairs 199 have no ratings, so there are no intervals.\n"},
		{3, 0, 14, "Of 400 draws of pairs 14 have no ratings, so there are no intervals.\n"},
		{3, 1, 5, ""},
		{3, 3, 0, ""},
	} {
		s := standingOf(rand.New(rand.NewPCG(1, 1)), []float64{0, 0}, []float64{0}, 0)
		c := &cell{both: [3][3]int{0: {0: v.split, 2: v.shared}, 2: {0: v.shared, 2: v.split}}}
		s.cells[cellKey{encounter{0, 1}, 0}] = c
		got := s.rate()
		if got.None != "" || got.Missed != v.missed || len(got.Players) != 2 || len(got.First) != 1 {
			t.Errorf("%+v: %+v", v, got)
		}
		for _, r := range append(got.Players, got.First...) {
			if known := r.Low != nil && r.High != nil; known != (v.report == "") {
				t.Errorf("%+v: %s has an interval: %v", v, r.Name, known)
			}
		}
		var out strings.Builder
		(&Summary{Ratings: got}).printStrength(&out)
		if !strings.HasSuffix(out.String(), v.report) || v.report == "" && strings.Contains(out.String(), "no intervals") {
			t.Errorf("%+v is reported as\n%s", v, out.String())
		}
	}
}

// TestEveryCount fits small tables of any counts. It always ends, in a fit or a reason.
func TestEveryCount(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	fits := 0
	for range 3000 {
		s := standingOf(rng, []float64{0, 0, 0}, []float64{0, 0}, 0)
		for key := range s.cells {
			c := &cell{}
			for i := range 9 {
				if n := rng.IntN(6); n > 2 {
					c.both[i/3][i%3] = []int{0, 1, 1, 2, 1000, 1_000_000}[rng.IntN(6)]
				}
			}
			s.cells[key] = c
		}
		got, err := s.fit(s.counts(s.keys(), nil))
		for _, x := range got {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("%v", got)
			}
		}
		if err == nil {
			fits++
		}
	}
	if fits < 1000 {
		t.Errorf("only %d of 3000 have a fit", fits)
	}
	for range 3000 { // and tests of few pairs
		var p Penta
		for i := range p {
			p[i] = rng.IntN(3) * rng.IntN(3)
		}
		for _, model := range []string{Logistic, Normalised} {
			test := SPRT{-mostElo, mostElo, 0.05, 0.05, model}
			if llr := test.LLR(p); math.IsNaN(llr) || math.IsInf(llr, 0) {
				t.Fatalf("%v %s: LLR %v", p, model, llr)
			}
		}
	}
}
