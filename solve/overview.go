package solve

import "digitduel/digit"

// An Overview describes perfect play from the start of a game.
type Overview struct {
	Rules      digit.Rules  `json:"rules"`
	Winner     string       `json:"winner"` // first, second or draw
	Plies      int          `json:"plies"`
	Classes    int64        `json:"classes"`
	FirstMoves []MoveWinner `json:"first_moves"` // every legal first move
	Line       []digit.Move `json:"line"`
}

// A MoveWinner is a move and the winner after it.
type MoveWinner struct {
	Move   digit.Move `json:"move"`
	Winner string     `json:"winner"`
	Plies  int        `json:"plies"`
}

// Overview returns the overview of the game.
func (s *Solution) Overview() Overview {
	winner := func(v Value) string {
		if side, ok := v.Winner(digit.First); ok {
			return side.String()
		}
		return "draw"
	}
	var start digit.Position
	v := s.Value(start)
	rep := Overview{
		Rules: s.Rules(), Winner: winner(v), Plies: v.Plies,
		Classes: s.size.Classes, Line: s.Line(start),
	}
	for m, v := range s.Moves(start) {
		rep.FirstMoves = append(rep.FirstMoves, MoveWinner{m, winner(v), v.Plies})
	}
	return rep
}

// An Analysis holds the value of a position for the side to move and the value of every legal
// move for the player making it, or the result if the game is over.
type Analysis struct {
	Rules    digit.Rules  `json:"rules"`
	Moves    []digit.Move `json:"moves"`
	Position string       `json:"position"`
	Turn     string       `json:"turn,omitempty"`
	*Value                // nil if the game is over
	Options  []MoveValue  `json:"options,omitempty"`
	Over     bool         `json:"over,omitempty"`
	Result   string       `json:"result,omitempty"`
	Reason   string       `json:"reason,omitempty"`
}

// A MoveValue is a move and its value for the player making it.
type MoveValue struct {
	Move digit.Move `json:"move"`
	Value
}

// Analyze returns the analysis of p, which the given moves lead to.
func (s *Solution) Analyze(moves []digit.Move, p digit.Position) Analysis {
	r := s.Rules()
	a := Analysis{Rules: r, Moves: append([]digit.Move{}, moves...), Position: r.Text(p)}
	if result := r.Result(p); result.Over() {
		a.Over, a.Result, a.Reason = true, result.Score.String(), result.Reason.String()
		return a
	}
	v := s.Value(p)
	a.Turn, a.Value = r.Turn(p).String(), &v
	for m, v := range s.Moves(p) {
		a.Options = append(a.Options, MoveValue{m, v})
	}
	return a
}
