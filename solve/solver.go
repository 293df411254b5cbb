package solve

import (
	"context"
	"errors"
	"sync"

	"digitduel/digit"
)

// A Solver solves each game once, for any number of users, and keeps the solutions. The zero Solver is ready to use.
type Solver struct {
	Config Config // for each game; the budget is also what all that is kept may take together

	// Turn is held by whoever solves a game; its capacity is how many are solved at once, so that many who want different
	// games cannot use up the machine. Nil: any number.
	Turn chan struct{}

	mu   sync.Mutex
	kept map[digit.Rules]*kept
	uses int64
}

// kept is a solution, or one that is being worked out.
type kept struct {
	done     chan struct{} // closed when there is a solution or an error
	solution *Solution
	err      error
	used     int64 // the higher, the later
}

// Solve returns the solution of a game. If another call is working on it, it waits for that one. The error is that of [Solve].
func (s *Solver) Solve(ctx context.Context, r digit.Rules) (*Solution, error) {
	for {
		k, mine := s.claim(r)
		if mine {
			k.solution, k.err = s.solve(ctx, r)
			s.settle(r, k)
			return k.solution, k.err
		}
		select {
		case <-k.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		// The other call may have been given up; that is no reason to give this one up.
		var budget *BudgetError
		var rules *digit.RulesError
		if k.err == nil || errors.As(k.err, &budget) || errors.As(k.err, &rules) {
			return k.solution, k.err
		}
	}
}

// solve solves a game when it is its turn.
func (s *Solver) solve(ctx context.Context, r digit.Rules) (*Solution, error) {
	if s.Turn != nil {
		select {
		case s.Turn <- struct{}{}:
			defer func() { <-s.Turn }()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return Solve(ctx, r, s.Config)
}

// claim returns what there is of a game, and whether it is the caller's to work out.
func (s *Solver) claim(r digit.Rules) (*kept, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.uses++
	if k := s.kept[r]; k != nil {
		k.used = s.uses
		return k, false
	}
	if s.kept == nil {
		s.kept = map[digit.Rules]*kept{}
	}
	k := &kept{done: make(chan struct{}), used: s.uses}
	s.kept[r] = k
	return k, true
}

// settle tells that a game is worked out. It forgets one that could not be solved, and as many of those not used for the
// longest time as the budget asks for.
func (s *Solver) settle(r digit.Rules, k *kept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(k.done)
	if k.err != nil {
		delete(s.kept, r)
		return
	}
	for {
		oldest, sum := r, int64(0)
		for r, k := range s.kept {
			select {
			case <-k.done:
				sum += k.solution.size.Bytes
				if k.used < s.kept[oldest].used {
					oldest = r
				}
			default: // another call is working on it
			}
		}
		if sum <= s.Config.budget() || len(s.kept) == 1 {
			return
		}
		delete(s.kept, oldest)
		if oldest == r {
			return
		}
	}
}
