package solve

import (
	"iter"
	"testing"

	"digitduel/digit"
)

// A minimax computes the value of each position from the rules, and stores it in a map. Tests
// compare the solver with it.
type minimax struct {
	rules digit.Rules
	known map[digit.Position]Value
}

func newMinimax(r digit.Rules) *minimax { return &minimax{r, map[digit.Position]Value{}} }

func (m *minimax) value(p digit.Position) Value {
	if v, ok := m.known[p]; ok {
		return v
	}
	var v Value
	if result := m.rules.Result(p); result.Over() {
		if winner, ok := result.Winner(); ok {
			v.Outcome = Loss
			if winner == m.rules.Turn(p) {
				v.Outcome = Win
			}
		}
	} else {
		first := true
		for move := range m.rules.Moves(p) {
			if w := m.option(p, move); first || better(w, v) {
				v, first = w, false
			}
		}
	}
	m.known[p] = v
	return v
}

// option returns the value of a move for the player making it.
func (m *minimax) option(p digit.Position, move digit.Move) Value {
	to, err := m.rules.Play(p, move)
	if err != nil {
		panic(err)
	}
	v := m.value(to)
	v.Plies++
	switch v.Outcome {
	case Win:
		v.Outcome = Loss
	case Loss:
		v.Outcome = Win
	}
	return v
}

// better reports whether v is better than w for a player.
func better(v, w Value) bool {
	switch {
	case v.Outcome == Win:
		return w.Outcome != Win || v.Plies < w.Plies
	case v.Outcome == Draw:
		return w.Outcome == Loss
	default:
		return w.Outcome == Loss && v.Plies > w.Plies
	}
}

// kinds yields the solutions of a game with each kind of layers, the smaller and the larger.
func kinds(t testing.TB, r digit.Rules) iter.Seq[*Solution] {
	return func(yield func(*Solution) bool) {
		g := newGame(r)
		folds, size, err := g.foldLayers(t.Context(), 1<<22, 1<<22)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*Solution{g.plainSolution(), {game: g, folds: folds, size: size}} {
			if s.plains == nil && s.folds == nil || s.size.Bytes > 1<<22 {
				continue // hands are not folded, and large games take long
			}
			if err := s.fill(&job{ctx: t.Context(), workers: 1}); err != nil {
				t.Fatal(err)
			}
			if !yield(s) {
				return
			}
		}
	}
}
