package digit

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkPlayout plays random games; compare the moves per second. The sub-benchmarks pick choose
// moves with Pick, and those named list from the list of all moves.
func BenchmarkPlayout(b *testing.B) {
	for _, book := range Books {
		r := book.Rules
		b.Run(book.Name+"/pick", func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			playouts(b, r, func(p Position) (Move, bool) { return r.Pick(p, rng.IntN) })
		})
		b.Run(book.Name+"/list", func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			moves := make([]Move, 0, 64)
			playouts(b, r, func(p Position) (Move, bool) {
				moves = moves[:0]
				for m := range r.Moves(p) {
					moves = append(moves, m)
				}
				if len(moves) == 0 {
					return Move{}, false
				}
				return moves[rng.IntN(len(moves))], true
			})
		})
	}
}

func playouts(b *testing.B, r Rules, choose func(Position) (Move, bool)) {
	played := 0
	for b.Loop() {
		var p Position
		for m, ok := choose(p); ok; m, ok = choose(p) {
			var err error
			if p, err = r.Play(p, m); err != nil {
				b.Fatal(err)
			}
			played++
		}
		if !r.Result(p).Over() {
			b.Fatalf("%s: no legal move, but the game is not over", r.Text(p))
		}
	}
	b.ReportMetric(float64(played)/b.Elapsed().Seconds(), "moves/s")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

// BenchmarkRecord parses and writes the example game of a book.
func BenchmarkRecord(b *testing.B) {
	const line = "dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple"
	for b.Loop() {
		if rec, err := ParseRecord(line); err != nil || rec.String() != line {
			b.Fatal(rec, err)
		}
	}
}

// BenchmarkPerft counts all positions of a book.
func BenchmarkPerft(b *testing.B) {
	for b.Loop() {
		positions := 0
		for c := range Sevens.Perft(0) {
			positions += c.Positions
		}
		if positions != 44729 {
			b.Fatal(positions)
		}
	}
}

// BenchmarkPosition writes and parses a position.
func BenchmarkPosition(b *testing.B) {
	const text = "7_1/53_"
	for b.Loop() {
		if p, err := Dilemma.ParsePosition(text); err != nil || Dilemma.Text(p) != text {
			b.Fatal(Dilemma.Text(p), err)
		}
	}
}
