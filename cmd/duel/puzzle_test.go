package main

import (
	"context"
	"errors"
	"testing"

	"digitduel/digit"
	"digitduel/solve"
	"digitduel/ui/cli"
)

// TestFindPuzzle checks that a search for a puzzle can be interrupted, with and without a level.
func TestFindPuzzle(t *testing.T) {
	s, err := solve.Solve(t.Context(), digit.Highest, solve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range []string{"", "casual"} {
		ctx, interrupt := context.WithCancel(t.Context())
		z, err := (&puzzleRequest{level: level}).find(ctx, s, func(n int) int {
			interrupt()
			return n - 1
		})
		if !errors.Is(err, cli.ErrInterrupted) {
			t.Errorf("level %q: got error %v and puzzle %v, want ErrInterrupted", level, err, z)
		}
	}
}
