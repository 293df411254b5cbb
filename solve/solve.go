// Package solve finds the exact value of every position of any game of the family: which side
// wins under perfect play, and in how many plies if the winner plays for a quick end and the
// loser for a late one.
//
// A game is solved once, from its end to its start, and then every query is a lookup without a
// search:
//
//	s, err := solve.Solve(ctx, digit.Dilemma, solve.Config{})
//	s.Value(digit.Position{}) // a win in 5 plies for the side to move
//
// docs/solver.md explains what is stored, how positions are folded into classes, and why that is
// correct.
package solve

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"

	"digitduel/digit"
)

// A Config configures Solve. The zero Config is good for most uses.
type Config struct {
	Budget  int64 // memory limit in bytes; 0 for DefaultBudget
	Workers int   // maximum number of goroutines; 0 for one per processor

	// Progress, if not nil, is called from time to time with the amount of work done, never
	// concurrently.
	Progress func(done, total int64)
}

func (c Config) budget() int64 {
	if c.Budget <= 0 {
		return DefaultBudget
	}
	return c.Budget
}

// DefaultBudget is the default memory limit in bytes.
const DefaultBudget = 1 << 30

// A BudgetError reports that solving a game, or counting its positions, exceeds the memory limit.
type BudgetError struct {
	Rules    digit.Rules
	Counting bool  // it is about counting positions, not about solving
	Need     int64 // bytes: a lower bound for solving, an upper bound for counting
	Budget   int64
}

func (e *BudgetError) Error() string {
	act := "solving it would take at least"
	if e.Counting {
		act = "counting its positions would take up to"
	}
	return fmt.Sprintf("%v: %s %s of memory; the budget is %s",
		e.Rules, act, Bytes(e.Need), Bytes(e.Budget))
}

// Bytes returns a number of bytes as text with a unit and three digits.
func Bytes(n int64) string {
	f, unit := float64(n), "B"
	for _, u := range []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"} {
		if f < 1024 {
			break
		}
		f, unit = f/1024, u
	}
	if f >= 999.5 {
		return fmt.Sprintf("%.0f %s", f, unit)
	}
	return fmt.Sprintf("%.3g %s", f, unit)
}

// A Solution holds the value of every position of a game. It is immutable, so it can be shared.
type Solution struct {
	game   *game
	plains []*plain // a layer for each stored ply: either plain or folded
	folds  []*fold
	size   Size
	budget int64
}

// A Size is the size of a solution.
type Size struct {
	Classes int64 // distinct stored positions; each takes one byte
	Bytes   int64 // memory of all of them, including their index
}

// Solve solves a game. The error is that of [digit.Rules.Check], a [*BudgetError], or the
// context's.
func Solve(ctx context.Context, r digit.Rules, c Config) (*Solution, error) {
	pause()
	if err := r.Check(); err != nil {
		return nil, err
	}
	if c.Workers <= 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	s, err := plan(ctx, newGame(r), c.budget())
	if err != nil {
		return nil, err
	}
	s.budget = c.budget()
	job := &job{ctx: ctx, workers: c.Workers, progress: c.Progress, total: s.size.Classes}
	if err := s.fill(job); err != nil {
		return nil, err
	}
	return s, nil
}

// fill computes the cells of every layer, the last one first.
func (s *Solution) fill(w *job) error {
	g := s.game
	if g.place == digit.Hand {
		if err := g.dealHands(w); err != nil {
			return err
		}
	}
	var folded *fold // the layer filled last
	for _, l := range slices.Backward(s.folds) {
		l.cells = make([]int8, l.size)
		if err := g.fillFold(w, l, folded); err != nil {
			return err
		}
		folded = l
	}
	if s.folds != nil {
		return nil
	}
	var plain *plain
	tables := g.newTables()
	for _, l := range slices.Backward(s.plains) {
		l.cells = make([]int8, g.countPlain(l.ply))
		if err := g.fillPlain(w, tables, l, plain); err != nil {
			return err
		}
		plain = l
	}
	return nil
}

// Rules returns the rules of the game.
func (s *Solution) Rules() digit.Rules { return s.game.rules }

// Size returns the size of the solution.
func (s *Solution) Size() Size { return s.size }

// Value returns the value of a position for the side to move. If the game is over, it is the side
// that would move next. Value allocates nothing.
func (s *Solution) Value(p digit.Position) Value {
	g := s.game
	ply := g.rules.Ply(p)
	if g.rules.Win == digit.OnCall {
		if _, called := g.rules.Called(p); called {
			if g.rules.Result(p).Reason == digit.Multiple {
				return Value{Loss, 0}
			}
			return Value{Win, 0}
		}
	}
	if s.plains != nil && ply <= g.last && !g.each { // neither number has won yet
		l := s.plains[ply]
		return g.value(l.cells[l.index(g, p)], ply)
	}
	x := mover(ply)
	sides := [2]side{g.read(p, digit.First), g.read(p, digit.Second)}
	moved := &sides[1-x] // the side that has just moved
	if g.hasWon(moved, count(ply, 1-x) == g.fills[1-x]) {
		return Value{Loss, 0}
	}
	left := g.pool &^ (sides[0].set | sides[1].set)
	switch {
	case ply == g.total:
		return g.compare(g.finalKey(&sides[x]), g.finalKey(moved), false, 0)
	case ply == g.total-1:
		return g.compare(g.bestKey(&sides[x], left), g.finalKey(moved), true, 1)
	case s.plains != nil:
		l := s.plains[ply]
		return g.value(l.cells[l.index(g, p)], ply)
	default:
		l := s.folds[ply]
		return g.value(l.cells[l.index(g, left, &sides)], ply)
	}
}

// compare returns the value of key mine against key yours. Last says whether mine is that of the
// side that places the last digit.
func (g *game) compare(mine, yours key, last bool, plies int) Value {
	switch {
	case mine < yours || mine == yours && g.later && last:
		return Value{Win, plies}
	case mine > yours || g.later:
		return Value{Loss, plies}
	}
	return Value{Draw, plies}
}

// Moves yields every legal move of a position, in the order of their texts, with its value for
// the player making it.
func (s *Solution) Moves(p digit.Position) iter.Seq2[digit.Move, Value] {
	return func(yield func(digit.Move, Value) bool) {
		for m := range s.game.rules.Moves(p) {
			if !yield(m, s.Choice(p, m).Value) {
				return
			}
		}
	}
}

// Line returns the moves of a perfect game from a position, each the first of the best moves.
func (s *Solution) Line(p digit.Position) []digit.Move {
	var line []digit.Move
	for !s.game.rules.Result(p).Over() {
		best := s.Value(p)
		for m, v := range s.Moves(p) {
			if v == best {
				line = append(line, m)
				p, _ = s.game.rules.Play(p, m) // the move is legal
				break
			}
		}
	}
	return line
}
