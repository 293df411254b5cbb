package web

import (
	"errors"
	"slices"
	"strings"

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
	Leave   quizLink // to the pages it belongs to
	Rules   string   // the path of the rules
	Goal    goalView
	State   string // wrong, shown or solved; empty: nothing was tried
	Find    string // the question, as a heading and a text
	Ask     string
	Head    string // the verdict on a try, or the question
	Text    string
	Else    string // how to choose another move
	Board   board  // of the player to move
	Other   board
	Then    string // what the other player does after the move
	Would   string // the reply to a wrong try: "would put 5 here"
	Tries   string // what counts, or how many tries were made
	Play    play
	Method  string // of the answer form
	Action  string
	Hidden  []field // hidden fields of the form
	Line    string  // further information, once it is solved
	Days    *daysView
	Share   *shareView
	Random  []field    // the fields for another puzzle; none: there is no other
	Links   []quizLink // to follow once it is solved
}

// A field is a hidden field of a form.
type field struct{ Name, Value string }

// A quizLink leads to another quiz or page.
type quizLink struct{ Path, Text string }

// quizOf returns the quiz of a position for the player to move.
func quizOf(r digit.Rules, p digit.Position) quiz {
	turn := r.Turn(p)
	other := rulebook.LongVoice(r, coach.Reader(turn)).Who(turn.Other())
	q := quiz{
		Rules: "/rules/" + r.Named().Name, Goal: goalOf(r), Else: "Or tap another place.",
		Board: numberOf(r, p, turn, match.Seat(turn), "You", true, nil),
		Other: numberOf(r, p, turn.Other(), match.Seat(turn.Other()), other, false, nil),
		Play:  playOf(r, p, match.One), Then: "moves after you",
	}
	if r.Held(p, turn.Other()).Len() == r.Fills(turn.Other()) {
		q.Then = "has no move left"
	}
	for i, c := range q.Board.Cells { // the button tries the move
		_, q.Board.Cells[i].Put, _ = strings.Cut(strings.Replace(c.Put, "with ", "", 1), " ")
	}
	for i, c := range q.Play.Calls {
		q.Play.Calls[i].Put = c.Digit + ", call #"
	}
	if r.Place == digit.Hand {
		q.Else = "Or tap another digit."
	}
	return q
}

// ask sets the question.
func (q *quiz) ask(head, text string) {
	q.Find, q.Ask, q.Head, q.Text = head, text, head, text
}

// answer judges a move, or shows the right one after giving up.
func (q *quiz) answer(s *solve.Solution, p digit.Position, move string, show bool) error {
	r, cast := s.Rules(), coach.Reader(s.Rules().Turn(p))
	if show {
		q.State = "shown"
		q.Head, q.Text, _ = strings.Cut(coach.Answer(s, p, cast), ". ")
		if hint, ok := coach.Advise(s, p, cast); ok {
			q.place(r, p, hint.Move)
		}
		return nil
	}
	if move == "" {
		return nil
	}
	verdict, err := judge(s, p, move)
	if err != nil {
		return err
	}
	if verdict.Kept() {
		q.State, q.Head, q.Text = "solved", "Right!", strings.TrimPrefix(verdict.Text, "Right! ")
		q.place(r, p, verdict.Move)
		return nil
	}
	q.State = "wrong"
	q.Head, q.Text, _ = strings.Cut(verdict.Text, ". ")
	for i, c := range q.Board.Cells {
		if c.Target != "" && c.Spot == verdict.Move.Spot.String() {
			q.Board.Cells[i].Was = verdict.Move.Digit.String()
		}
	}
	if verdict.Reply == nil {
		return nil
	}
	at, _ := r.Play(p, verdict.Move) // it was judged
	q.Other.Cells = withGhost(q.Other.Cells, *verdict.Reply, "")
	verb, _, _ := strings.Cut(rulebook.Voice{Rules: r}.Put(at, *verdict.Reply), " ")
	if q.Would = "would " + verb + " " + verdict.Reply.Digit.String(); r.Place != digit.Hand {
		q.Would += " here"
	}
	return nil
}

// place shows a legal move on the board.
func (q *quiz) place(r digit.Rules, p digit.Position, m digit.Move) {
	at, _ := r.Play(p, m)
	q.Board.Cells = cellsOf(r, at, r.Turn(p), false, &m)
}

// withGhost adds the digit of a move that was not made to the cells of a number. Was is the digit
// that was played in its place, or empty.
func withGhost(cells []cell, m digit.Move, was string) []cell {
	ghost := cell{Digit: m.Digit.String(), Ghost: true, Was: was}
	slot, inSlot := m.Spot.Slot()
	if !inSlot { // the first free place, if there is one
		slot = slices.IndexFunc(cells, func(c cell) bool { return c.Digit == "" })
	}
	switch {
	case slot >= 0:
		cells[slot] = ghost
	case m.Spot == digit.Left:
		cells = slices.Insert(cells, 0, ghost)
	default:
		cells = append(cells, ghost)
	}
	return cells
}

// Asks reports whether a move is to be found.
func (q quiz) Asks() bool { return q.State == "" || q.State == "wrong" }

func judge(s *solve.Solution, p digit.Position, text string) (coach.Verdict, error) {
	m, err := digit.ParseMove(text)
	if err != nil {
		return coach.Verdict{}, err
	}
	r := s.Rules()
	verdict, err := coach.Judge(s, p, m, coach.Reader(r.Turn(p)))
	if illegal, ok := errors.AsType[*digit.MoveError](err); ok {
		return verdict, invalid("%v", err).says(rulebook.Refused(r, p, illegal, you))
	}
	return verdict, err
}
