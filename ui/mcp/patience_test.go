package mcp

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"digitduel/digit"
	"digitduel/solve"
)

// TestPatience asks for a game that takes long to solve: the agent has to ask again until it is
// solved in the background.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		solution, ready := &solve.Solution{}, make(chan struct{})
		var calls, given atomic.Int32
		s := New(Config{Solve: func(ctx context.Context, _ digit.Rules) (*solve.Solution, error) {
			calls.Add(1)
			select {
			case <-ready:
				context.AfterFunc(ctx, func() { given.Add(1) })
				return solution, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}})
		defer s.Close()
		var why *refusal
		if got, err := s.solved(t.Context(), digit.Dilemma); got != nil || !errors.As(err, &why) || why.reason != stillComputing {
			t.Fatalf("%v, %v", got, err)
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if got, err := s.solved(gone, digit.Dilemma); got != nil || !errors.Is(err, context.Canceled) {
			t.Fatalf("%v, %v", got, err)
		}
		synctest.Wait()
		close(ready) // the first call is still at work, although nobody waits for it
		synctest.Wait()
		if calls.Load() != 2 || given.Load() != 1 {
			t.Errorf("%d calls, of which %d have given it back", calls.Load(), given.Load())
		}
		asking, done := context.WithCancel(t.Context())
		if got, err := s.solved(asking, digit.Dilemma); got != solution || err != nil {
			t.Errorf("%v, %v", got, err)
		}
		synctest.Wait()
		if given.Load() != 1 {
			t.Error("it was given back before its use was over")
		}
		done()
		synctest.Wait()
		if given.Load() != 2 {
			t.Error("it was not given back")
		}
	})
}
