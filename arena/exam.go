package arena

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"digitduel/arena/disguise"
	"digitduel/bot"
	"digitduel/digit"
	"digitduel/solve"
)

// An Item is one question of an exam: a position in which to choose a move. It does not contain
// the answer.
type Item struct {
	Item     int          `json:"item"` // counted from 1
	Rules    digit.Rules  `json:"rules"`
	Position string       `json:"position"`
	Turn     digit.Side   `json:"turn"`
	Left     string       `json:"left"`  // the digits left in the pool
	Moves    []digit.Move `json:"moves"` // each digit once; it counts with its best call
}

// A Key is the answer to an item.
type Key struct {
	Item          int          `json:"item"`
	Rules         digit.Rules  `json:"rules"`
	Position      string       `json:"position"`
	Keeps         []digit.Move `json:"keeps"`  // the moves that keep the value of the position
	Chance        float64      `json:"chance"` // the share of such moves
	Difficulty    string       `json:"difficulty"`
	disguise.Spec              // of the item and its answer
}

// Difficulties of items.
const (
	Easy   = "easy"   // more than two thirds of the moves keep the outcome, or one wins at once
	Middle = "middle" // neither easy nor hard
	Hard   = "hard"   // at most a third of the moves keep the outcome, and none wins at once
)

// An Exam specifies items. The same exam has the same items everywhere.
type Exam struct {
	Name  string
	Seed  uint64
	Parts []ExamPart
}

// An ExamPart specifies items under the same rules.
type ExamPart struct {
	Rules digit.Rules
	Items int
	Hard  bool // only hard items
}

// Standard returns the standard exam. It never changes; a new one would have another number.
func Standard() Exam {
	e := Exam{Name: "standard-1", Seed: 1}
	books := []digit.Rules{
		digit.Dilemma, digit.Sevens, digit.Highest, digit.Divisibility, digit.Reverse,
	}
	for _, r := range books {
		e.Parts = append(e.Parts, ExamPart{Rules: r, Items: 40})
	}
	wide, thirteen, prime := digit.Dilemma, digit.Dilemma, digit.Divisibility
	wide.Width, thirteen.Target, prime.Target = 4, 13, 101
	for _, r := range []digit.Rules{thirteen, wide, prime} {
		e.Parts = append(e.Parts, ExamPart{Rules: r, Items: 100, Hard: true})
	}
	return e
}

// MostItems is the maximum number of items of one part of an exam.
const MostItems = 100_000

// A FewItemsError reports that a game has too few items.
type FewItemsError struct {
	Rules         digit.Rules
	Found, Wanted int
	Hard          bool
}

func (e *FewItemsError) Error() string {
	items := "items"
	if e.Hard {
		items = "hard items"
	}
	return fmt.Sprintf("%v: only %d of %d %s were found", e.Rules, e.Found, e.Wanted, items)
}

// Make returns the items of a part of an exam and their keys, numbered from before+1.
func (e *Exam) Make(part int, s *solve.Solution, before int) (items []Item, keys []Key, err error) {
	made, err := paperKey{e.Seed, part, before, e.Parts[part]}.draw(s)
	return made.items, made.keys, err
}

// draw returns random items of a part of an exam and their keys.
func (k paperKey) draw(s *solve.Solution) (made paper, err error) {
	r := s.Rules()
	rng := rand.New(rand.NewPCG(mix(k.seed), mix(uint64(k.part))))
	plies := r.Fills(digit.First) + r.Fills(digit.Second)
	draw(r, rng, 0, plies-1, k.Items, func(p digit.Position) bool {
		key := keyOf(s, p)
		if len(key.Keeps) == 0 || k.Hard && key.Difficulty != Hard {
			return false
		}
		key.Item = k.before + len(made.items) + 1
		made.keys = append(made.keys, key)
		made.items = append(made.items, itemOf(key, p))
		return true
	})
	if found := len(made.items); found < k.Items {
		return paper{}, &FewItemsError{r, found, k.Items, k.Hard}
	}
	return made, nil
}

func itemOf(key Key, p digit.Position) Item {
	r := key.Rules
	item := Item{
		Item: key.Item, Rules: r, Position: key.Position,
		Turn: r.Turn(p), Left: r.Left(p).List(" "),
	}
	for m := range r.Moves(p) {
		if m == m.Uncalled() {
			item.Moves = append(item.Moves, m)
		}
	}
	return item
}

// keyOf returns the key of a position. It is empty if all choices are equally good.
func keyOf(s *solve.Solution, p digit.Position) Key {
	choices, value := s.Choices(p), s.Value(p)
	keep := solve.Keep(choices)
	if keep == len(choices) {
		return Key{}
	}
	key := Key{
		Rules:      s.Rules(),
		Position:   s.Rules().Text(p),
		Chance:     float64(keep) / float64(len(choices)),
		Difficulty: Middle,
	}
	for _, c := range choices {
		if c.Value.Outcome == value.Outcome {
			key.Keeps = append(key.Keeps, c.Move.Uncalled())
		}
	}
	switch atOnce := value.Outcome == solve.Win && value.Plies == 1; {
	case atOnce || 3*keep > 2*len(choices):
		key.Difficulty = Easy
	case 3*keep <= len(choices):
		key.Difficulty = Hard
	}
	return key
}

// Choose returns the answer of a level to an item. The same seed gives the same answer.
func (i *Item) Choose(level bot.Level, s *solve.Solution, seed uint64) (digit.Move, error) {
	p, err := i.At()
	if err != nil {
		return digit.Move{}, err
	}
	b := bot.New(level, s, rand.New(rand.NewPCG(mix(seed), mix(uint64(i.Item)))))
	return b.Choose(p), nil
}

// At returns the position of an item.
func (i *Item) At() (digit.Position, error) {
	p, err := i.Rules.ParsePosition(i.Position)
	if err == nil && i.Rules.Result(p).Over() {
		err = fmt.Errorf("position %s: the game is over there", i.Position)
	}
	return p, err
}

// ParseExam returns the exam with a name.
func ParseExam(name string) (Exam, error) {
	if e := Standard(); strings.EqualFold(name, e.Name) || name == "standard" {
		return e, nil
	}
	return Exam{}, fmt.Errorf("unknown exam %q (use %s)", name, Standard().Name)
}
