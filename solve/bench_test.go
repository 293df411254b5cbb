package solve

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"digitduel/digit"
)

// BenchmarkBooks solves the five books with the solver, on one core, and with plain minimax, and
// compares every value. It fails if the solver is less than 200 times faster.
func BenchmarkBooks(b *testing.B) {
	var slow, fast time.Duration
	var fastest time.Duration // the best of several runs, because the machine may be busy
	var size Size
	positions := 0
	for b.Loop() {
		size, positions = Size{}, 0
		for _, book := range digit.Books {
			m := newMinimax(book.Rules)
			runtime.GC()
			start := time.Now()
			m.value(digit.Position{})
			slow += time.Since(start)

			const times = 10
			var s *Solution
			var err error
			best := time.Hour
			runtime.GC()
			for range times {
				start = time.Now()
				if s, err = Solve(context.Background(), book.Rules, Config{Workers: 1}); err != nil {
					b.Fatal(err)
				}
				took := time.Since(start)
				best, fast = min(best, took), fast+took/times
			}
			fastest += best

			for p, want := range m.known {
				if got := s.Value(p); got != want {
					b.Fatalf("%s: %s: %v, want %v", book.Name, book.Rules.Text(p), got, want)
				}
			}
			positions += len(m.known)
			size.Classes += s.Size().Classes
			size.Bytes += s.Size().Bytes
		}
	}
	if !raced && slow < 200*fastest {
		b.Errorf("the solver takes %v and minimax %v: less than 200 times faster", fastest, slow)
	}
	n := float64(b.N)
	b.ReportMetric(0, "ns/op") // which includes the comparison
	b.ReportMetric(slow.Seconds()*1e3/n, "minimax-ms")
	b.ReportMetric(fast.Seconds()*1e3/n, "solver-ms")
	b.ReportMetric(slow.Seconds()/fast.Seconds(), "times-faster")
	b.ReportMetric(float64(positions), "positions")
	b.ReportMetric(float64(size.Classes), "classes")
	b.ReportMetric(float64(size.Classes)/float64(positions), "classes/position")
	b.ReportMetric(float64(size.Bytes)/float64(size.Classes), "bytes/class")
}

// BenchmarkSolve solves each book on one core.
func BenchmarkSolve(b *testing.B) {
	for _, book := range digit.Books {
		b.Run(book.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Solve(context.Background(), book.Rules, Config{Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkProbe looks up the values of positions of all plies of a book.
func BenchmarkProbe(b *testing.B) {
	for _, book := range digit.Books {
		b.Run(book.Name, func(b *testing.B) {
			s := solved(b, book.Rules)
			rng := rand.New(rand.NewPCG(1, 2))
			positions := make([]digit.Position, 0, 4096)
			for len(positions) < cap(positions) {
				var p digit.Position
				var moves []digit.Move
				for !book.Rules.Result(p).Over() && len(positions) < cap(positions) {
					positions = append(positions, p)
					moves = moves[:0]
					for m := range book.Rules.Moves(p) {
						moves = append(moves, m)
					}
					p, _ = book.Rules.Play(p, moves[rng.IntN(len(moves))])
				}
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if s.Value(positions[i%len(positions)]).Plies == 0 {
					b.Fatal("the game is over, but the position has moves")
				}
				i++
			}
		})
	}
}

// BenchmarkGrowth solves games of growing width and base on all cores.
func BenchmarkGrowth(b *testing.B) {
	for _, text := range []string{
		"dilemma", "dilemma width=4", "dilemma width=5",
		"dilemma pool=0-f", "dilemma pool=0-f width=4", "dilemma pool=0-f width=5",
		"highest", "highest width=4", "highest pool=1-f", "highest pool=1-f width=4", "highest pool=1-f width=7",
		"sevens", "sevens width=4", "sevens width=5", "sevens pool=0-f", "sevens pool=0-f width=4", "sevens pool=0-f width=5",
		"divisibility", "divisibility pool=0-9", "divisibility pool=1-c", "divisibility pool=1-f", "divisibility pool=0-f",
		"divisibility target=100", "divisibility pool=1-f target=13", "divisibility pool=1-f target=100",
	} {
		b.Run(text, func(b *testing.B) {
			r := rules(b, text)
			if planned, err := plan(b.Context(), newGame(r), DefaultBudget); !nightly &&
				(err != nil || planned.size.Classes > 1e7) {
				b.Skip("takes some seconds; make nightly runs it")
			}
			var s *Solution
			var err error
			for b.Loop() {
				if s, err = Solve(context.Background(), r, Config{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(s.CountPositions()), "positions")
			b.ReportMetric(float64(s.Size().Classes), "classes")
			b.ReportMetric(float64(s.Size().Bytes)/float64(s.Size().Classes), "bytes/class")
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms")
		})
	}
}
