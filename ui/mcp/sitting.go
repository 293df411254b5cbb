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
	"digitduel/digit"
	"digitduel/solve"
)

// Sittings keep which exam somebody sits, in a text of this package's, and the first answer to each of its items, which are counted from 1.
// The errors are [fs.ErrNotExist] where there is no such sitting or item, and [fs.ErrExist] for another answer than the first.
type Sittings interface {
	OpenSitting(ctx context.Context, id, exam string, items int) error
	Sitting(ctx context.Context, id string) (exam string, answers map[int]string, err error)
	AnswerItem(ctx context.Context, id string, item int, answer string) error
}

// A sitting is an exam that somebody sits: one by name, or items of some rules each.
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
	answers map[int]string
}

// exam returns what is asked.
func (t *sitting) exam() (arena.Exam, error) {
	if t.Name != "" {
		return arena.ParseExam(t.Name)
	}
	e := arena.Exam{Seed: t.Seed}
	for _, r := range t.Rules {
		e.Parts = append(e.Parts, arena.ExamPart{Rules: r, Items: t.Items, Hard: t.Hard})
	}
	return e, nil
}

// describe says what is asked.
func (t *sitting) describe() string {
	if t.Disguise != nil {
		undressed := *t
		undressed.Disguise = nil
		return fmt.Sprintf("%s, in disguise %d", undressed.describe(), *t.Disguise)
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

// next returns the first item without an answer; there is none above all.
func (t *sitting) next() int {
	for item := 1; ; item++ {
		if _, answered := t.answers[item]; !answered {
			return item
		}
	}
}

// openSitting begins a sitting of an exam that there is.
func (s *Server) openSitting(ctx context.Context, t *sitting, e *arena.Exam) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	t.answers = map[int]string{}
	return s.Sittings.OpenSitting(ctx, t.id, string(text), e.Items())
}

// sat returns a sitting and its exam.
func (s *Server) sat(ctx context.Context, id string) (*sitting, *arena.Exam, error) {
	if !s.examines() {
		return nil, nil, refusef("exam: no exams are sat here; allowed: a game")
	}
	text, answers, err := s.Sittings.Sitting(ctx, id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, errNoExam
	}
	if err != nil {
		return nil, nil, err
	}
	t := &sitting{id: id, answers: answers}
	if err := json.Unmarshal([]byte(text), t); err != nil {
		return nil, nil, fmt.Errorf("sitting %s: %w", id, err)
	}
	e, err := t.exam()
	return t, &e, err
}

var errNoExam = refusef("exam: there is no such exam; allowed: what next_item returned as exam, or %s to begin the standard one", arena.Standard().Name)

// patience is how long a call waits for what takes long to work out: less than a call over HTTP may take.
const patience = callTime - 5*time.Second

// newPapers returns papers that are made with the solutions of a server.
func newPapers(solveGame func(context.Context, digit.Rules) (*solve.Solution, error)) arena.Papers {
	return arena.NewPapers(func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
		solution, err := solveGame(ctx, r)
		if budget := new(solve.BudgetError); errors.As(err, &budget) {
			err = refusef("the items cannot be made: %v", err)
		}
		return solution, err
	})
}

const stillMaking = "that is still being worked out; ask again in a few seconds"

// patiently waits for what takes long to work out, but not for too long.
func patiently[V any](ctx context.Context, get func(context.Context) (V, error)) (V, error) {
	ctx, done := context.WithTimeout(ctx, patience)
	defer done()
	value, err := get(ctx)
	switch {
	case errors.Is(err, arena.ErrMaking):
		err = refusef(stillMaking)
	case errors.Is(err, arena.ErrBusy):
		err = refusef("%v; ask again in a minute", arena.ErrBusy)
	}
	return value, err
}

// mostAnswer is how much of an answer is kept, in bytes: a move has far less.
const mostAnswer = 200

// kept returns an answer as it is kept.
func kept(answer string) string {
	answer = strings.TrimSpace(digit.Printable(answer))
	if len(answer) > mostAnswer {
		answer = strings.ToValidUTF8(answer[:mostAnswer], "")
	}
	return answer
}
