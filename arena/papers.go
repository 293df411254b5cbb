package arena

import (
	"context"
	"fmt"

	"digitduel/digit"
	"digitduel/solve"
)

// Items returns the number of items of an exam.
func (e *Exam) Items() int {
	n := 0
	for _, p := range e.Parts {
		n += p.Items
	}
	return n
}

// Papers make exams part by part, on demand. The caller must close them.
type Papers struct{ *Cache[paperKey, paper] }

// A paperKey holds everything that the items of a part depend on.
type paperKey struct {
	seed         uint64
	part, before int
	ExamPart
}

// A paper is a part of an exam.
type paper struct {
	items []Item
	keys  []Key
}

// mostPapers is the maximum number of items kept.
const mostPapers = 20_000

// NewPapers returns papers made with the solutions that solveGame lends until its context is
// done.
func NewPapers(solveGame func(context.Context, digit.Rules) (*solve.Solution, error)) Papers {
	draw := func(ctx context.Context, key paperKey) (paper, error) {
		ctx, done := context.WithCancel(ctx)
		defer done()
		s, err := solveGame(ctx, key.Rules)
		if err != nil {
			return paper{}, err
		}
		return key.draw(s)
	}
	return Papers{NewCache(mostPapers, func(k paperKey) int { return k.Items }, draw)}
}

// Item returns an item of an exam, counted from 1. It waits until the part with the item is made,
// or the context is done.
func (p Papers) Item(ctx context.Context, e *Exam, item int) (Item, error) {
	before := 0
	for i, part := range e.Parts {
		if item < 1 || item > before+part.Items {
			before += part.Items
			continue
		}
		made, err := p.Get(ctx, paperKey{e.Seed, i, before, part})
		if err != nil {
			return Item{}, err
		}
		return made.items[item-before-1], nil
	}
	return Item{}, fmt.Errorf("item %d: allowed: 1 to %d", item, e.Items())
}

// Keys returns the keys of all items of an exam. It waits until they are made, or the context is
// done.
func (p Papers) Keys(ctx context.Context, e *Exam) ([]Key, error) {
	var keys []Key
	for i, part := range e.Parts {
		made, err := p.Get(ctx, paperKey{e.Seed, i, len(keys), part})
		if err != nil {
			return nil, err
		}
		keys = append(keys, made.keys...)
	}
	return keys, nil
}
