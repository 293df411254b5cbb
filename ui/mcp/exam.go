package mcp

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"errors"
	"io/fs"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/arena/speech"
	"digitduel/digit"
)

func (s *Server) addExamTools() {
	next := sdk.Tool{
		Name: "next_item", Title: "Ask for the next item of an exam", Annotations: acts,
		Description: "Return the next item of an exam: a position in which to choose a move. " +
			"Without an id it starts an exam and returns its id. " +
			"An item is repeated until it is answered.",
	}
	if s.Exam != nil {
		addTool(s, next, s.nextPlannedItem)
	} else {
		addTool(s, next, s.nextItem)
	}
	addTool(s, sdk.Tool{
		Name: "answer", Title: "Answer an item of an exam", Annotations: once,
		Description: "Answer the item that next_item returned. The answer is final and is not " +
			"graded yet: report grades all answers when the last item is answered. " +
			"An illegal move counts as an answer.",
	}, s.answer)
}

// NextItem has the arguments of next_item.
type NextItem struct {
	Exam      string    `json:"exam,omitempty" jsonschema:"{exam}"`
	Rules     string    `json:"rules,omitempty" jsonschema:"{exam rules}"`
	Items     itemCount `json:"items,omitempty" jsonschema:"{items}"`
	Hard      bool      `json:"hard,omitempty" jsonschema:"{hard}"`
	Seed      *uint64   `json:"seed,omitempty" jsonschema:"of a new exam: {seed}"`
	Disguise  *uint64   `json:"disguise,omitempty" jsonschema:"of a new exam: {disguise}"`
	ShowMoves bool      `json:"show_moves,omitempty" jsonschema:"of a new exam: {show moves}"`
	Player    string    `json:"player,omitempty" jsonschema:"of a new exam: {player}"`
}

// An Item is one question of an exam. It does not reveal the values of its moves.
type Item struct {
	Exam     string   `json:"exam" jsonschema:"the id of the exam, for all further calls"`
	Item     int      `json:"item" jsonschema:"the number of the item, for answer"`
	Of       int      `json:"of" jsonschema:"how many items there are"`
	Rules    string   `json:"rules" jsonschema:"the name of the game"`
	Goal     string   `json:"goal" jsonschema:"the goal of the game"`
	Notation string   `json:"notation" jsonschema:"how a move is written"`
	Turn     string   `json:"turn" jsonschema:"the side to move, first or second: choose its move"`
	Position string   `json:"position" jsonschema:"what first and second have"`
	Left     string   `json:"left" jsonschema:"what is left to take"`
	Moves    []string `json:"moves" jsonschema:"the legal moves, if the exam has show_moves"`
	Board    string   `json:"board" jsonschema:"the position as a picture"`
}

func (s *Server) nextItem(ctx context.Context, asked NextItem) (Item, error) {
	t, err := s.begin(ctx, asked)
	if err != nil {
		return Item{}, err
	}
	if len(t.answers) >= t.exam.Items() {
		return Item{}, allAnswered(t)
	}
	return s.item(ctx, t, t.next())
}

// PlannedItem has the arguments of next_item for a planned exam.
type PlannedItem struct {
	Exam   string `json:"exam,omitempty" jsonschema:"the id, as next_item returned it"`
	Player string `json:"player,omitempty" jsonschema:"{player}"`
}

// nextPlannedItem is next_item for a planned exam.
func (s *Server) nextPlannedItem(ctx context.Context, asked PlannedItem) (Item, error) {
	plan := s.Exam.Plan
	if asked.Exam == "" || asked.Exam == plan.Exam {
		name, err := s.player(ctx, asked.Player)
		if err != nil {
			return Item{}, err
		}
		asked.Exam, err = s.Exam.Begin(name, func() (string, error) {
			t, err := s.begin(ctx, NextItem{
				Exam: plan.Exam, Disguise: plan.Disguise, ShowMoves: plan.ShowMoves, Player: name,
			})
			if err != nil {
				return "", err
			}
			return t.id, nil
		})
		if err != nil {
			return Item{}, err
		}
	}
	return s.nextItem(ctx, NextItem{Exam: asked.Exam})
}

func allAnswered(t *sitting) error {
	return refusef("all %d items are answered; call report for the grade", t.exam.Items())
}

// begin returns the sitting to continue, or opens a new one.
func (s *Server) begin(ctx context.Context, asked NextItem) (*sitting, error) {
	standard, err := arena.ParseExam(asked.Exam)
	switch {
	case asked.Exam == "":
	case err == nil:
		asked.Exam = standard.Name
	case asked != NextItem{Exam: asked.Exam}:
		return nil, refusef("exam: it has begun; omit the other arguments")
	default:
		return s.findSitting(ctx, asked.Exam)
	}
	t, err := s.newSitting(ctx, asked)
	if err != nil {
		return nil, err
	}
	if err := s.Limits.MayOpen(ctx, t.id); err != nil { // making the exam may take long
		return nil, err
	}
	if err := t.setExam(); err != nil {
		return nil, err
	}
	if err := s.prepare(ctx, t); err != nil {
		return nil, err
	}
	return t, s.openSitting(ctx, t)
}

// An itemCount is a number of items, which the schema limits; 0: not set.
type itemCount int

// Limits of an exam.
const (
	defaultItems = 20
	mostItems    = 1000
)

// newSitting returns the sitting of a new exam.
func (s *Server) newSitting(ctx context.Context, asked NextItem) (*sitting, error) {
	fixed := asked.Rules != "" || asked.Items != 0 || asked.Hard || asked.Seed != nil
	if asked.Exam != "" && fixed {
		return nil, refusef("exam: %s is fixed; omit rules, items, hard and seed", asked.Exam)
	}
	name, err := s.player(ctx, asked.Player)
	if err != nil {
		return nil, err
	}
	t := &sitting{
		id: crand.Text(), Name: asked.Exam, Disguise: asked.Disguise, ShowMoves: asked.ShowMoves,
		Player: name,
	}
	if t.Name != "" {
		return t, nil
	}
	t.Items, t.Hard = int(cmp.Or(asked.Items, defaultItems)), asked.Hard
	t.Seed = seedOf(asked.Seed)
	if asked.Rules == "" {
		for _, b := range digit.Books {
			t.Rules = append(t.Rules, b.Rules)
		}
		return t, nil
	}
	r, err := digit.ParseRules(asked.Rules)
	if err != nil {
		return nil, refusef("%v", err)
	}
	t.Rules = []digit.Rules{r}
	return t, nil
}

// prepare makes all items of an exam before it begins, and the words of the first.
func (s *Server) prepare(ctx context.Context, t *sitting) error {
	for _, part := range t.exam.Parts {
		if err := disguise.CheckSize(part.Rules, s.Disguised); t.Disguise != nil && err != nil {
			return refusef("%v", err)
		}
	}
	if _, err := s.keys(ctx, t); err != nil {
		return err
	}
	_, err := s.speechOf(ctx, t.exam.Parts[0].Rules, t.Disguise)
	return err
}

func (s *Server) keys(ctx context.Context, t *sitting) ([]arena.Key, error) {
	keys, err := withPatience(ctx, func(ctx context.Context) ([]arena.Key, error) {
		return s.papers.Keys(ctx, &t.exam)
	})
	if few := new(arena.FewItemsError); errors.As(err, &few) {
		err = refusef("%v", few)
	}
	return keys, err
}

// ask returns an item of an exam and the wording for it.
func (s *Server) ask(
	ctx context.Context, t *sitting, n int,
) (arena.Item, speech.Speech, error) {
	item, err := withPatience(ctx, func(ctx context.Context) (arena.Item, error) {
		return s.papers.Item(ctx, &t.exam, n)
	})
	if err != nil {
		return item, nil, err
	}
	v, err := s.speechOf(ctx, item.Rules, t.Disguise)
	return item, v, err
}

// item returns an item of an exam as an answer of next_item.
func (s *Server) item(ctx context.Context, t *sitting, n int) (Item, error) {
	item, v, err := s.ask(ctx, t, n)
	if err != nil {
		return Item{}, err
	}
	p, err := item.At()
	if err != nil {
		return Item{}, err
	}
	shown := Item{
		Exam: t.id, Item: n, Of: t.exam.Items(), Rules: v.Rules(), Goal: v.Goal(),
		Notation: v.Notation(), Turn: item.Turn.String(),
		Position: v.Position(p), Left: v.Left(p), Moves: []string{}, Board: v.Board(p),
	}
	if t.ShowMoves {
		for _, m := range item.Moves {
			shown.Moves = append(shown.Moves, v.Move(m))
		}
		slices.Sort(shown.Moves) // the order of the digits would reveal them
	}
	return shown, nil
}

// Answer has the arguments of answer.
type Answer struct {
	Exam string `json:"exam" jsonschema:"the id of the exam, as next_item returned it"`
	Item int    `json:"item" jsonschema:"the number of the item, as next_item returned it"`
	Move string `json:"move" jsonschema:"the move that you choose, in the notation of the item"`
}

// Answered confirms an answer, without its grade.
type Answered struct {
	Exam      string `json:"exam" jsonschema:"the id of the exam"`
	Item      int    `json:"item" jsonschema:"the number of the item"`
	Move      string `json:"move" jsonschema:"the answer as it was recorded"`
	Kind      string `json:"kind" jsonschema:"legal, illegal or, if it is not a move, unreadable"`
	Remaining int    `json:"remaining" jsonschema:"the items left to answer; call report at 0"`
}

func (s *Server) answer(ctx context.Context, asked Answer) (Answered, error) {
	t, err := s.findSitting(ctx, asked.Exam)
	if err != nil {
		return Answered{}, err
	}
	all := t.exam.Items()
	_, before := t.answers[asked.Item]
	switch next := t.next(); {
	case !before && next > all:
		return Answered{}, allAnswered(t)
	case asked.Item < 1 || asked.Item > all:
		return Answered{}, refusef("item %d: no such item; allowed: %d, the next one",
			asked.Item, next)
	case !before && asked.Item != next:
		return Answered{}, refusef("item %d: not the next item; allowed: %d",
			asked.Item, next)
	case strings.TrimSpace(asked.Move) == "":
		return Answered{}, refusef("missing move; nothing was recorded")
	}
	item, v, err := s.ask(ctx, t, asked.Item)
	if err != nil {
		return Answered{}, err
	}
	text := cleanAnswer(v, asked.Move)
	err = s.Sittings.AnswerItem(ctx, t.id, asked.Item, text)
	switch {
	case errors.Is(err, fs.ErrExist):
		return Answered{}, refusef("item %d: already answered, and the first answer counts; "+
			"call next_item", asked.Item)
	case err != nil:
		return Answered{}, err
	}
	t.answers[asked.Item] = text
	kind, remaining := kindOf(v, &item, text), all-len(t.answers)
	if remaining == 0 {
		s.saveGrades(ctx)
	}
	return Answered{t.id, asked.Item, text, kind, remaining}, nil
}

// kindOf returns the kind of an answer: legal, illegal or unreadable.
func kindOf(v speech.Speech, item *arena.Item, text string) string {
	p, err := item.At()
	if err == nil {
		_, err = speech.Answer(v, item.Rules, p, text)
	}
	if refused, ok := errors.AsType[*speech.Refusal](err); ok {
		return refused.Fault
	}
	return "legal"
}
