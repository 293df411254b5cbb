package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A job is a large game to be solved, for whoever waits for it. It is done even if they give up, and they pay for it.
type job struct {
	payer string
	done  chan struct{} // closed when it is solved, or could not be as err says
	err   error
}

// The queue of large games.
const (
	mostJobs    = 20              // in all
	mostJobsOf  = 2               // of one address
	retryLarge  = 5 * time.Second // when to ask again
	keepForThem = time.Second     // how long a large game stays solved for those who waited for it

	patienceOfPrograms = 15 * time.Second
)

// patienceOf returns how long a request waits for a large game before it is told its place. A page soon says so and looks again, and one
// that is open has other things to show.
func patienceOf(r *http.Request) time.Duration {
	switch {
	case r.Pattern == livePattern:
		return 0
	case r.Method == http.MethodGet && !strings.HasPrefix(r.URL.Path, "/api/"):
		return 2 * time.Second
	default:
		return patienceOfPrograms
	}
}

// solve returns the solution of a game for an address, until ctx is done. A small one is solved at once, for a large one there is a queue.
func (s *Server) solve(ctx context.Context, address string, patience time.Duration, r digit.Rules) (*solve.Solution, error) {
	solution, err := s.solveSmall(ctx, address, r)
	if !errors.Is(err, solve.ErrLarge) {
		return solution, err
	}
	j, err := s.queue(address, r)
	if err != nil {
		return nil, err
	}
	select {
	case <-j.done:
		if j.err != nil {
			return nil, j.err
		}
	case <-time.After(patience):
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	solution, _, err = s.Solver.SolveSmall(ctx, r) // which it counts as now
	if errors.Is(err, solve.ErrLarge) {
		err = s.inQueue(r)
	}
	return solution, err
}

// solveSmall returns the solution of a game that is solved or small.
func (s *Server) solveSmall(ctx context.Context, address string, r digit.Rules) (*solve.Solution, error) {
	if isFree(r) {
		return s.Solver.Solve(ctx, r)
	}
	leave, err := s.work.wait(ctx, "small "+address, ownPatience)
	if err != nil {
		return nil, err
	}
	defer leave()
	if !s.Solver.Has(r) {
		if err := s.gate.afford(solving, address, s.Now()); err != nil {
			return nil, err
		}
	}
	solution, cost, err := s.Solver.SolveSmall(ctx, r)
	s.gate.charge(solving, address, cost, s.Now())
	return solution, err
}

// queue returns the job of solving a large game. A new one needs a place in the queue.
func (s *Server) queue(payer string, r digit.Rules) (*job, error) {
	w := &s.work
	w.mu.Lock()
	defer w.mu.Unlock()
	if j, there := w.large[r]; there {
		return j, nil
	}
	own := 0
	for _, j := range w.large {
		if j.payer == payer {
			own++
		}
	}
	if own >= mostJobsOf {
		p := tooMany("large games to be solved for your address", retryLarge)
		p.told = rulebook.QueuedEnough(own).Long
		return nil, p
	}
	if len(w.large) >= mostJobs {
		p := tooMany("large games to be solved", retryLarge)
		p.status, p.told = http.StatusServiceUnavailable, rulebook.QueueFull.Long
		return nil, p
	}
	if w.large == nil {
		w.large = map[digit.Rules]*job{}
	}
	j := &job{payer: payer, done: make(chan struct{})}
	w.large[r] = j
	w.jobs.Go(func() { s.doJob(j, r) })
	return j, nil
}

// doJob solves a large game when it is its turn, unless the server stops.
func (s *Server) doJob(j *job, r digit.Rules) {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	stopped := make(chan struct{})
	defer close(stopped)
	go func() {
		select {
		case <-s.stop:
			end()
		case <-stopped:
		}
	}()
	var cost time.Duration
	_, cost, j.err = s.Solver.SolveAtCost(ctx, r)
	s.gate.charge(solving, j.payer, cost, s.Now())
	s.work.mu.Lock()
	delete(s.work.large, r)
	s.work.mu.Unlock()
	close(j.done)
	if j.err == nil {
		select {
		case <-time.After(keepForThem):
		case <-s.stop:
		}
	}
}

// inQueue tells which place a large game has.
func (s *Server) inQueue(r digit.Rules) *problem {
	seconds, place := secondsOf(retryLarge), max(1, s.Solver.Place(r))
	return &problem{
		status: http.StatusServiceUnavailable, place: place, retry: seconds, told: rulebook.InQueue(place, seconds).Long,
		text: fmt.Sprintf("the game is large and has to be solved first: place %d in the queue; ask again in %d s", place, seconds),
	}
}
