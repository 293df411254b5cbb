package coach

import (
	"math/rand/v2"
	"testing"

	"digitduel/digit"
	"digitduel/rulebook"
)

// BenchmarkAdvise times a hint in positions of random play.
func BenchmarkAdvise(b *testing.B) {
	for _, book := range digit.Books {
		b.Run(book.Name, func(b *testing.B) {
			s := solved(b, book.Name)
			var positions []digit.Position
			sample(book.Rules, 500, 1, func(p digit.Position, _ *rand.Rand) {
				positions = append(positions, p)
			})
			for i := 0; b.Loop(); i++ {
				p := positions[i%len(positions)]
				h, ok := Advise(s, p, rulebook.Cast{})
				if !ok || h.Value.Outcome != s.Value(p).Outcome {
					b.Fatalf("%s: %v", book.Rules.Text(p), h)
				}
			}
		})
	}
}

// BenchmarkStart times the hint for the first move, which searches the most positions.
func BenchmarkStart(b *testing.B) {
	for _, book := range digit.Books {
		b.Run(book.Name, func(b *testing.B) {
			s := solved(b, book.Name)
			for b.Loop() {
				h, ok := Advise(s, digit.Position{}, rulebook.Cast{})
				if !ok || h.Value.Outcome != s.Value(digit.Position{}).Outcome {
					b.Fatal(h)
				}
			}
		})
	}
}

// BenchmarkPuzzles times finding all puzzles of a book.
func BenchmarkPuzzles(b *testing.B) {
	for _, tt := range []struct {
		book string
		want int
	}{{"dilemma", 36493}, {"sevens", 22}, {"highest", 9686}, {"divisibility", 171750}, {"reverse", 9686}} {
		b.Run(tt.book, func(b *testing.B) {
			s := solved(b, tt.book)
			for b.Loop() {
				n := 0
				for range Puzzles(s) {
					n++
				}
				if n != tt.want {
					b.Fatalf("%d puzzles, want %d", n, tt.want)
				}
			}
		})
	}
}
