// Package solve finds the exact value of every position of any game of the family: who wins if both play as well as
// can be, and in how many plies, when the winner hurries and the loser delays.
//
// A game is solved from its end to its start, once, and then answers any number of questions without searching:
//
//	s, err := solve.Solve(ctx, digit.Dilemma, solve.Config{})
//	s.Value(digit.Position{}) // a win in 5 plies for the side to move
//
// What is stored, how positions are folded into classes, and why that is right, is told in docs/solver.md.
package solve

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"

	"digitduel/digit"
)

// A Config says how to solve. The zero Config is good for most uses.
type Config struct {
	Budget   int64                   // the most bytes to use; 0: DefaultBudget
	Workers  int                     // the most goroutines to use; 0: one for each processor
	Progress func(done, total int64) // if not nil, called now and then, never twice at once, with how much of the work is done
}

func (c Config) budget() int64 {
	if c.Budget <= 0 {
		return DefaultBudget
	}
	return c.Budget
}

// DefaultBudget is how many bytes a solution may take unless a Config says otherwise.
const DefaultBudget = 1 << 30

// A BudgetError says that something takes more memory than it may.
type BudgetError struct {
	Rules    digit.Rules
	Counting bool  // its positions; otherwise solving it
	Need     int64 // bytes: of solving at the least, of counting at the most
	Budget   int64
}

func (e *BudgetError) Error() string {
	act := "solving it would take at least"
	if e.Counting {
		act = "counting its positions would take up to"
	}
	return fmt.Sprintf("%v: %s %s of memory; the budget is %s", e.Rules, act, bytes(e.Need), bytes(e.Budget))
}

func bytes(n int64) string {
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

// A Solution knows the value of every position of a game. It is never changed, so it can be shared.
type Solution struct {
	game   *game
	plains []*plain // a layer for each ply that is stored, or
	folds  []*fold
	size   Size
	budget int64
}

// A Size is how large a solution is.
type Size struct {
	Classes int64 // positions that are kept apart; each takes one byte
	Bytes   int64 // of all of them, and of what it takes to find them
}

// Solve solves a game. The error is that of [digit.Rules.Check], a [*BudgetError], or the context's.
func Solve(ctx context.Context, r digit.Rules, c Config) (*Solution, error) {
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
	if err := s.fill(&work{ctx: ctx, workers: c.Workers, progress: c.Progress, total: s.size.Classes}); err != nil {
		return nil, err
	}
	return s, nil
}

// fill works out the cells of every layer, the last one first.
func (s *Solution) fill(w *work) error {
	g := s.game
	if g.place == digit.Hand {
		if err := g.dealHands(w); err != nil {
			return err
		}
	}
	var folded *fold // the layer that was filled last
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

// Size returns how large the solution is.
func (s *Solution) Size() Size { return s.size }

// Value returns what a position of the game is worth to the side to move or, if the game is over, to the side that
// would be. It allocates nothing.
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
	if s.plains != nil && ply <= g.last && !g.each { // no number has won yet
		l := s.plains[ply]
		return g.value(l.cells[l.index(g, p)], ply)
	}
	x := mover(ply)
	sides := [2]side{g.read(p, digit.First), g.read(p, digit.Second)}
	moved := &sides[1-x] // who has just moved
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

// compare returns the value of a key against another; last says whether it is that of the side that places the last digit.
func (g *game) compare(mine, yours key, last bool, plies int) Value {
	switch {
	case mine < yours || mine == yours && g.later && last:
		return Value{Win, plies}
	case mine > yours || g.later:
		return Value{Loss, plies}
	}
	return Value{Draw, plies}
}

// Moves yields every legal move of a position, in the order of their texts, and what it is worth to who makes it.
func (s *Solution) Moves(p digit.Position) iter.Seq2[digit.Move, Value] {
	return func(yield func(digit.Move, Value) bool) {
		for m := range s.game.rules.Moves(p) {
			if !yield(m, s.Choice(p, m).Value) {
				return
			}
		}
	}
}

// Line returns the moves of a game from a position in which both sides play as well as can be, each the first of the best moves.
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
