package web

import (
	"slices"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A frame is one picture of a worked example, with its text.
type frame struct {
	Boards       [2]board
	Long, Spoken string
}

// exampleMoves is the number of moves in an example, the last ones of a game.
const exampleMoves = 3

// exampleOf returns the end of the game in the lesson of a book: a position and the moves from
// there. It is empty for games without a lesson.
func exampleOf(r digit.Rules) (frames []frame) {
	i := slices.IndexFunc(rulebook.Lessons,
		func(l rulebook.Lesson) bool { return l.Record().Rules == r })
	if i < 0 {
		return nil
	}
	cast := rulebook.Cast{Names: [2]string{"Ada", "Ben"}}
	line := rulebook.Lessons[i].Record().Moves
	from := len(line) - exampleMoves
	p := match.State{Setup: match.Setup{Rules: r}, Moves: line}.PositionAt(from)
	frames = append(frames, frameOf(r, p, nil, cast, rulebook.Stands(r, p, cast)))
	for _, m := range line[from:] {
		next, _ := r.Play(p, m) // it is legal
		frames = append(frames, frameOf(r, next, &m, cast,
			rulebook.Played(r, p, m, cast, rulebook.Player)))
		p = next
	}
	return frames
}

func frameOf(r digit.Rules, p digit.Position, last *digit.Move, cast rulebook.Cast,
	said rulebook.Said) frame {
	f := frame{Long: said.Long, Spoken: said.Spoken}
	for side := range digit.Side(2) {
		f.Boards[side] = numberOf(r, p, side, match.Seat(side), cast.Names[side], false, last)
	}
	return f
}
