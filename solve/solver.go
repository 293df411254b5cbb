package solve

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"digitduel/digit"
)

// A Solver solves each game once, for any number of users, and keeps the solutions as long as
// memory allows. It works on one large game at a time, and on one small game at the same time.
// The zero Solver is ready to use. A Solver must not be copied.
type Solver struct {
	// Config is used for each game. Its budget also limits all solutions kept or in use together.
	Config Config

	mu      sync.Mutex
	kept    map[digit.Rules]*entry
	bytes   int64 // of all solutions
	uses    int64
	refused int                  // number of games known to be too large
	large   map[digit.Rules]bool // games found not to be small
	line    []digit.Rules        // the large game being solved, and then those waiting
	quick   chan struct{}        // held while a small game is being solved
	slow    chan struct{}        // held while a large game is being solved
	dropped chan struct{}        // closed when a solution is no longer used; nil if no call waits
}

// mostKnown limits how many games are remembered as large, and as too large.
const mostKnown = 1000

// A game is small, and does not wait for larger ones, if it takes at most smallBytes, which takes
// a tenth of a second, and at most smallTime. A byte of hands takes four times as long.
const (
	smallBytes = 4 << 20
	smallHands = 1 << 20
	smallTime  = time.Second / 2
)

// ErrLarge reports that a game is not small.
var ErrLarge = errors.New("the game is large: it has to wait for its turn to be solved")

// An entry is a solution, or one in progress.
type entry struct {
	done     chan struct{} // closed when there is a solution or an error
	large    chan struct{} // closed when the game is known to be large
	solution *Solution
	err      error
	refused  bool  // the game is too large
	users    int   // calls that have it or wait for it; without any it may be dropped
	used     int64 // the number of the last use
}

// Solve returns the solution of a game. If another call is solving it, Solve waits for that one.
// The error is that of [Solve].
//
// The caller holds the solution until ctx is done. Until then it counts towards the budget, and
// while the budget is used up no other large game is solved. So ctx must not outlive the use, and
// the caller must not wait for another solution under it.
func (s *Solver) Solve(ctx context.Context, r digit.Rules) (*Solution, error) {
	solution, _, err := s.solve(ctx, r, false)
	return solution, err
}

// SolveAtCost is like Solve and also returns how long this call has worked, without waiting.
func (s *Solver) SolveAtCost(ctx context.Context, r digit.Rules) (*Solution, time.Duration, error) {
	return s.solve(ctx, r, false)
}

// SolveSmall is like SolveAtCost for a game that is small or already solved, and waits for no
// other game. The error may also be [ErrLarge].
func (s *Solver) SolveSmall(ctx context.Context, r digit.Rules) (*Solution, time.Duration, error) {
	return s.solve(ctx, r, true)
}

func (s *Solver) solve(ctx context.Context, r digit.Rules, small bool) (
	_ *Solution, cost time.Duration, _ error,
) {
	for {
		k, mine := s.claim(r, small)
		if k == nil {
			return nil, cost, ErrLarge
		}
		if mine {
			k.err = s.attempt(ctx, r, k, small, &cost)
			s.settle(r, k)
		}
		var large chan struct{} // nil blocks forever
		if small {
			large = k.large
		}
		select {
		case <-k.done:
		case <-large:
		case <-ctx.Done():
			s.drop(k)
			return nil, cost, context.Cause(ctx)
		}
		if !k.isDone() {
			s.drop(k)
			return nil, cost, ErrLarge
		}
		if k.err == nil {
			context.AfterFunc(ctx, func() { s.drop(k) })
			return k.solution, cost, nil
		}
		// Another call may have been canceled; that does not end this one.
		if mine || errors.As(k.err, new(*BudgetError)) || errors.As(k.err, new(*digit.RulesError)) {
			return nil, cost, k.err
		}
	}
}

// Place returns the place of a large game in the queue: 1 if it is being solved, 0 if no call
// waits for it.
func (s *Solver) Place(r digit.Rules) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Index(s.line, r) + 1
}

// Has reports whether a game is solved or known to be too large.
func (s *Solver) Has(r digit.Rules) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, found := s.kept[r]
	return found && k.isDone()
}

// attempt solves a game. It returns a panic as an error, so that the entry does not stay claimed
// and the next call tries again.
func (s *Solver) attempt(
	ctx context.Context, r digit.Rules, k *entry, small bool, cost *time.Duration,
) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("solve %v: panic: %v\n%s", r, p, debug.Stack())
		}
	}()
	return s.solveInTurn(ctx, r, k, small, cost)
}

// solveInTurn solves a game when it is its turn. It tries any game as a small one first, and
// gives up early if it is large.
func (s *Solver) solveInTurn(
	ctx context.Context, r digit.Rules, k *entry, small bool, cost *time.Duration,
) error {
	budget, c := s.Config.budget(), s.Config
	var large bool
	s.locked(func() { large = s.large[r] })
	if budget > smallBytes && !large {
		c.Budget = smallBytes
		if r.Place == digit.Hand {
			c.Budget = smallHands
		}
		// The memory in use exceeds the budget by at most one large game; a small one does not
		// wait for that either.
		err := s.runInTurn(ctx, s.quick, 2*budget, cost, func() (err error) {
			ctx, stop := context.WithTimeoutCause(ctx, smallTime, ErrLarge)
			defer stop()
			k.solution, err = Solve(ctx, r, c)
			return err
		})
		if !errors.As(err, new(*BudgetError)) && !errors.Is(err, ErrLarge) {
			return err
		}
		s.locked(func() {
			if s.large == nil || len(s.large) >= mostKnown {
				s.large = map[digit.Rules]bool{}
			}
			s.large[r] = true
		})
	}
	close(k.large)
	if small {
		return ErrLarge
	}
	s.locked(func() { s.line = append(s.line, r) }) // only one call works on each game
	defer s.locked(func() {
		s.line = slices.DeleteFunc(s.line, func(q digit.Rules) bool { return q == r })
	})
	return s.runInTurn(ctx, s.slow, budget, cost, func() (err error) {
		k.solution, err = Solve(ctx, r, s.Config)
		return err
	})
}

// runInTurn calls do when a turn is free and all solutions take at most most bytes, and adds the
// time it took to cost.
func (s *Solver) runInTurn(
	ctx context.Context, turn chan struct{}, most int64, cost *time.Duration, do func() error,
) error {
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	for dropped := s.above(most); dropped != nil; dropped = s.above(most) {
		select {
		case <-dropped:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	began := time.Now()
	defer func() { *cost += time.Since(began) }()
	return do()
}

// locked calls do while no other goroutine uses the state of the solver.
func (s *Solver) locked(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

// above returns nil if all solutions take at most most bytes, and otherwise a channel that is
// closed when that may have changed.
func (s *Solver) above(most int64) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes <= most {
		return nil
	}
	if s.dropped == nil {
		s.dropped = make(chan struct{})
	}
	return s.dropped
}

// claim makes the caller a user of the entry of a game, and reports whether the caller must solve
// it. If small is set it returns nil for a large game that no call is solving.
func (s *Solver) claim(r digit.Rules, small bool) (*entry, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = map[digit.Rules]*entry{}
		s.quick, s.slow = make(chan struct{}, 1), make(chan struct{}, 1)
	}
	k, found := s.kept[r]
	if !found && small && s.large[r] {
		return nil, false
	}
	if !found {
		k = &entry{done: make(chan struct{}), large: make(chan struct{})}
		s.kept[r] = k
	}
	s.uses++
	k.users++
	k.used = s.uses
	return k, !found
}

func (k *entry) isDone() bool {
	select {
	case <-k.done:
		return true
	default:
		return false
	}
}

// settle announces the result of a game. It removes an entry with an error, unless the game is
// too large.
func (s *Solver) settle(r digit.Rules, k *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(k.done)
	switch {
	case errors.As(k.err, new(*BudgetError)): // remembered, because finding that out takes a while
		k.refused = true
		if s.refused++; s.refused > mostKnown {
			maps.DeleteFunc(s.kept, func(_ digit.Rules, k *entry) bool { return k.refused })
			s.refused = 0
		}
		return
	case k.err != nil:
		delete(s.kept, r)
		return
	}
	s.bytes += k.solution.size.Bytes
	s.forget()
}

// drop ends the use of a solution.
func (s *Solver) drop(k *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k.users--
	s.forget()
	if s.dropped != nil {
		close(s.dropped)
		s.dropped = nil
	}
}

// forget removes solutions until the rest fits the budget: those without users, least recently
// used first.
func (s *Solver) forget() {
	for s.bytes > s.Config.budget() {
		var oldest *entry
		for _, k := range s.kept {
			if k.users == 0 && !k.refused && (oldest == nil || k.used < oldest.used) {
				oldest = k
			}
		}
		if oldest == nil {
			return
		}
		delete(s.kept, oldest.solution.Rules())
		s.bytes -= oldest.solution.size.Bytes
	}
}
