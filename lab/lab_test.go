package lab

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"digitduel/digit"
	"digitduel/solve"
)

var games = flag.Int("games", map[bool]int{true: 30_000, false: 3_000}[nightly],
	"number of random games")

func solved(t testing.TB, text string) *solve.Solution {
	t.Helper()
	r, err := digit.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	s, err := solve.Solve(t.Context(), r, solve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// byRules holds the reports of [measured], which several tests use.
var byRules = map[digit.Rules]Report{}

func measured(t testing.TB, text string) Report {
	t.Helper()
	s := solved(t, text)
	report, known := byRules[s.Rules()]
	if !known {
		var err error
		if report, err = Measure(t.Context(), s, Config{}); err != nil {
			t.Fatal(err)
		}
		byRules[s.Rules()] = report
	}
	return report
}

// TestBooks compares reports with figures computed by another program.
func TestBooks(t *testing.T) {
	for _, test := range []struct {
		rules, first string // the share at slip 0.2
		moves        FirstMoves
	}{
		{"dilemma", ".760", FirstMoves{27, 0, 3}},
		{"highest", ".836", FirstMoves{1, 0, 26}},
		{"reverse", ".836", FirstMoves{1, 0, 26}},
		{"divisibility", ".849", FirstMoves{1, 0, 8}},
		{"sevens", ".927", FirstMoves{10, 0, 0}},
		{"dilemma target=37 final=below", ".504", FirstMoves{0, 11, 19}},
		{"divisibility target=127", ".494", FirstMoves{0, 2, 7}},
		{"divisibility target=122 width=3", ".495", FirstMoves{0, 4, 5}},
		{"sevens target=37 final=below", ".540", FirstMoves{0, 10, 0}},
	} {
		report := measured(t, test.rules)
		if got := fmt.Sprintf("%.3f", report.Bias+0.5)[1:]; got != test.first ||
			report.FirstMoves != test.moves {
			t.Errorf("%s: got %s %v, want %s %v",
				test.rules, got, report.FirstMoves, test.first, test.moves)
		}
	}
}

// TestPerfect checks that the curve without slips equals the solution exactly.
func TestPerfect(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		r := randomRules(rng)
		s, err := solve.Solve(t.Context(), r, solve.Config{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		report, err := Measure(t.Context(), s, Config{})
		if err != nil {
			t.Fatal(err)
		}
		value := s.Value(digit.Position{})
		want := Point{0, value.Outcome.Points(), 0}
		if value.Outcome == solve.Draw {
			want.Draw = 1
		}
		if report.Curve[0] != want {
			t.Errorf("%v: got %v, want %v", r, report.Curve[0], want)
		}
	}
}

// TestTargets counts winners over the targets of one book, and compares with another program.
func TestTargets(t *testing.T) {
	count, second := map[string]int{}, []int{}
	for target := 2; target <= 130; target++ {
		report := VerdictOf(solved(t, fmt.Sprintf("divisibility target=%d", target)))
		count[report.Winner]++
		switch report.Winner {
		case "second":
			second = append(second, target)
		case "draw":
			if target != 127 {
				t.Errorf("target %d is a draw", target)
			}
		}
	}
	if count["first"] != 118 ||
		!slices.Equal(second, []int{30, 70, 76, 83, 90, 101, 105, 110, 112, 130}) ||
		count["draw"] != 1 {
		t.Errorf("got the winners %v, the second player wins %v", count, second)
	}
}

// TestChance compares the end of the curve with random games played by the rules.
func TestChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, text := range []string{"dilemma", "sevens", "highest", "divisibility",
		"divisibility target=13 width=3", "sevens target=11 zero=counts final=draw"} {
		report := measured(t, text)
		sum, squares := 0.0, 0.0
		for range *games {
			x := scoreShares[playRandom(report.Rules, rng)].points()
			sum += x
			squares += x * x
		}
		n := float64(*games)
		mean := sum / n
		err := math.Sqrt((squares/n - mean*mean) / n)
		t.Logf("%s: %d random games: %.5f ± %.5f", text, *games, mean, err)
		if want := report.Curve[len(report.Curve)-1].First; math.Abs(mean-want) > 3*err {
			t.Errorf("%s: %d random games: %.5f ± %.5f, but the curve ends with %.5f",
				text, *games, mean, err, want)
		}
	}
}

// playRandom plays a game in which every digit and place is equally likely, and returns its score.
// Winning numbers are called.
func playRandom(r digit.Rules, rng *rand.Rand) digit.Score {
	var p digit.Position
	for {
		var plain []digit.Move
		calls := map[digit.Digit]digit.Move{}
		for m := range r.Moves(p) {
			if m == m.Uncalled() {
				plain = append(plain, m)
			} else if next, _ := r.Play(p, m); r.Result(next).Reason == digit.Multiple {
				calls[m.Digit] = m
			}
		}
		if len(plain) == 0 {
			return r.Result(p).Score
		}
		m := plain[rng.IntN(len(plain))]
		if call, ok := calls[m.Digit]; ok {
			m = call
		}
		p, _ = r.Play(p, m)
	}
}

// TestLarge checks the error for a game with too many positions.
func TestLarge(t *testing.T) {
	_, err := Measure(t.Context(), solved(t, "sevens"), Config{Most: 1})
	var large *LargeError
	if !errors.As(err, &large) || large.Rules != digit.Sevens || large.Classes < 2 ||
		large.Most != 1 {
		t.Errorf("a game with too many positions: %v", err)
	}
}
