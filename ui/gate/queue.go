package gate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A job is solving a large game for its payer. It is finished even if nobody waits for it any more.
type job struct {
	payer string
	done  chan struct{} // closed when it is solved or err is set
	err   error
}

// Limits of the queue of large games.
const (
	mostJobs   = 20              // in all
	mostJobsOf = 2               // of one address
	retryLarge = 5 * time.Second // when to ask again
	keepSolved = time.Second     // how long a large game stays solved for those who waited
)

// Patience is how long a program waits for a large game before it gets its place in the queue.
const Patience = 15 * time.Second

// Solve returns the solution of a game for an address, until ctx is done. A small game is solved at
// once; a large one waits in a queue.
func (g *Gate) Solve(
	ctx context.Context, address string, patience time.Duration, r digit.Rules,
) (*solve.Solution, error) {
	solution, err := g.solveSmall(ctx, address, r)
	if !errors.Is(err, solve.ErrLarge) {
		return solution, err
	}
	j, err := g.queue(address, r)
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
	solution, _, err = g.Solver.SolveSmall(ctx, r) // a solved game counts as small
	if errors.Is(err, solve.ErrLarge) {
		err = g.inQueue(r)
	}
	return solution, err
}

// solveSmall returns the solution of a game that is small or already solved.
func (g *Gate) solveSmall(
	ctx context.Context, address string, r digit.Rules,
) (*solve.Solution, error) {
	if IsFree(r) {
		return g.Solver.Solve(ctx, r)
	}
	leave, err := g.Turn(ctx, "small "+address, 1, OwnPatience)
	if err != nil {
		return nil, err
	}
	defer leave()
	if !g.Solver.Has(r) {
		if err := g.Afford(Solving, address); err != nil {
			return nil, err
		}
	}
	solution, cost, err := g.Solver.SolveSmall(ctx, r)
	g.Charge(Solving, address, cost)
	return solution, err
}

// queue returns the job of solving a large game. A new job needs a place in the queue.
func (g *Gate) queue(payer string, r digit.Rules) (*job, error) {
	w := &g.work
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
		refusal := tooMany("large games to be solved for your address", retryLarge)
		refusal.Sentence = rulebook.QueuedEnough(own).Long
		return nil, refusal
	}
	if len(w.large) >= mostJobs {
		refusal := tooMany("large games to be solved", retryLarge)
		refusal.Status, refusal.Sentence = http.StatusServiceUnavailable, rulebook.QueueFull.Long
		return nil, refusal
	}
	j := &job{payer: payer, done: make(chan struct{})}
	w.large[r] = j
	w.jobs.Go(func() { g.doJob(j, r) })
	return j, nil
}

// doJob solves a large game when its turn comes, unless the server stops.
func (g *Gate) doJob(j *job, r digit.Rules) {
	ctx, end := context.WithCancel(g.ctx)
	defer end()
	var cost time.Duration
	_, cost, j.err = g.Solver.SolveAtCost(ctx, r)
	g.Charge(Solving, j.payer, cost)
	g.work.mu.Lock()
	delete(g.work.large, r)
	g.work.mu.Unlock()
	close(j.done)
	if j.err == nil {
		select {
		case <-time.After(keepSolved):
		case <-g.ctx.Done():
		}
	}
}

// inQueue returns the refusal with the place of a large game in the queue.
func (g *Gate) inQueue(r digit.Rules) *Refusal {
	seconds, place := secondsOf(retryLarge), max(1, g.Solver.Place(r))
	return &Refusal{
		Status: http.StatusServiceUnavailable, Place: place, Retry: seconds,
		Sentence: rulebook.InQueue(place, seconds).Long,
		Text: fmt.Sprintf("the game is large and has to be solved first: "+
			"place %d in the queue; ask again in %d s", place, seconds),
	}
}
