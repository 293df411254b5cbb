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

// A Solver solves each game once, for any number of users, and keeps the solutions as long as there is room. However many users want
// different games, it works on one at a time, and on a small one beside it. The zero Solver is ready to use; it must not be copied.
type Solver struct {
	Config Config // for each game; the budget is also what all that is kept or in use may take together

	mu      sync.Mutex
	kept    map[digit.Rules]*kept
	bytes   int64 // of all that are solved
	uses    int64
	refused int                  // how many are known to be too large
	large   map[digit.Rules]bool // games that were found not to be small
	line    []digit.Rules        // large games that are waited for, the one that is worked on first
	quick   chan struct{}        // held by whoever works on a small game
	slow    chan struct{}        // and on one that was found to be large
	dropped chan struct{}        // if somebody waits for room: closed when a solution is no longer used
}

// mostKnown is how many games are known at the most that are too large, and that are large.
const mostKnown = 1000

// A game is small, and does not wait for larger ones, if it takes at most so many bytes, which is worked out in a tenth of a second, or
// at worst in smallTime. A byte of hands takes four times as long.
const (
	smallBytes = 4 << 20
	smallHands = 1 << 20
	smallTime  = time.Second / 2
)

// ErrLarge says that a game is not small.
var ErrLarge = errors.New("the game is large: it has to wait for its turn to be solved")

// kept is a solution, or one that is being worked out.
type kept struct {
	done     chan struct{} // closed when there is a solution or an error
	large    chan struct{} // closed when it is known to be large
	solution *Solution
	err      error
	refused  bool  // it is too large
	users    int   // who have it or wait for it; without any it may be forgotten
	used     int64 // the higher, the later
}

// Solve returns the solution of a game. If another call is working on it, it waits for that one. The error is that of [Solve].
//
// The solution is the caller's until ctx is done. Until then it takes its part of the budget, and when nothing is left of that,
// no other large game is solved: so ctx must not outlive the use, and must not have another solution wait for it.
func (s *Solver) Solve(ctx context.Context, r digit.Rules) (*Solution, error) {
	solution, _, err := s.solve(ctx, r, false)
	return solution, err
}

// SolveAtCost does the same, and returns how long this call has worked, without what it has waited.
func (s *Solver) SolveAtCost(ctx context.Context, r digit.Rules) (*Solution, time.Duration, error) {
	return s.solve(ctx, r, false)
}

// SolveSmall does the same for a game that is small or solved, and waits for no other. The error may also be [ErrLarge].
func (s *Solver) SolveSmall(ctx context.Context, r digit.Rules) (*Solution, time.Duration, error) {
	return s.solve(ctx, r, true)
}

func (s *Solver) solve(ctx context.Context, r digit.Rules, small bool) (_ *Solution, cost time.Duration, _ error) {
	for {
		k, mine := s.claim(r, small)
		if k == nil {
			return nil, cost, ErrLarge
		}
		if mine {
			k.err = s.attempt(ctx, r, k, small, &cost)
			s.settle(r, k)
		}
		var large chan struct{} // never, for whoever waits for it
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
		// Another call may have been given up; that is no reason to give this one up.
		if mine || errors.As(k.err, new(*BudgetError)) || errors.As(k.err, new(*digit.RulesError)) {
			return nil, cost, k.err
		}
	}
}

// Place returns which one a large game is of those that are waited for: 1 is the one that is worked on, 0 that it is not waited for.
func (s *Solver) Place(r digit.Rules) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Index(s.line, r) + 1
}

// Has reports whether a game is solved, or known to be too large, so that nobody has to work on it.
func (s *Solver) Has(r digit.Rules) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, found := s.kept[r]
	return found && k.isDone()
}

// attempt solves a game. A panic is an error, so that the game does not stay claimed and the next call tries again.
func (s *Solver) attempt(ctx context.Context, r digit.Rules, k *kept, small bool, cost *time.Duration) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("solve %v: panic: %v\n%s", r, p, debug.Stack())
		}
	}()
	return s.work(ctx, r, k, small, cost)
}

// work solves a game when it is its turn. Whether it is small is found out by trying, which is soon given up for a large one.
func (s *Solver) work(ctx context.Context, r digit.Rules, k *kept, small bool, cost *time.Duration) error {
	budget, c := s.Config.budget(), s.Config
	if budget > smallBytes && !s.isLarge(r) {
		c.Budget = smallBytes
		if r.Place == digit.Hand {
			c.Budget = smallHands
		}
		// What is in use exceeds the budget by up to one large game, for which a small one does not wait either.
		err := s.workAs(ctx, s.quick, 2*budget, cost, func() (err error) {
			ctx, stop := context.WithTimeoutCause(ctx, smallTime, ErrLarge)
			defer stop()
			k.solution, err = Solve(ctx, r, c)
			return err
		})
		if !errors.As(err, new(*BudgetError)) && !errors.Is(err, ErrLarge) {
			return err
		}
		s.noteLarge(r)
	}
	close(k.large)
	if small {
		return ErrLarge
	}
	s.lineUp(r)
	defer s.leaveLine(r)
	return s.workAs(ctx, s.slow, budget, cost, func() (err error) {
		k.solution, err = Solve(ctx, r, s.Config)
		return err
	})
}

// workAs works when a turn is free and all that is kept takes at most so many bytes, and adds how long that took to the cost.
func (s *Solver) workAs(ctx context.Context, turn chan struct{}, most int64, cost *time.Duration, do func() error) error {
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

func (s *Solver) isLarge(r digit.Rules) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.large[r]
}

func (s *Solver) noteLarge(r digit.Rules) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.large == nil || len(s.large) >= mostKnown {
		s.large = map[digit.Rules]bool{}
	}
	s.large[r] = true
}

// lineUp and leaveLine tell who is waited for. Each game is worked on by one caller at a time.
func (s *Solver) lineUp(r digit.Rules) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line = append(s.line, r)
}

func (s *Solver) leaveLine(r digit.Rules) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.Index(s.line, r)
	s.line = slices.Delete(s.line, at, at+1)
}

// above returns nil if all that is kept takes at most so many bytes, and otherwise what is closed when that may have changed.
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

// claim makes the caller a user of what there is of a game, and returns whether it is the caller's to work out. It returns nothing of a
// large game that nobody works out if only a small one is wanted.
func (s *Solver) claim(r digit.Rules, small bool) (*kept, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = map[digit.Rules]*kept{}
		s.quick, s.slow = make(chan struct{}, 1), make(chan struct{}, 1)
	}
	k, found := s.kept[r]
	if !found && small && s.large[r] {
		return nil, false
	}
	if !found {
		k = &kept{done: make(chan struct{}), large: make(chan struct{})}
		s.kept[r] = k
	}
	s.uses++
	k.users++
	k.used = s.uses
	return k, !found
}

func (k *kept) isDone() bool {
	select {
	case <-k.done:
		return true
	default:
		return false
	}
}

// settle tells that a game is worked out, or forgets one that could not be unless it is too large.
func (s *Solver) settle(r digit.Rules, k *kept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(k.done)
	switch {
	case errors.As(k.err, new(*BudgetError)): // it stays refused, and finding that out takes a while
		k.refused = true
		if s.refused++; s.refused > mostKnown {
			maps.DeleteFunc(s.kept, func(_ digit.Rules, k *kept) bool { return k.refused })
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
func (s *Solver) drop(k *kept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k.users--
	s.forget()
	if s.dropped != nil {
		close(s.dropped)
		s.dropped = nil
	}
}

// forget forgets as many solutions as the budget asks for, of those without users the ones not used for the longest time.
func (s *Solver) forget() {
	for s.bytes > s.Config.budget() {
		var oldest *kept
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
