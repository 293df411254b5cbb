package engine

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestSeed checks that an engine with the same seed plays the same moves, regardless of earlier
// games, and with another seed other moves.
func TestSeed(t *testing.T) {
	game := func(seed string, before int, begins string) string {
		config := ownConfig()
		config.Rand = rand.New(rand.NewPCG(rand.Uint64(), 0))
		var out strings.Builder
		input := "setoption name Level value beginner\n" + strings.Repeat("uginewgame\nposition startpos\ngo\n", before) +
			"setoption name Seed value " + seed + "\n" + begins + strings.Repeat("position startpos\ngo\nposition startpos moves 7a\ngo\n", 4)
		if err := Serve(t.Context(), strings.NewReader(input), &out, config); err != nil {
			t.Fatal(err)
		}
		var moves []string
		for line := range strings.Lines(out.String()) {
			if move, ok := strings.CutPrefix(strings.TrimSpace(line), "bestmove "); ok {
				moves = append(moves, move)
			}
		}
		if len(moves) != before+8 {
			t.Fatalf("got %d moves, want %d:\n%s", len(moves), before+8, out.String())
		}
		return strings.Join(moves[before:], " ")
	}
	const begins = "uginewgame\n"
	one := game("1", 0, begins)
	for _, begins := range []string{begins, ""} { // a seed also works in the middle of a game
		if again := game("1", 3, begins); again != one {
			t.Errorf("got %s, and again after %q %s", one, begins, again)
		}
	}
	if other := game("2", 0, begins); other == one {
		t.Errorf("another seed also plays %s", other)
	}
}
