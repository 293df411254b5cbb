// Package solve finds the exact value of every position of any game of the family: who wins if both play as well as
// can be, and in how many plies, when the winner hurries and the loser delays.
//
// A game is solved from its end to its start, once, and then answers any number of questions without searching:
//
//	s, err := solve.Solve(ctx, digit.Dilemma, solve.Config{})
//	s.Value(digit.Position{}) // a win in 5 plies for the side to move
//
// How positions are folded into classes, and why that is right, is told in docs/solver.md.
package solve

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"runtime"

	"digitduel/digit"
)

// An Outcome is how a game ends for the side to move when both sides play as well as can be.
type Outcome uint8

const (
	Draw Outcome = iota
	Win
	Loss
)

// Points returns what an outcome is worth: 1 for a win, ½ for a draw, 0 for a loss.
func (o Outcome) Points() float64 {
	switch o {
	case Win:
		return 1
	case Loss:
		return 0
	default:
		return 0.5
	}
}

// MarshalText implements [encoding.TextMarshaler].
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (o *Outcome) UnmarshalText(text []byte) error {
	for _, known := range []Outcome{Draw, Win, Loss} {
		if known.String() == string(text) {
			*o = known
			return nil
		}
	}
	return fmt.Errorf("outcome %q: allowed: win, draw, loss", text)
}

func (o Outcome) String() string {
	switch o {
	case Draw:
		return "draw"
	case Win:
		return "win"
	case Loss:
		return "loss"
	}
	return fmt.Sprintf("%d?", uint8(o))
}

// Other returns the outcome for the other side.
func (o Outcome) Other() Outcome {
	switch o {
	case Win:
		return Loss
	case Loss:
		return Win
	}
	return o
}

// A Value is what a position is worth to the side to move: the outcome, and the plies to the end of the game.
// The winner hurries and the loser delays; a draw is never over before the last digit is placed.
type Value struct {
	Outcome Outcome `json:"outcome"`
	Plies   int     `json:"plies"`
}

func (v Value) String() string { return fmt.Sprintf("%v in %d", v.Outcome, v.Plies) }

// Compare returns +1 if a player prefers v to w, -1 if w to v, and 0 if they are alike to him:
// a win to a draw to a loss, a win soon to one late, and a loss late to one soon.
func (v Value) Compare(w Value) int {
	return cmp.Compare(v.worth(), w.worth())
}

// Winner returns who wins from a position of this value, given who is to move; ok is false for a draw.
func (v Value) Winner(turn digit.Side) (winner digit.Side, ok bool) {
	if v.Outcome == Loss {
		turn = turn.Other()
	}
	return turn, v.Outcome != Draw
}

func (v Value) worth() int {
	switch v.Outcome {
	case Win:
		return horizon - v.Plies
	case Loss:
		return v.Plies - horizon
	}
	return 0
}

// before returns what a move to a position of this value is worth to who makes it.
func (v Value) before() Value { return Value{v.Outcome.Other(), v.Plies + 1} }

// A Config says how to solve. The zero Config is good for most uses.
type Config struct {
	Budget   int64                   // the most bytes to use; 0: DefaultBudget
	Workers  int                     // the most goroutines to use; 0: one for each processor
	Progress func(done, total int64) // if not nil, called now and then, never twice at once, with how much of the work is done
}

func (o Config) budget() int64 {
	if o.Budget <= 0 {
		return DefaultBudget
	}
	return o.Budget
}

// DefaultBudget is how many bytes a solution may take unless the options say otherwise.
const DefaultBudget = 1 << 30

// A BudgetError says that a game takes more memory than it may.
type BudgetError struct {
	Rules  digit.Rules
	Need   int64 // bytes, at the least
	Budget int64
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("%v: solving it would take at least %s of memory; the budget is %s", e.Rules, bytes(e.Need), bytes(e.Budget))
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
	from   int // the ply of the first folded layer
	plains []*plain
	folds  []*fold
	size   Size
}

// A Size is how large a solution is.
type Size struct {
	Classes int64 // positions that are kept apart; each takes one byte
	Bytes   int64 // of all of them, and of what it takes to find them
}

// Estimate returns the size that the solution of a game has, without solving it. The error is that of [digit.Rules.Check] or of the context.
func Estimate(ctx context.Context, r digit.Rules) (Size, error) {
	if err := r.Check(); err != nil {
		return Size{}, err
	}
	s, err := plan(ctx, newGame(r), math.MaxInt64)
	if err != nil {
		return Size{}, err
	}
	return s.size, nil
}

// Solve solves a game. The error is that of [digit.Rules.Check], a [*BudgetError], or the context's.
func Solve(ctx context.Context, r digit.Rules, opts Config) (*Solution, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	s, err := plan(ctx, newGame(r), opts.budget())
	if err != nil {
		return nil, err
	}
	if err := s.fill(&work{ctx: ctx, workers: opts.Workers, progress: opts.Progress, total: s.size.Classes}); err != nil {
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
	for ply := g.last; ply >= s.from; ply-- {
		l := s.folds[ply-s.from]
		l.cells = make([]int8, l.lay(g, l.countViews()))
		if err := s.solveFold(w, ply); err != nil {
			return err
		}
	}
	d := &desk{game: g}
	for ply := s.from - 1; ply >= 0; ply-- {
		s.plains[ply].cells = make([]int8, g.countPlain(ply))
		if err := s.solvePlain(w, d, ply); err != nil {
			return err
		}
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
	if _, called := g.rules.Called(p); called {
		if g.rules.Result(p).Reason == digit.Multiple {
			return Value{Loss, 0}
		}
		return Value{Win, 0}
	}
	x := mover(ply)
	if ply < s.from && !g.each { // no number is full yet
		l := s.plains[ply]
		return g.value(l.cells[l.index(g, p, x)], ply)
	}
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
	case ply < s.from:
		l := s.plains[ply]
		return g.value(l.cells[l.index(g, p, x)], ply)
	}
	l := s.folds[ply-s.from]
	return g.value(l.cells[l.cell(g, &sides[0], &sides[1], l.view(g, left, &sides[0], &sides[1]))], ply)
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

// value returns the value of a cell at a ply.
func (g *game) value(cell int8, ply int) Value {
	switch {
	case cell > 0:
		return Value{Win, horizon - int(cell) - ply}
	case cell < 0:
		return Value{Loss, horizon + int(cell) - ply}
	}
	return Value{Draw, g.total - ply}
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

// Best yields the best moves of a position in the order of their texts.
func (s *Solution) Best(p digit.Position) iter.Seq[digit.Move] {
	return func(yield func(digit.Move) bool) {
		best := s.Value(p)
		for m, v := range s.Moves(p) {
			if v == best && !yield(m) {
				return
			}
		}
	}
}

// Line returns the moves of a game from a position in which both sides play as well as can be, each the first of the best moves.
func (s *Solution) Line(p digit.Position) []digit.Move {
	var line []digit.Move
	for more := true; more; {
		more = false
		for m := range s.Best(p) {
			line = append(line, m)
			p, _ = s.game.rules.Play(p, m) // the move is legal
			more = true
			break
		}
	}
	return line
}
