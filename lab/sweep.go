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

// A Sweep says how many rules are measured.
type Sweep struct {
	Budget int64  // bytes that the games may take that are worked on at once
	Most   int64  // the most classes of positions of a game; 0: MostClasses
	Fast   bool   // tell only what the solutions tell
	Wanted Filter // of what the solution alone shows not to be wanted no more is told
}

// A Found is what was found of some rules.
type Found struct {
	Report
	Large error // if not nil, why it was not worked out: it is too large
}

// Run measures some rules on all cores, and calls found for each as soon as it is done, never twice at once. The error is the context's.
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

// one measures one of the rules.
func (s Sweep) one(ctx context.Context, r digit.Rules, workers int) (Found, error) {
	solution, err := solve.Solve(ctx, r, solve.Config{Budget: s.Budget / int64(workers), Workers: 1})
	config := Config{Most: s.Most}
	switch {
	case errors.As(err, new(*solve.BudgetError)):
		return Found{Report: Report{Verdict: Verdict{Rules: r}}, Large: err}, nil
	case err != nil:
		return Found{}, err
	}
	judged := Report{Verdict: Judge(solution)}
	switch {
	case s.Fast || !s.Wanted.May(&judged):
		return Found{Report: judged}, nil
	case config.Large(solution):
		return Found{Report: judged, Large: config.tooLarge(solution)}, nil
	}
	report, err := Measure(ctx, solution, config)
	return Found{Report: report}, err
}
