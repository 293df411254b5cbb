package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"digitduel/arena"
	"digitduel/arena/speech"
	"digitduel/digit"
	"digitduel/solve"
)

// Sittings stores the exam of each sitting, as a text of this package, and the first answer to each
// of its items. Items are counted from 1. The errors are [fs.ErrNotExist] for an unknown sitting or
// item, and [fs.ErrExist] for an answer that differs from the first.
type Sittings interface {
	OpenSitting(ctx context.Context, id, exam string, items int) error
	Sitting(ctx context.Context, id string) (exam string, answers map[int]string, err error)
	AnswerItem(ctx context.Context, id string, item int, answer string) error
}

// A sitting is an attempt at an exam: a named exam, or a number of items for each of some rules.
type sitting struct {
	Name      string        `json:"name,omitempty"`
	Rules     []digit.Rules `json:"rules,omitempty"`
	Items     int           `json:"items,omitempty"`
	Hard      bool          `json:"hard,omitempty"`
	Seed      uint64        `json:"seed,omitempty"`
	Disguise  *uint64       `json:"disguise,omitempty"`
	ShowMoves bool          `json:"show_moves,omitempty"`
	Player    string        `json:"player"`

	id      string
	exam    arena.Exam // what the fields above describe
	answers map[int]string
}

// setExam sets the exam of the sitting.
func (t *sitting) setExam() (err error) {
	if t.Name != "" {
		t.exam, err = arena.ParseExam(t.Name)
		return err
	}
	t.exam.Seed = t.Seed
	for _, r := range t.Rules {
		part := arena.ExamPart{Rules: r, Items: t.Items, Hard: t.Hard}
		t.exam.Parts = append(t.exam.Parts, part)
	}
	return nil
}

// describe returns a description of the exam.
func (t *sitting) describe() string {
	if t.Disguise != nil {
		plain := *t
		plain.Disguise = nil
		return fmt.Sprintf("%s, in disguise %d", plain.describe(), *t.Disguise)
	}
	if t.Name != "" {
		return t.Name
	}
	var rules []string
	for _, r := range t.Rules {
		rules = append(rules, r.String())
	}
	what := "items"
	if t.Hard {
		what = "hard items"
	}
	return fmt.Sprintf("%d %s of %s, seed %d", t.Items, what, strings.Join(rules, ", "), t.Seed)
}

// next returns the first item without an answer, which may be after the last item.
func (t *sitting) next() int {
	for item := 1; ; item++ {
		if _, answered := t.answers[item]; !answered {
			return item
		}
	}
}

// openSitting stores a new sitting.
func (s *Server) openSitting(ctx context.Context, t *sitting) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	t.answers = map[int]string{}
	return s.Sittings.OpenSitting(ctx, t.id, string(text), t.exam.Items())
}

// findSitting returns a stored sitting.
func (s *Server) findSitting(ctx context.Context, id string) (*sitting, error) {
	if !s.examines() {
		return nil, refusef("exam: this server has no exams")
	}
	text, answers, err := s.Sittings.Sitting(ctx, id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoExam
	}
	if err != nil {
		return nil, err
	}
	t := &sitting{id: id, answers: answers}
	if err := json.Unmarshal([]byte(text), t); err != nil {
		return nil, fmt.Errorf("sitting %s: %w", id, err)
	}
	return t, t.setExam()
}

var errNoExam = refusef("exam: no such exam; allowed: the id that next_item returned, "+
	"or %s for the standard exam", arena.Standard().Name)

// patience is how long a call waits for a computation: less than the limit of a call over HTTP.
const patience = callTime - 5*time.Second

// newPapers returns papers that use the solutions of a server.
func newPapers(
	solveGame func(context.Context, digit.Rules) (*solve.Solution, error),
) arena.Papers {
	return arena.NewPapers(func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
		solution, err := solveGame(ctx, r)
		if errors.Is(err, context.Canceled) && ctx.Err() == nil { // the server stops, and grades
			solution, err = solve.Solve(ctx, r, solve.Config{})
		}
		if budget := new(solve.BudgetError); errors.As(err, &budget) {
			err = refusef("cannot make the items: %v", err)
		}
		return solution, err
	})
}

const stillComputing = "still computing; ask again in a few seconds"

// withPatience waits for a computation, but at most for patience.
func withPatience[V any](ctx context.Context, get func(context.Context) (V, error)) (V, error) {
	ctx, done := context.WithTimeout(ctx, patience)
	defer done()
	value, err := get(ctx)
	switch {
	case errors.Is(err, arena.ErrMaking):
		err = refusef(stillComputing)
	case errors.Is(err, arena.ErrBusy):
		err = refusef("%v; ask again in a minute", arena.ErrBusy)
	}
	return value, err
}

// mostAnswer is how much of an answer is stored, in bytes. A move is much shorter.
const mostAnswer = 200

// cleanAnswer returns an answer as it is stored. Of a long answer, that is its move.
func cleanAnswer(v speech.Speech, text string) string {
	text = strings.TrimSpace(text)
	if m, err := v.ParseMove(text); err == nil && strings.Contains(text, "\n") {
		return v.Move(m)
	}
	text = strings.TrimSpace(digit.Printable(text))
	if len(text) > mostAnswer {
		text = strings.ToValidUTF8(text[:mostAnswer], "")
	}
	return text
}
