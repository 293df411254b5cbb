package engine

import (
	"math/rand/v2"
	"strings"
	"testing"

	"digitduel/digit"
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

// TestNewMind checks that a new game has a bot of its own, which overlooks other numbers.
func TestNewMind(t *testing.T) {
	var all [2]string
	for i, begins := range []string{"", "uginewgame\n"} {
		var out strings.Builder
		input := "setoption name Level value novice\nsetoption name Seed value 1\n" +
			strings.Repeat(begins+"position startpos\ngo\n", 20)
		if err := Serve(t.Context(), strings.NewReader(input), &out, ownConfig()); err != nil {
			t.Fatal(err)
		}
		all[i] = out.String()
	}
	if all[0] == all[1] {
		t.Errorf("20 games have the moves of one:\n%s", all[0])
	}
}

// TestGuesses checks that an engine without a solution does not always make the same move.
func TestGuesses(t *testing.T) {
	s := &session{rules: digit.Dilemma, config: ownConfig()}
	s.config.Rand = rand.New(rand.NewPCG(1, 1))
	seen := map[digit.Move]bool{}
	for range 50 {
		seen[s.guess(digit.Position{})] = true
	}
	if len(seen) < 10 {
		t.Errorf("50 guesses are %d different moves", len(seen))
	}
}
