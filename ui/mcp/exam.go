package mcp

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"errors"
	"io/fs"
	"math/rand/v2"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/digit"
)

func (s *Server) addExamTools() {
	addTool(s, sdk.Tool{
		Name: "next_item", Title: "Ask for the next item of an exam", Annotations: acts,
		Description: "Return the next item of an exam: a position in which to choose a move. Without an id an exam begins, and its id is in the answer. An item comes again until it is answered.",
	}, s.nextItem)
	addTool(s, sdk.Tool{
		Name: "answer", Title: "Answer an item of an exam", Annotations: once,
		Description: "Answer the item that next_item returned. The answer is final and is not judged yet: report tells what all answers come to when the last item is answered. What is no legal move counts as an answer.",
	}, s.answer)
}

// NextItem says which exam is sat.
type NextItem struct {
	Exam      string    `json:"exam,omitempty" jsonschema:"the id of an exam to go on with, as next_item returned it; or standard-1 to begin the standard exam of 500 items, which is the same everywhere (default: an exam begins as the other arguments say)"`
	Rules     string    `json:"rules,omitempty" jsonschema:"of a new exam: a game and options that differ from it (default: dilemma, sevens, highest, divisibility and reverse)"`
	Items     itemCount `json:"items,omitempty" jsonschema:"of a new exam: how many items for each game, up to 1000 (default: 20)"`
	Hard      bool      `json:"hard,omitempty" jsonschema:"of a new exam: only items in which at most a third of the moves keep the outcome and none wins at once (default: false)"`
	Seed      *uint64   `json:"seed,omitempty" jsonschema:"of a new exam: a whole number up to 9007199254740991 that the items follow from (default: another one each time)"`
	Disguise  *uint64   `json:"disguise,omitempty" jsonschema:"of a new exam: a whole number up to 9007199254740991; the games are told in the words of the disguise with this number (default: none)"`
	ShowMoves bool      `json:"show_moves,omitempty" jsonschema:"of a new exam: whether items list the legal moves (default: false)"`
	Player    string    `json:"player,omitempty" jsonschema:"of a new exam: what you are called, up to 24 characters (default: the name of your client, where it is known)"`
}

// An Item is one question of an exam. It tells nothing of what its moves are worth.
type Item struct {
	Exam     string   `json:"exam" jsonschema:"the id of the exam, for all further calls"`
	Item     int      `json:"item" jsonschema:"the number of the item; give it to answer"`
	Of       int      `json:"of" jsonschema:"how many items there are"`
	Rules    string   `json:"rules" jsonschema:"which game it is"`
	Goal     string   `json:"goal" jsonschema:"what the game is played for"`
	Notation string   `json:"notation" jsonschema:"how a move is written"`
	Turn     string   `json:"turn" jsonschema:"whose move is asked for: first or second; play for this side"`
	Position string   `json:"position" jsonschema:"what first and second have"`
	Left     string   `json:"left" jsonschema:"what is left to take"`
	Moves    []string `json:"moves" jsonschema:"the legal moves, if the exam was begun with show_moves; else nothing"`
	Board    string   `json:"board" jsonschema:"the position as a picture"`
}

func (s *Server) nextItem(ctx context.Context, req *sdk.CallToolRequest, asked NextItem) (Item, error) {
	t, e, err := s.begin(ctx, req, asked)
	if err != nil {
		return Item{}, err
	}
	if len(t.answers) >= e.Items() {
		return Item{}, allAnswered(e)
	}
	return s.item(ctx, t, e, t.next())
}

func allAnswered(e *arena.Exam) error {
	return refusef("all %d items are answered; report tells what they come to", e.Items())
}

// begin returns the sitting that somebody goes on with, or opens a new one.
func (s *Server) begin(ctx context.Context, req *sdk.CallToolRequest, asked NextItem) (*sitting, *arena.Exam, error) {
	standard, err := arena.ParseExam(asked.Exam)
	switch {
	case asked.Exam == "":
	case err == nil:
		asked.Exam = standard.Name
	case asked != NextItem{Exam: asked.Exam}:
		return nil, nil, refusef("exam: it has begun, and goes on as it is; leave the other arguments out")
	default:
		return s.sat(ctx, asked.Exam)
	}
	t, err := s.wanted(req, asked)
	if err != nil {
		return nil, nil, err
	}
	if err := s.Limits.MayOpen(ctx, t.id); err != nil { // it may take much to work out
		return nil, nil, err
	}
	e, err := t.exam()
	if err != nil {
		return nil, nil, err
	}
	if err := s.prepare(ctx, t, &e); err != nil {
		return nil, nil, err
	}
	if err := s.openSitting(ctx, t, &e); err != nil {
		return nil, nil, err
	}
	return t, &e, nil
}

// An itemCount is how many items are asked for, which the schema bounds; 0: nothing is said.
type itemCount int

// What an exam may ask.
const (
	usualItems = 20
	mostItems  = 1000
)

// wanted reads what a new exam is to be.
func (s *Server) wanted(req *sdk.CallToolRequest, asked NextItem) (*sitting, error) {
	if asked.Exam != "" && (asked.Rules != "" || asked.Items != 0 || asked.Hard || asked.Seed != nil) {
		return nil, refusef("exam: %s is the same everywhere; leave rules, items, hard and seed out", asked.Exam)
	}
	name, err := s.player(req, asked.Player)
	if err != nil {
		return nil, err
	}
	t := &sitting{id: crand.Text(), Name: asked.Exam, Disguise: asked.Disguise, ShowMoves: asked.ShowMoves, Player: name}
	if t.Name != "" {
		return t, nil
	}
	t.Items, t.Hard, t.Seed = int(cmp.Or(asked.Items, usualItems)), asked.Hard, rand.Uint64N(maxNumber+1)
	if asked.Seed != nil {
		t.Seed = *asked.Seed
	}
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

// prepare sees to it that there is all of an exam before it begins.
func (s *Server) prepare(ctx context.Context, t *sitting, e *arena.Exam) error {
	for _, part := range e.Parts {
		if err := disguise.CheckSize(part.Rules, s.Disguised); t.Disguise != nil && err != nil {
			return refusef("%v", err)
		}
	}
	if _, err := s.keys(ctx, e); err != nil {
		return err
	}
	for i, part := range e.Parts {
		if t.Disguise != nil && i > 0 && s.Disguised == disguise.MostPositions { // it is not refused, and there is time until it is asked for
			s.dresses.Prepare(ctx, dress{part.Rules, *t.Disguise})
		} else if _, err := s.speechOf(ctx, part.Rules, t.Disguise); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) keys(ctx context.Context, e *arena.Exam) ([]arena.Key, error) {
	keys, err := patiently(ctx, func(ctx context.Context) ([]arena.Key, error) { return s.papers.Keys(ctx, e) })
	if few := new(arena.FewItemsError); errors.As(err, &few) {
		err = refusef("%v", few)
	}
	return keys, err
}

// ask returns an item of an exam, and the words in which it is asked.
func (s *Server) ask(ctx context.Context, t *sitting, e *arena.Exam, n int) (arena.Item, speech, error) {
	item, err := patiently(ctx, func(ctx context.Context) (arena.Item, error) { return s.papers.Item(ctx, e, n) })
	if err != nil {
		return item, nil, err
	}
	v, err := s.speechOf(ctx, item.Rules, t.Disguise)
	return item, v, err
}

// item tells an item of an exam.
func (s *Server) item(ctx context.Context, t *sitting, e *arena.Exam, n int) (Item, error) {
	item, v, err := s.ask(ctx, t, e, n)
	if err != nil {
		return Item{}, err
	}
	p, err := item.At()
	if err != nil {
		return Item{}, err
	}
	told := Item{
		Exam: t.id, Item: n, Of: e.Items(), Rules: v.Rules(), Goal: v.Goal(), Notation: v.Notation(), Turn: item.Turn.String(),
		Position: v.Position(p), Left: v.Left(p), Moves: []string{}, Board: v.Board(p),
	}
	if t.ShowMoves {
		for _, m := range item.Moves {
			told.Moves = append(told.Moves, v.Move(m))
		}
		slices.Sort(told.Moves) // the order of the digits would tell them
	}
	return told, nil
}

// Answer is the arguments of answer.
type Answer struct {
	Exam string `json:"exam" jsonschema:"the id of the exam, as next_item returned it"`
	Item int    `json:"item" jsonschema:"the number of the item, as next_item returned it"`
	Move string `json:"move" jsonschema:"the move that you choose, written as the item tells in notation"`
}

// Answered says what became of an answer, and not whether it is right.
type Answered struct {
	Exam      string `json:"exam" jsonschema:"the id of the exam"`
	Item      int    `json:"item" jsonschema:"the number of the item"`
	Move      string `json:"move" jsonschema:"the answer as it was recorded"`
	Kind      string `json:"kind" jsonschema:"legal, illegal (the rules do not allow the move) or unreadable (it is no move)"`
	Remaining int    `json:"remaining" jsonschema:"how many items are left to answer; with none left report tells what the answers come to"`
}

func (s *Server) answer(ctx context.Context, _ *sdk.CallToolRequest, asked Answer) (Answered, error) {
	t, e, err := s.sat(ctx, asked.Exam)
	if err != nil {
		return Answered{}, err
	}
	text := kept(asked.Move)
	_, before := t.answers[asked.Item]
	switch next := t.next(); {
	case !before && next > e.Items():
		return Answered{}, allAnswered(e)
	case asked.Item < 1 || asked.Item > e.Items():
		return Answered{}, refusef("item %d: there is no such item; allowed: %d, the next one", asked.Item, next)
	case !before && asked.Item != next:
		return Answered{}, refusef("item %d: it was not asked for yet; allowed: %d, the next one", asked.Item, next)
	case text == "":
		return Answered{}, refusef("move: it is empty; nothing was recorded")
	}
	item, v, err := s.ask(ctx, t, e, asked.Item)
	if err != nil {
		return Answered{}, err
	}
	err = s.Sittings.AnswerItem(ctx, t.id, asked.Item, text)
	switch {
	case errors.Is(err, fs.ErrExist):
		return Answered{}, refusef("item %d: it is answered, and the first answer counts; ask for the next item", asked.Item)
	case err != nil:
		return Answered{}, err
	}
	t.answers[asked.Item] = text
	return Answered{t.id, asked.Item, text, kindOf(v, &item, text), e.Items() - len(t.answers)}, nil
}

// kindOf returns what kind of an answer a text is.
func kindOf(v speech, item *arena.Item, text string) string {
	m, err := v.ParseMove(text)
	if err != nil {
		return string(arena.Unreadable)
	}
	p, err := item.At()
	if err == nil {
		_, err = item.Rules.Play(p, m)
	}
	if err != nil {
		return string(arena.Illegal)
	}
	return "legal"
}
