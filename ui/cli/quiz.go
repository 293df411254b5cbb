package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A Quiz is a position in which a player looks for the right move: a puzzle, or a mistake to try
// again.
type Quiz struct {
	Keyboard Keyboard
	Solution *solve.Solution
	Position digit.Position
	Question string

	hints int // the number of hint steps shown
}

// Errors of a quiz that was not solved.
var (
	ErrShown   = errors.New("the answer was shown")
	ErrSkipped = errors.New("the question was left")
)

// Ask asks until the right move is typed, and returns the number of wrong ones. The error is
// ErrShown, ErrSkipped, ErrQuit, ErrInterrupted or io.EOF if it was not found.
func (q *Quiz) Ask(ctx context.Context) (wrong int, err error) {
	s := newScreen(match.State{Setup: match.Setup{Rules: q.Solution.Rules()}, Position: q.Position})
	fmt.Fprintf(
		q.Keyboard, "%s\n%s.\n\n%s%s\n", s.rules(), rulebook.Goal(s.rules()).Short, s.sides(),
		q.Question)
	for {
		text, err := readAnswer(ctx, q.Keyboard, "Your move, or help: ")
		if err != nil {
			return wrong, err
		}
		right, err := q.typed(s, text)
		var slip slip
		switch {
		case errors.As(err, &slip):
			fmt.Fprintln(q.Keyboard, slip)
		case err != nil:
			return wrong, err
		case right:
			return wrong, nil
		default:
			wrong++
		}
	}
}

// typed handles a line and reports whether it was the right move. A line that is not a move is a
// slip.
func (q *Quiz) typed(s screen, text string) (right bool, err error) {
	switch strings.ToLower(text) {
	case "help", "?":
		return false, slip(
			"Type a move in one line, such as " + s.oneLine() +
				"; or hint, board, rules, show for the answer, skip, or quit.")
	case "rules":
		fmt.Fprint(q.Keyboard, "\n"+rulebook.Explain(s.rules())+"\n")
		return false, slip("The position is still the same.")
	case "board", "status":
		return false, slip(strings.TrimSpace(s.sides()))
	case "undo", "resign":
		return false, slip(rulebook.NoGameNow.Long + " Type a move, or skip.")
	case "hint":
		hint, _ := coach.Advise(q.Solution, q.Position, s.typist()) // the game is not over
		steps := hintSteps(hint)
		q.hints++
		if q.hints < len(steps) {
			return false, slip(steps[q.hints-1])
		}
		return false, slip("Type show for the answer.") // the last step is the answer
	case "show":
		fmt.Fprintln(q.Keyboard, coach.Answer(q.Solution, q.Position, s.typist()))
		return false, ErrShown
	case "skip":
		return false, ErrSkipped
	case "quit", "exit":
		return false, ErrQuit
	}
	m, err := s.readMove(text)
	if err != nil {
		return false, err
	}
	verdict, err := coach.Judge(q.Solution, q.Position, m, s.typist())
	if err != nil {
		return false, err
	}
	fmt.Fprintln(q.Keyboard, verdict.Text)
	return verdict.Kept(), nil
}

// sides describes a position for the player to move.
func (s screen) sides() string {
	turn := s.state.Turn()
	return fmt.Sprintf("Yours:  %s\nTheirs: %s\nLeft:   %s\n\n",
		cmp.Or(s.board(turn), nothing), cmp.Or(s.board(turn.Other()), nothing),
		s.rules().Left(s.state.Position).List(" "))
}

// readMove reads a whole move in one line.
func (s screen) readMove(text string) (digit.Move, error) {
	d, rest, err := s.readTurn(text)
	if err != nil {
		return digit.Move{}, err
	}
	if s.rules().Place == digit.Hand {
		return s.readCall(rest, d)
	}
	if rest == "" {
		if free := s.rules().Spots(s.state.Position, d); len(free) == 1 {
			return digit.Move{Digit: d, Spot: free[0]}, nil
		}
		asks := rulebook.AskSpot(s.rules(), s.state.Position, d).Long
		return digit.Move{}, slip(asks + " Type it in the same line, such as " + s.oneLine() + ".")
	}
	spot, err := s.readPlace(rest, d)
	return digit.Move{Digit: d, Spot: spot}, err
}
