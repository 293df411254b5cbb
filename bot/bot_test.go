package bot

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/solve"
)

var solver solve.Solver // shared, so that each game is solved once

// solveAll returns the solutions of games.
func solveAll(t testing.TB, texts ...string) []*solve.Solution {
	t.Helper()
	var all []*solve.Solution
	for _, text := range texts {
		r, err := digit.ParseRules(text)
		if err != nil {
			t.Fatal(err)
		}
		s, err := solver.Solve(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// variants are games other than the books that bots must be able to play.
var variants = []string{
	"divisibility target=11 pool=0-9", "divisibility width=3 zero=inert pool=0-9",
	"divisibility pool=1-6,a target=13", "sevens win=full", "sevens win=each",
	"sevens zero=counts width=2", "dilemma zero=barred", "dilemma width=2 target=13",
	"highest width=4", "reverse pool=1-5 width=2", "highest place=hand",
	"highest final=draw win=full target=5", "reverse place=ends width=2 final=later",
}

// randomRules returns the rules of a small random game.
func randomRules(rng *rand.Rand) string {
	pick := func(from string) string {
		words := strings.Fields(from)
		return words[rng.IntN(len(words))]
	}
	for {
		text := "dilemma pool=" + pick("12 012 0-4 1-5 0-5 1-6 02379 789abc 13579b 05af16b 0-6 1-7 0-7") +
			" place=" + pick("slots ends hand") + " width=" + pick("0 1 2 3 4") +
			" target=" + pick("0 2 3 5 7 8 10 11 13 16 99 9999") +
			" win=" + pick("never full each call") + " zero=" + pick("counts inert barred") +
			" final=" + pick("draw above below nearest higher lower later above,later "+
			"nearest,lower nearest,higher below,higher")
		if _, err := digit.ParseRules(text); err == nil {
			return text
		}
	}
}

// TestLegal checks that every level plays legal moves, on both sides of every book, every variant
// and many random games.
func TestLegal(t *testing.T) {
	games := append(digit.BookNames(), variants...)
	rng := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		games = append(games, randomRules(rng))
	}
	for _, s := range solveAll(t, games...) {
		for i, l := range Levels {
			r := s.Rules()
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			for range 10 {
				b := New(l, s, rng)
				var p digit.Position
				for !r.Result(p).Over() {
					next, err := r.Play(p, b.Choose(p))
					if err != nil {
						t.Fatalf("%v, %s in %s: %v", r, l.Name, r.Text(p), err)
					}
					p = next
				}
			}
		}
	}
}

// TestPerfect checks the perfect level in each position of random games: it never gives anything
// away, wins as fast as possible, and in a lost or drawn position leaves the most wrong replies.
func TestPerfect(t *testing.T) {
	positions, lost := 0, 0
	for _, s := range solveAll(t, append(digit.BookNames(), variants...)...) {
		r := s.Rules()
		rng := rand.New(rand.NewPCG(2, 2))
		b := New(Perfect(), s, rng)
		for range 60 {
			var p digit.Position
			for !r.Result(p).Over() {
				positions++
				value, c := s.Value(p), s.Choice(p, b.Choose(p))
				if c.Value.Outcome != value.Outcome {
					t.Fatalf("%v %s: %v turns a %v into a %v",
						r, r.Text(p), c.Move, value.Outcome, c.Value.Outcome)
				}
				if value.Outcome == solve.Win && c.Value.Plies != value.Plies {
					t.Fatalf("%v %s: %v wins in %d, want %d",
						r, r.Text(p), c.Move, c.Value.Plies, value.Plies)
				}
				if value.Outcome != solve.Win {
					lost++
					for _, other := range s.Choices(p) {
						if other.Value.Outcome == value.Outcome &&
							wrongReplies(s, other.Next) > wrongReplies(s, c.Next) {
							t.Fatalf("%v %s: %v leaves more wrong replies than %v",
								r, r.Text(p), other.Move, c.Move)
						}
					}
				}
				random, _ := r.Pick(p, rng.IntN)
				p, _ = r.Play(p, random)
			}
		}
	}
	if lost < 100 {
		t.Errorf("got %d positions that are not won, of %d; want at least 100", lost, positions)
	}
}

// wrongReplies returns the share of replies that are worse than the best one.
func wrongReplies(s *solve.Solution, p digit.Position) float64 {
	replies := s.Choices(p)
	return float64(len(replies)-solve.Keep(replies)) / max(1, float64(len(replies)))
}

// TestCalls checks all positions of sevens in which a hand can be filled. The perfect level calls
// the highest multiple. The others call the highest multiple they notice, or a number they
// wrongly take for a multiple, and nothing else.
func TestCalls(t *testing.T) {
	s := solveAll(t, "sevens")[0]
	r := s.Rules()
	called := make([]int, len(Levels))
	positions, could, bluffs := 0, 0, 0
	for p := range s.Positions() {
		if !r.MayCall(p) {
			continue
		}
		positions++
		highest := digit.Number{}
		for d := range r.Left(p).All() {
			if n := r.HighestMultiple(r.Held(p, r.Turn(p)) | digit.PoolOf(d)); n.Value(10) > highest.Value(10) {
				highest = n
			}
		}
		if highest != (digit.Number{}) {
			could++
		}
		for i, l := range Levels {
			b := New(l, s, rand.New(rand.NewPCG(uint64(positions), uint64(i))))
			m := b.Choose(p)
			if l == Perfect() && m.Call != highest {
				t.Fatalf("%s: the perfect level plays %v, but could call %v", r.Text(p), m, highest)
			}
			if m.Call.Value(10)%7 != 0 {
				bluffs++
				continue
			}
			for threat, n := range r.Threats(p, r.Turn(p)) {
				if n.Value(10) > m.Call.Value(10) && b.takes(n, true) {
					t.Fatalf("%s: %s notices %v and plays %v", r.Text(p), l.Name, threat, m)
				}
			}
			if m.Call != (digit.Number{}) {
				called[i]++
			}
		}
	}
	if positions < 3000 || could < positions/2 || bluffs == 0 || bluffs > positions {
		t.Errorf("%d positions, %d with a multiple, %d wrong calls", positions, could, bluffs)
	}
	for i := range called[1:] {
		if called[i] >= called[i+1] {
			t.Errorf("%s calls in %d positions, %s in %d",
				Levels[i].Name, called[i], Levels[i+1].Name, called[i+1])
		}
	}
	t.Logf("%d positions, %d with a multiple; called by level: %v; wrong calls: %d",
		positions, could, called, bluffs)
}

// TestAllocs checks, along random games, that a choice does not allocate. Only the perfect level
// may, since it lists the replies to a move.
func TestAllocs(t *testing.T) {
	for _, s := range solveAll(t, append(digit.BookNames(), variants...)...) {
		r := s.Rules()
		rng := rand.New(rand.NewPCG(5, 5))
		var p digit.Position
		for !r.Result(p).Over() {
			moves := 0
			for range r.Moves(p) {
				moves++
			}
			for _, l := range Levels {
				most := 0
				if l == Perfect() {
					most = moves
				}
				b := New(l, s, rng)
				if n := testing.AllocsPerRun(5, func() { b.Choose(p) }); n > float64(most) {
					t.Errorf("%v %s: %s allocates %v times, want at most %d", r, r.Text(p), l.Name, n, most)
				}
			}
			m, _ := r.Pick(p, rng.IntN)
			p, _ = r.Play(p, m)
		}
	}
}

func TestSameSeedSameGame(t *testing.T) {
	for _, s := range solveAll(t, digit.BookNames()...) {
		for _, l := range Levels {
			play := func(seed uint64) string {
				rng := rand.New(rand.NewPCG(seed, 0))
				bots := [2]*Bot{New(l, s, rng), New(l, s, rng)}
				rec := digit.Record{Rules: s.Rules()}
				var p digit.Position
				for !s.Rules().Result(p).Over() {
					m := bots[s.Rules().Turn(p)].Choose(p)
					rec.Moves = append(rec.Moves, m)
					p, _ = s.Rules().Play(p, m)
				}
				return rec.String()
			}
			games := map[string]bool{}
			for seed := range uint64(8) {
				if a, b := play(seed), play(seed); a != b {
					t.Errorf("seed %d gives two games: %s and %s", seed, a, b)
				}
				games[play(seed)] = true
			}
			if len(games) == 1 && s.Rules() != digit.Divisibility {
				t.Errorf("%v, %s: all eight seeds give the same game", s.Rules(), l.Name)
			}
		}
	}
}

func TestParseLevel(t *testing.T) {
	for _, l := range Levels {
		if got, err := ParseLevel(l.Name); err != nil || got != l {
			t.Errorf("%s: %v, %v", l.Name, got, err)
		}
	}
	want := `unknown level "grandmaster" (use one of beginner, novice, casual, skilled, expert, master, perfect)`
	if _, err := ParseLevel("grandmaster"); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func BenchmarkChoose(b *testing.B) {
	for _, s := range solveAll(b, digit.BookNames()...) {
		for _, l := range Levels {
			b.Run(s.Rules().String()+"/"+l.Name, func(b *testing.B) {
				bot := New(l, s, rand.New(rand.NewPCG(1, 1)))
				for b.Loop() {
					if m := bot.Choose(digit.Position{}); !s.Rules().Pool.Has(m.Digit) {
						b.Fatal(m)
					}
				}
			})
		}
	}
}
