package solve

import (
	"iter"

	"digitduel/digit"
)

// A Sample is a position in which the game is not over, its value for the side to move, and the
// value of every legal move for the player making it.
type Sample struct {
	Rules    digit.Rules `json:"rules"`
	Position string      `json:"position"`
	Ply      int         `json:"ply"`
	Turn     digit.Side  `json:"turn"`
	Value
	Moves []MoveValue `json:"moves"`
}

// Samples yields each reachable position in which the game is not over, ply by ply, always in the
// same order. The next sample reuses Moves. It needs as much memory as [Solution.Census].
func (s *Solution) Samples() iter.Seq[Sample] {
	return func(yield func(Sample) bool) {
		r := s.Rules()
		var moves []MoveValue
		for p, v := range s.Positions() {
			if v.Plies == 0 {
				continue
			}
			moves = moves[:0]
			for m, v := range s.Moves(p) {
				moves = append(moves, MoveValue{m, v})
			}
			if !yield(Sample{r, r.Text(p), r.Ply(p), r.Turn(p), v, moves}) {
				return
			}
		}
	}
}
