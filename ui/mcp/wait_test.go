package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// TestPatience asks for a game that takes long to solve: the agent has to ask again while it is
// solved in the background. Solutions are released after use.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		solution, ready := &solve.Solution{}, make(chan struct{})
		var calls, released atomic.Int32
		s := New(Config{Solve: func(ctx context.Context, _ digit.Rules) (*solve.Solution, error) {
			calls.Add(1)
			select {
			case <-ready:
				context.AfterFunc(ctx, func() { released.Add(1) })
				return solution, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}})
		defer s.Close()
		var why *refusal
		if got, err := s.solved(t.Context(), digit.Dilemma); got != nil || !errors.As(err, &why) ||
			why.reason != stillComputing {
			t.Fatalf("%v, %v", got, err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if got, err := s.solved(gone, digit.Dilemma); got != nil ||
			!errors.Is(err, context.Canceled) {
			t.Fatalf("%v, %v", got, err)
		}
		synctest.Wait()
		close(ready) // the first call still computes in the background
		synctest.Wait()
		if calls.Load() != 2 || released.Load() != 1 {
			t.Errorf("got %d calls, of which %d released the solution; want 2 and 1",
				calls.Load(), released.Load())
		}
		asking, done := context.WithCancel(t.Context())
		if got, err := s.solved(asking, digit.Dilemma); got != solution || err != nil {
			t.Errorf("%v, %v", got, err)
		}
		synctest.Wait()
		if released.Load() != 1 {
			t.Error("the solution was released during its use")
		}
		done()
		synctest.Wait()
		if released.Load() != 2 {
			t.Error("the solution was not released")
		}
	})
}

// TestWhy checks which reason an agent gets for an error after the time limit of a call.
func TestWhy(t *testing.T) {
	late, end := context.WithCancelCause(t.Context())
	end(errSlow)
	gone, end := context.WithCancelCause(t.Context())
	end(nil)
	doubt := fmt.Errorf("event 3: %w", match.ErrInDoubt)
	for _, tt := range []struct {
		ctx       context.Context
		err, want error
	}{
		{t.Context(), io.EOF, io.EOF}, {late, io.EOF, errSlow}, {gone, io.EOF, errGone},
		{late, errNoGame, errNoGame}, {late, doubt, doubt}, {late, nil, nil},
	} {
		if got := whyOf(tt.ctx, tt.err); !errors.Is(got, tt.want) {
			t.Errorf("%v: got %v, want %v", tt.err, got, tt.want)
		}
	}
}
