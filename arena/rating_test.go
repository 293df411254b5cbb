package arena

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"digitduel/digit"
)

// standingOf returns the standing of players with the given ratings after random pairs.
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
	for _, e := range p.encounters() {
		for r, f := range first {
			for n := range pairs {
				at := pair{e, r, fmt.Sprint(n)}
				s.count(at, Start{Rules: p.Rules[r], Position: at.start},
					won(rng, elo[e.a]-elo[e.b]+f), won(rng, elo[e.b]-elo[e.a]+f))
			}
		}
	}
	return s
}

// won returns the random score of a player who is ahead by some Elo.
func won(rng *rand.Rand, ahead float64) float64 {
	if rng.Float64() < 1/(1+math.Pow(10, -ahead/400)) {
		return 1
	}
	return 0
}

// pairsOf returns the standing after given numbers of pairs, by twice the points of the first
// player in the first and in the second game. Each pair has its own start.
func pairsOf(players, rules int, cells map[encounter][3][3]int) *Standing {
	s := standingOf(nil, make([]float64, players), make([]float64, rules), 0)
	n := 0
	for _, e := range s.plan.encounters() {
		for r := range rules {
			for i, row := range cells[e] {
				for j, pairs := range row {
					for range pairs {
						n++
						s.count(pair{e, r, ""}, Start{Rules: s.plan.Rules[r], Batch: n},
							float64(i)/2, 1-float64(j)/2)
					}
				}
			}
		}
	}
	return s
}

// TestRatings checks that the intervals contain the ratings of simulated players about 95 times in
// 100, also if games from the same start depend on each other, and if there are few pairs.
func TestRatings(t *testing.T) {
	rounds := 200
	if os.Getenv("DUEL_NIGHTLY") != "" {
		rounds = 2000
	}
	for _, v := range []struct {
		players, rules, pairs int
		effect                float64 // of a start, in Elo
	}{{2, 3, 20, 0}, {4, 3, 20, 0}, {4, 3, 20, 300}, {4, 2, 200, 0}} {
		elo, first := []float64{-250, -50, 100, 200}[4-v.players:],
			[]float64{150, -40, 60}[:v.rules]
		rng := rand.New(rand.NewPCG(4, uint64(v.players)))
		draw := func(pairs int) Ratings {
			s := standingOf(nil, elo, first, 0)
			for r := range first {
				for n := range pairs {
					lean := v.effect * rng.NormFloat64() // to the side that moves first
					for _, e := range s.plan.encounters() {
						d := elo[e.a] - elo[e.b] + v.effect*rng.NormFloat64()/2
						s.count(pair{e, r, ""}, Start{Rules: s.plan.Rules[r], Batch: n},
							won(rng, d+first[r]+lean), won(rng, -d+first[r]+lean))
					}
				}
			}
			return s.rate()
		}
		large := draw(20_000) // the true figures, because effects of starts reduce all ratings
		held, all := 0, 0
		for range rounds {
			got := draw(v.pairs)
			for i, r := range append(got.Players, got.First...) {
				all++
				if want := append(large.Players, large.First...)[i].Elo; *r.Low <= want &&
					want <= *r.High {
					held++
				}
			}
		}
		t.Logf("%+v: %d of %d intervals contain the true figure", v, held, all)
		if share := float64(held) / float64(all); share < 0.93 || share > 0.98 {
			t.Errorf("%+v: %.3f of %d intervals contain the true figure", v, share, all)
		}
	}
	if all := pairsOf(2, 1, map[encounter][3][3]int{{0, 1}: {1: {1: 40}}}).rate(); all.Players[0].Elo != 0 || all.Players[0].Low != nil {
		t.Errorf("ratings without a decided game: %+v", all)
	}
}

// TestTwoRatings compares the fit with a computation by hand: without an advantage of the first
// move, the difference of two players follows from their score.
func TestTwoRatings(t *testing.T) {
	// The first player has 140 of 200 points in either seat.
	s := pairsOf(2, 1, map[encounter][3][3]int{{0, 1}: {{10, 0, 20}, {0, 0, 0}, {20, 0, 50}}})
	at, ok := s.fit(s.counts())
	got := centred(at, 2)
	want := 400 * math.Log10(0.7/0.3)
	if !ok || math.Abs(got[0]-got[1]-want) > 1e-6 || math.Abs(got[2]) > 1e-6 {
		t.Errorf("%v, %v; want a difference of %v", got, ok, want)
	}
}

// TestFewStarts compares the interval of equal players with a computation by hand. There is none
// if there are as many figures as starts.
func TestFewStarts(t *testing.T) {
	three := z95 * 400 / math.Ln10 * math.Sqrt(2./9*3/(3-2))
	for _, v := range []struct {
		pairs [3][3]int
		want  *float64
	}{
		{[3][3]int{0: {1, 0, 0}, 2: {0, 0, 1}}, nil},
		{[3][3]int{0: {1, 0, 0}, 1: {0, 1, 0}, 2: {0, 0, 1}}, &three},
	} {
		got := pairsOf(2, 1, map[encounter][3][3]int{{0, 1}: v.pairs}).rate()
		for _, r := range got.Players {
			switch {
			case r.Elo != 0 || (r.Low == nil) != (v.want == nil) ||
				(r.High == nil) != (v.want == nil):
				t.Errorf("%v: %+v", v.pairs, r)
			case v.want != nil &&
				(math.Abs(*r.Low+*v.want) > 1e-6 || math.Abs(*r.High-*v.want) > 1e-6):
				t.Errorf("%v: %v to %v, want %v", v.pairs, *r.Low, *r.High, *v.want)
			}
		}
	}
}

// TestFewerStarts checks that ratings have no intervals if there are fewer starts than figures.
func TestFewerStarts(t *testing.T) {
	s := pairsOf(4, 1, nil)
	for batch, points := range [][2]float64{{1, 0.5}, {0, 0.5}, {0.5, 1}} {
		for _, e := range s.plan.encounters() {
			at := Start{Rules: s.plan.Rules[0], Batch: batch}
			s.count(pair{e, 0, ""}, at, points[0], points[1])
		}
		all := s.rate()
		for _, r := range append(all.Players, all.First...) {
			if r.Low != nil || r.High != nil {
				t.Errorf("%d starts: got %+v, want no interval", batch+1, r)
			}
		}
	}
}

// TestNoFit checks the reasons given for counts without ratings.
func TestNoFit(t *testing.T) {
	for _, v := range []struct {
		name  string
		cells map[encounter][3][3]int
		want  string
	}{
		{"nothing", nil, "casual took 0 of 0 points"},
		{"apart", map[encounter][3][3]int{{0, 1}: {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}}, "casual#3 took 0 of 0 points"},
		{"all points", map[encounter][3][3]int{{0, 1}: {2: {0, 0, 9}}, {1, 2}: {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}}, "casual took 18 of 18 points"},
		{"two groups", map[encounter][3][3]int{{0, 1}: {2: {0, 0, 9}}, {0, 2}: {2: {0, 0, 9}}, {1, 2}: {{3, 0, 1}, {0, 0, 0}, {2, 0, 3}}}, "casual took 36 of 36 points"},
		{"first wins", map[encounter][3][3]int{{0, 1}: {2: {9, 0, 0}}, {1, 2}: {2: {9, 0, 0}}}, "the side that moved first took 36 of 36 points"},
		{"one seat", map[encounter][3][3]int{{0, 1}: {2: {2, 0, 4}}, {1, 2}: {2: {2, 0, 4}}}, "some players took all points in a seat"},
	} {
		if got := pairsOf(3, 1, v.cells).rate().None; !strings.Contains(got, v.want) {
			t.Errorf("%s: %q, want %q", v.name, got, v.want)
		}
	}
}

// TestEveryCount checks that fits of random small tables end with finite numbers, and so does the
// LLR of few pairs.
func TestEveryCount(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	fits := 0
	for range 3000 {
		var counts []count
		s := pairsOf(3, 2, nil)
		for _, e := range s.plan.encounters() {
			for r := range 2 {
				for _, c := range []count{{e.a, e.b, r, 0, 0}, {e.b, e.a, r, 0, 0}} {
					c.games = float64([]int{0, 1, 1, 2, 1000, 1_000_000}[rng.IntN(6)])
					if c.points = c.games * float64(rng.IntN(5)) / 4; c.games > 0 {
						counts = append(counts, c)
					}
				}
			}
		}
		got, ok := s.fit(counts)
		for _, x := range got {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("got the ratings %v", got)
			}
		}
		if ok {
			fits++
		}
	}
	if fits < 1000 {
		t.Errorf("only %d of 3000 tables have a fit", fits)
	}
	for range 3000 { // few pairs
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
