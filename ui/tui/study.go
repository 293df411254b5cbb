package tui

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/solve"
)

// A study holds the solution of a game, its progress, or the error.
type study struct {
	rules    digit.Rules
	solution *solve.Solution
	err      error
	stop     context.CancelFunc
	done     atomic.Int64
	total    atomic.Int64
}

// restudy replaces a page's study if it is of another game, which it solves if that is new.
func (m *Model) restudy(now **study, r digit.Rules) {
	if *now != nil && (*now).rules == r {
		return
	}
	if *now = m.games[r]; *now != nil {
		return
	}
	const most = 16
	if len(m.games) >= most { // pages keep the ones that they need
		maps.DeleteFunc(m.games, func(_ digit.Rules, s *study) bool { return !s.working() })
	}
	ctx, stop := context.WithCancel(m.ctx)
	s := &study{rules: r, stop: stop}
	m.games[r], *now = s, s
	m.run(func() act {
		defer stop()
		solution, err := m.world.Solve(ctx, r, func(done, total int64) {
			s.done.Store(done)
			s.total.Store(total)
		})
		return func(*Model) {
			if s.solution = solution; !errors.Is(err, context.Canceled) {
				s.err = err
			}
		}
	})
}

// forget cancels a study that the screen no longer needs.
func (m *Model) forget(s *study) {
	if s.working() {
		s.stop()
		delete(m.games, s.rules)
	}
}

// ready reports whether the solution is known.
func (s *study) ready() bool { return s != nil && s.solution != nil }

// working reports whether the game is being solved.
func (s *study) working() bool { return s != nil && s.solution == nil && s.err == nil }

// describe describes the progress of the solution. It is empty when the solution is known.
func (s *study) describe(spin string) string {
	var budget *solve.BudgetError
	switch {
	case s == nil || s.ready():
		return ""
	case errors.As(s.err, &budget):
		return fmt.Sprintf(
			"Too large to solve: it takes %s of %s allowed. No analysis, hints or bots.",
			solve.Bytes(budget.Need), solve.Bytes(budget.Budget))
	case s.err != nil:
		return "It cannot be solved: " + s.err.Error()
	case s.total.Load() > 0:
		return strings.TrimSpace(
			fmt.Sprintf("%s solving this game: %d %%", spin, 100*s.done.Load()/s.total.Load()))
	default:
		return strings.TrimSpace(spin + " solving this game")
	}
}

// An insight is the analysis of one position.
type insight struct {
	insightKey
	value   solve.Value    // for the side to move
	choices []solve.Choice // nil: the game is not solved
	// the advice where the first move may be taken over; empty: the usual advice
	swap  string
	needs [2][]string // the numbers that the two sides can make
}

type insightKey struct {
	rules  digit.Rules
	at     digit.Position
	solved bool
}

// newInsight computes an insight.
func newInsight(key insightKey, s *solve.Solution) *insight {
	r, p := key.rules, key.at
	in := &insight{insightKey: key}
	for _, side := range digit.Sides {
		in.needs[side] = needsOf(r, p, side)
	}
	if s == nil {
		return in
	}
	in.value, in.choices, in.swap = s.Value(p), s.Choices(p), coach.Swap(s, p).Long
	return in
}

// of returns the insight if it is about a position of a game, else nil.
func (in *insight) of(r digit.Rules, p digit.Position) *insight {
	if in == nil || in.rules != r || in.at != p {
		return nil
	}
	return in
}

// known reports whether the values of moves are known.
func (in *insight) known() bool { return in != nil && in.choices != nil }

// best returns the highest value of some moves; ok is false if it is unknown or there are none.
func (in *insight) best(some func(digit.Move) bool) (best solve.Value, ok bool) {
	if in == nil {
		return best, false
	}
	for _, c := range in.choices {
		if some(c.Move) && (!ok || c.Value.Compare(best) > 0) {
			best, ok = c.Value, true
		}
	}
	return best, ok
}

// digit returns the best value of a digit at any spot.
func (in *insight) digit(d digit.Digit) (solve.Value, bool) {
	return in.best(func(m digit.Move) bool { return m.Digit == d })
}
