package solve

import (
	"context"
	"errors"
	"maps"
	"sync"

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
	refused int           // how many are known to be too large
	quick   chan struct{} // held by whoever works on a small game
	slow    chan struct{} // and on one that was found to be large
	dropped chan struct{} // if somebody waits for room: closed when a solution is no longer used
}

// mostRefused is how many games that are too large are known at the most.
const mostRefused = 1000

// small is how many bytes a game may take that does not wait for larger ones. It is worked out within a fraction of a second.
const small = 4 << 20

// kept is a solution, or one that is being worked out.
type kept struct {
	done     chan struct{} // closed when there is a solution or an error
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
	for {
		k, mine := s.claim(r)
		if mine {
			k.solution, k.err = s.work(ctx, r)
			s.settle(r, k)
		}
		select {
		case <-k.done:
		case <-ctx.Done():
			s.drop(k)
			return nil, context.Cause(ctx)
		}
		if k.err == nil {
			context.AfterFunc(ctx, func() { s.drop(k) })
			return k.solution, nil
		}
		// Another call may have been given up; that is no reason to give this one up.
		if mine || errors.As(k.err, new(*BudgetError)) || errors.As(k.err, new(*digit.RulesError)) {
			return nil, k.err
		}
	}
}

// work solves a game when it is its turn. Whether it is small is found out by trying, which is soon given up for a large one.
func (s *Solver) work(ctx context.Context, r digit.Rules) (*Solution, error) {
	budget, c := s.Config.budget(), s.Config
	if budget > small {
		c.Budget = small
		// What is in use exceeds the budget by up to one large game, for which a small one does not wait either.
		solution, err := s.workAs(ctx, s.quick, 2*budget, r, c)
		if !errors.As(err, new(*BudgetError)) {
			return solution, err
		}
	}
	return s.workAs(ctx, s.slow, budget, r, s.Config)
}

// workAs solves a game when a turn is free and all that is kept takes at most so many bytes.
func (s *Solver) workAs(ctx context.Context, turn chan struct{}, most int64, r digit.Rules, c Config) (*Solution, error) {
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	for dropped := s.above(most); dropped != nil; dropped = s.above(most) {
		select {
		case <-dropped:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return Solve(ctx, r, c)
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

// claim makes the caller a user of what there is of a game, and returns whether it is the caller's to work out.
func (s *Solver) claim(r digit.Rules) (*kept, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = map[digit.Rules]*kept{}
		s.quick, s.slow = make(chan struct{}, 1), make(chan struct{}, 1)
	}
	k, found := s.kept[r]
	if !found {
		k = &kept{done: make(chan struct{})}
		s.kept[r] = k
	}
	s.uses++
	k.users++
	k.used = s.uses
	return k, !found
}

// settle tells that a game is worked out, or forgets one that could not be unless it is too large.
func (s *Solver) settle(r digit.Rules, k *kept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(k.done)
	switch {
	case errors.As(k.err, new(*BudgetError)): // it stays refused, and finding that out takes a while
		k.refused = true
		if s.refused++; s.refused > mostRefused {
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
