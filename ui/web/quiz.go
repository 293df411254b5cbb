package web

import (
	"errors"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A quiz is a position with a move to find, and the verdict on a try. Puzzles and mistakes share
// it.
type quiz struct {
	Heading string
	Line    string // further information
	Title   string // of the game
	Rules   string // the path of the rules
	Goal    goalView
	Ask     string
	Board   board // of the player to move
	Other   board
	Play    play
	Method  string // of the answer form
	Action  string
	Hidden  []field // hidden fields of the form
	Tried   bool
	Solved  bool
	Told    string // the verdict on the try
	Answer  string // the move, after giving up
	Give    string // the path for giving up
	Share   *shareView
	Again   []field // the fields for another puzzle of this kind; none: there is no other
	Links   []quizLink
}

// A field is a hidden field of a form.
type field struct{ Name, Value string }

// A quizLink leads to another quiz or page.
type quizLink struct {
	Path, Text, Rel string
	Here            bool
}

// quizOf returns the quiz of a position for the player to move, who has the first seat.
func quizOf(r digit.Rules, p digit.Position) quiz {
	turn := r.Turn(p)
	return quiz{
		Title: rulebook.Title(r), Rules: "/rules/" + r.Named().Name, Goal: goalOf(r),
		Play: playOf(r, p, match.Seat(turn)),
		Board: board{
			Seat: 1, Mark: marks[0], Name: "Your number", You: true, Turn: true,
			Place: r.Place.String(), Cells: cellsOf(r, p, turn, true, nil),
		},
		Other: board{
			Seat: 2, Mark: marks[1], Name: "The other number", Place: r.Place.String(),
			Cells: cellsOf(r, p, turn.Other(), false, nil),
		},
	}
}

// answer judges a move, or shows the right one after giving up.
func (q *quiz) answer(s *solve.Solution, p digit.Position, move string, show bool) error {
	if move != "" {
		verdict, err := judge(s, p, move)
		if err != nil {
			return err
		}
		q.Tried, q.Solved, q.Told = true, verdict.Kept(), verdict.Text
	}
	if show && !q.Solved {
		q.Answer = coach.Answer(s, p, coach.Reader(s.Rules().Turn(p)))
	}
	return nil
}

// Gives reports whether giving up is offered.
func (q quiz) Gives() bool { return q.Tried && !q.Solved }

func judge(s *solve.Solution, p digit.Position, text string) (coach.Verdict, error) {
	m, err := digit.ParseMove(text)
	if err != nil {
		return coach.Verdict{}, err
	}
	r := s.Rules()
	verdict, err := coach.Judge(s, p, m, coach.Reader(r.Turn(p)))
	if illegal := new(digit.MoveError); errors.As(err, &illegal) {
		wrong := invalid("%v", err)
		wrong.told = rulebook.Refused(r, p, illegal, you).Long
		return verdict, wrong
	}
	return verdict, err
}
