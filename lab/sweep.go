package lab

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"digitduel/digit"
	"digitduel/solve"
)

// A Sweep configures how many rules are measured.
type Sweep struct {
	Budget int64  // memory limit in bytes of the games in progress
	Most   int64  // maximum number of position classes of a game; 0 for MostClasses
	Fast   bool   // compute only verdicts
	Wanted Filter // compute only verdicts for games that it rules out
}

// A Found is the result for some rules.
type Found struct {
	Report
	Large error // if not nil, the game is too large to measure, and why
}

// Run measures rules on all cores, and calls found for each as soon as it is done, never
// concurrently. The error is the context's.
func (s Sweep) Run(ctx context.Context, rules []digit.Rules, found func(Found)) error {
	workers := min(runtime.GOMAXPROCS(0), max(1, len(rules)))
	var mu sync.Mutex
	var next atomic.Int64
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(rules) {
					return
				}
				f, err := s.one(ctx, rules[i], workers)
				if err != nil { // the context's
					return
				}
				mu.Lock()
				found(f)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// one measures one ruleset.
func (s Sweep) one(ctx context.Context, r digit.Rules, workers int) (Found, error) {
	part := solve.Config{Budget: s.Budget / int64(workers), Workers: 1}
	solution, err := solve.Solve(ctx, r, part)
	if errors.As(err, new(*solve.BudgetError)) {
		return Found{Report: Report{Verdict: Verdict{Rules: r}}, Large: err}, nil
	} else if err != nil {
		return Found{}, err
	}
	verdict := Report{Verdict: VerdictOf(solution)}
	if s.Fast || !s.Wanted.Wants(&verdict) {
		return Found{Report: verdict}, nil
	}
	report, err := Measure(ctx, solution, Config{Most: s.Most})
	if errors.As(err, new(*LargeError)) {
		return Found{Report: verdict, Large: err}, nil
	}
	return Found{Report: report}, err
}
