package arena

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestLLR compares with the tests of fastchess, which have a tolerance of one percent. One of them
// has a single kind of pair.
func TestLLR(t *testing.T) {
	for _, v := range []struct {
		penta      Penta
		elo0, elo1 float64
		model      string
		want       float64
	}{
		{Penta{365, 16618, 36229, 16974, 390}, 0, 2, Normalised, 2.25},
		{Penta{127, 4883, 10712, 5150, 104}, -1.75, 0.25, Normalised, 3.01},
		{Penta{0, 0, 0, 0, 5550}, 0, 5, Normalised, 111.82},
		{Penta{223, 9863, 21279, 10037, 246}, 0.5, 2.5, Logistic, -3.07},
		{Penta{871, 26175, 55983, 26678, 821}, 0, 2, Logistic, -4.98},
	} {
		test := SPRT{v.elo0, v.elo1, 0.05, 0.05, v.model}
		if got := test.LLR(v.penta); math.Abs(got-v.want) > 0.01*math.Abs(v.want) {
			t.Errorf("%v %s %v,%v: LLR %.4f, want %.2f",
				v.penta, v.model, v.elo0, v.elo1, got, v.want)
		}
	}
	if got := (&SPRT{0, 20, 0.05, 0.05, Logistic}).LLR(Penta{}); got != 0 {
		t.Errorf("without pairs: LLR %v", got)
	}
}

// TestMirror checks that swapping the players negates LLR and Elo.
func TestMirror(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var p, q Penta
		for i := range p {
			p[i] = rng.IntN(30)
			q[4-i] = p[i]
		}
		for _, model := range []string{Logistic, Normalised} {
			there, back := SPRT{-5, 20, 0.05, 0.05, model}, SPRT{-20, 5, 0.05, 0.05, model}
			if a, b := there.LLR(p), -back.LLR(q); math.Abs(a-b) > 1e-3*(1+math.Abs(a)) {
				t.Errorf("%v %s: %v and swapped %v", p, model, a, b)
			}
		}
		if a, b := p.Elo(), q.Elo(); a.Elo != nil && math.Abs(*a.Elo+*b.Elo) > 1e-9 ||
			a.LOS != nil && math.Abs(*a.LOS+*b.LOS-1) > 1e-9 {
			t.Errorf("%v: %v and swapped %v", p, a, b)
		}
	}
}

// TestEloOfPairsAlike checks that there is no interval if all pairs are alike, and that equal
// players have 0 Elo, not -0.
func TestEloOfPairsAlike(t *testing.T) {
	for p, want := range map[Penta]string{
		{}:                 `{"elo":null,"low":null,"high":null,"normalised":null,"los":null}`,
		{0, 0, 0, 0, 3}:    `{"elo":null,"low":null,"high":null,"normalised":null,"los":null}`,
		{7, 0, 0, 0, 0}:    `{"elo":null,"low":null,"high":null,"normalised":null,"los":null}`,
		{0, 0, 100, 0, 0}:  `{"elo":0,"low":null,"high":null,"normalised":null,"los":null}`,
		{0, 10, 0, 10, 0}:  `{"elo":0,"low":-77.388743`,
		{1, 0, 0, 0, 1}:    `{"elo":0,"low":null,"high":null,"normalised":0,"los":0.5}`,
		{0, 0, 14, 0, 39}:  `{"elo":327.06391666`,
		{0, 0, 0, 1000, 0}: `{"elo":190.848501`,
	} {
		if got, err := json.Marshal(p.Elo()); err != nil || !strings.HasPrefix(string(got), want) {
			t.Errorf("%v: %s, %v; want %s", p, got, err, want)
		}
		e := p.Elo()
		var b strings.Builder
		(&Summary{Players: []PlayerTotal{{Player: "perfect"}, {Player: "master"}},
			Elo: &e}).printStrength(&b)
		if alike := strings.Contains(b.String(), "no two pairs differ\n"); alike != (e.LOS == nil) || strings.Contains(b.String(), "chance") == alike {
			t.Errorf("%v: %s", p, b.String())
		}
	}
}

// TestFalseAccepts simulates 2,000 tests of players for whom H0 is true. With alpha 5 %, at most
// 6 % of the tests may accept H1.
func TestFalseAccepts(t *testing.T) {
	for _, v := range []struct {
		model  string
		elo1   float64
		chance [5]float64 // with the mean ½
	}{
		{Logistic, 60, [5]float64{0.1, 0.2, 0.4, 0.2, 0.1}},
		{Logistic, 100, [5]float64{0.25, 0, 0.5, 0, 0.25}},
		{Logistic, 100, [5]float64{0.02, 0, 0.96, 0, 0.02}},
		{Logistic, 200, [5]float64{0.25, 0, 0.5, 0, 0.25}},
		{Normalised, 200, [5]float64{0.25, 0, 0.5, 0, 0.25}},
		{Logistic, 200, [5]float64{0.5, 0, 0, 0, 0.5}},
		{Normalised, 200, [5]float64{0.5, 0, 0, 0, 0.5}},
		{Normalised, 80, [5]float64{0.1, 0.2, 0.4, 0.2, 0.1}},
		{Normalised, 120, [5]float64{0.25, 0, 0.5, 0, 0.25}},
		{Normalised, 100, [5]float64{0.02, 0, 0.96, 0, 0.02}},
	} {
		t.Run(fmt.Sprint(v.model, v.elo1, v.chance), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(7, uint64(v.elo1)))
			test := SPRT{0, v.elo1, 0.05, 0.05, v.model}
			accepted, open, pairs := 0, 0, 0
			const tests, most = 2000, 5_000
			for range tests {
				var p Penta
				decided := ""
				for decided == "" && p.Pairs() < most {
					x, i := rng.Float64(), 0
					for ; i < 4 && x >= v.chance[i]; i++ {
						x -= v.chance[i]
					}
					p[i]++
					decided = test.Decide(p)
				}
				pairs += p.Pairs()
				switch decided {
				case "H1":
					accepted++
				case "":
					open++
				}
			}
			t.Logf("accepted %.2f %%, open %d, %d pairs a test",
				100*float64(accepted)/tests, open, pairs/tests)
			if accepted > tests*6/100 {
				t.Errorf("H1 was wrongly accepted in %d of %d tests", accepted, tests)
			}
			if open > tests/100 {
				t.Errorf("%d of %d tests were not decided", open, tests)
			}
		})
	}
}

// TestLeast tries all possible pairs, and checks that none decide sooner than Least says.
func TestLeast(t *testing.T) {
	for _, v := range []struct {
		elo0, elo1 float64
		model      string
		want       int
	}{
		{0, 100, Logistic, 9}, {-100, 0, Logistic, 9}, {-50, 50, Logistic, 11},
		{50, 150, Logistic, 9}, {0, 200, Normalised, 3}, {0, 100, Normalised, 7},
		{-50, 50, Normalised, 8},
		// These have too many pairs to try.
		{0, 20, Logistic, 50}, {0, 50, Logistic, 20}, {0, 20, Normalised, 35}, {0, 0.001, Logistic, 0},
	} {
		test := SPRT{v.elo0, v.elo1, 0.05, 0.05, v.model}
		got := test.Least()
		if v.want > 0 && got != v.want || got < 1 {
			t.Errorf("%+v: at least %d pairs, want %d", test, got, v.want)
		}
		if v.want == 0 || v.want > 11 {
			continue
		}
		for n := range got {
			for a := range n + 1 {
				for b := range n - a + 1 {
					for c := range n - a - b + 1 {
						for d := range n - a - b - c + 1 {
							if p := (Penta{a, b, c, d, n - a - b - c - d}); test.Decide(p) != "" {
								t.Fatalf("%+v: %v decides %s with fewer than %d pairs",
									test, p, test.Decide(p), got)
							}
						}
					}
				}
			}
		}
	}
}

// TestPerfectMaster checks that a test of perfect against master, with bounds of 0 and 50 Elo, is
// decided within 60 games for nearly all seeds. With 0 and 20, it would take at least 50 pairs.
func TestPerfectMaster(t *testing.T) {
	plan, solutions := planOf(t,
		Plan{Players: []string{"perfect", "master"}, Pairs: 30,
			SPRT: &SPRT{0, 50, 0.05, 0.05, Logistic}}, "beginning", "dilemma target=13")
	decided := 0
	for seed := range uint64(100) {
		plan.Seed = seed
		if _, standing := play(t, Runner{Plan: plan, Solutions: solutions, Concurrency: 2}); standing.Decided == "H1" && standing.Games <= 60 {
			decided++
		}
	}
	if decided < 95 {
		t.Errorf("decided within 60 games in %d of 100 seeds", decided)
	}
}

// TestBounds checks that alpha and beta are not confused.
func TestBounds(t *testing.T) {
	s := SPRT{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.2, Model: Logistic}
	if lower, upper := s.Bounds(); math.Abs(lower-math.Log(0.2/0.95)) > 1e-12 ||
		math.Abs(upper-math.Log(16)) > 1e-12 {
		t.Errorf("got the bounds %v and %v", lower, upper)
	}
}

// TestElo compares with figures that another program computed by the formulas of docs/arena.md. If
// all pairs are alike, there is no interval and no probability.
func TestElo(t *testing.T) {
	for _, v := range []struct {
		pairs Penta
		want  string
	}{
		{Penta{10, 20, 40, 50, 30}, "82.589555 49.514728 117.207147 99.956602 0.999999687"},
		{Penta{3, 1, 5, 0, 2}, "-47.674563 -208.236978 93.896392 -49.465690 0.252133237"},
		{Penta{0, 0, 0, 4, 0}, "190.848502 – – – –"},
		{Penta{0, 4, 0, 0, 0}, "-190.848502 – – – –"},
		{Penta{0, 0, 4, 0, 0}, "0.000000 – – – –"},
		{Penta{0, 0, 0, 0, 4}, "– – – – –"},
		{Penta{0, 0, 0, 1, 9}, "636.425843 445.430576 – 1555.935704 1.000000000"},
		{Penta{}, "– – – – –"},
	} {
		e := v.pairs.Elo()
		if got := fmt.Sprintf("%s %s %s %s %s", figure(e.Elo, "%.6f"), figure(e.Low, "%.6f"), figure(e.High, "%.6f"), figure(e.NElo, "%.6f"), figure(e.LOS, "%.9f")); got != v.want {
			t.Errorf("%v: %s, want %s", v.pairs, got, v.want)
		}
	}
}
