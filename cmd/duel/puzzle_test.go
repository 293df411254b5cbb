package main

import (
	"context"
	"errors"
	"testing"

	"digitduel/cli"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/solve"
)

// TestFindPuzzle gives up a search that is interrupted, and says why one found nothing.
func TestFindPuzzle(t *testing.T) {
	s, err := solve.Solve(t.Context(), digit.Highest, solve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	never := make(chan struct{})
	_, err = findPuzzle(ctx, s, "", func() (coach.Puzzle, bool) {
		interrupt()
		<-never
		return coach.Puzzle{}, false
	})
	if !errors.Is(err, cli.ErrInterrupted) {
		t.Errorf("a search that is interrupted says %v", err)
	}
	nothing := func() (coach.Puzzle, bool) { return coach.Puzzle{}, false }
	const want = "puzzle: none of highest was found that level casual misses and the next one finds"
	if _, err := findPuzzle(t.Context(), s, "casual", nothing); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	one := coach.Puzzle{Rules: digit.Highest, Choices: 7}
	if z, err := findPuzzle(t.Context(), s, "", func() (coach.Puzzle, bool) { return one, true }); err != nil || z != one {
		t.Errorf("got %v, %v", z, err)
	}
}
