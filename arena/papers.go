package arena

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"digitduel/digit"
	"digitduel/solve"
)

// Items returns how many items an exam has.
func (e *Exam) Items() int {
	n := 0
	for _, p := range e.Parts {
		n += p.Items
	}
	return n
}

// Papers make exams part by part, as they are asked for: one part at a time, since a solution may be large, and each once for as long as it is
// kept. The caller closes them.
type Papers struct {
	solve  func(context.Context, digit.Rules) (*solve.Solution, error)
	ctx    context.Context // until they are closed
	close  context.CancelFunc
	making sync.WaitGroup
	turn   chan struct{} // taken by whoever makes one

	mu    sync.Mutex
	kept  map[paperKey]*paper
	order []paperKey // those that were asked for last come last
	items int        // of all that are kept
}

// A paperKey is all that the items of a part depend on.
type paperKey struct {
	seed         uint64
	part, before int
	ExamPart
}

// A paper is a part of an exam.
type paper struct {
	ready chan struct{} // closed when the rest is known
	items []Item
	keys  []Key
	err   error
}

// mostPapers is how many items are kept, of the parts that were asked for last.
const mostPapers = 20_000

// NewPapers returns papers that are made with solutions, each of which is lent until its context is done.
func NewPapers(solveGame func(context.Context, digit.Rules) (*solve.Solution, error)) *Papers {
	ctx, cancel := context.WithCancel(context.Background())
	return &Papers{solve: solveGame, ctx: ctx, close: cancel, turn: make(chan struct{}, 1), kept: map[paperKey]*paper{}}
}

// Close stops making papers.
func (p *Papers) Close() {
	p.close()
	p.making.Wait()
}

// Item returns an item of an exam, counted from 1. It waits until the part with the item is made, or the context is done, and has the next part
// made.
func (p *Papers) Item(ctx context.Context, e *Exam, item int) (Item, error) {
	before := 0
	for i, part := range e.Parts {
		if item < 1 || item > before+part.Items {
			before += part.Items
			continue
		}
		made := p.part(e, i, before)
		if i+1 < len(e.Parts) {
			p.part(e, i+1, before+part.Items)
		}
		if err := made.wait(ctx); err != nil {
			return Item{}, err
		}
		return made.items[item-before-1], nil
	}
	return Item{}, fmt.Errorf("item %d: allowed: 1 to %d", item, e.Items())
}

// Keys returns the keys of all items of an exam. It waits until they are made, or the context is done.
func (p *Papers) Keys(ctx context.Context, e *Exam) ([]Key, error) {
	var keys []Key
	for i, part := range e.Parts {
		made := p.part(e, i, len(keys))
		if err := made.wait(ctx); err != nil {
			return nil, err
		}
		if len(made.keys) != part.Items {
			return nil, fmt.Errorf("%v: %d keys for %d items", part.Rules, len(made.keys), part.Items)
		}
		keys = append(keys, made.keys...)
	}
	return keys, nil
}

// ErrMaking says that the context was done before a part of an exam was made, which goes on.
var ErrMaking = errors.New("that part of the exam is being worked out")

func (p *paper) wait(ctx context.Context) error {
	select {
	case <-p.ready:
		return p.err
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", ErrMaking, ctx.Err())
	}
}

// part returns a part of an exam, which may still have to be made.
func (p *Papers) part(e *Exam, part, before int) *paper {
	key := paperKey{e.Seed, part, before, e.Parts[part]}
	p.mu.Lock()
	defer p.mu.Unlock()
	made := p.kept[key]
	if made == nil {
		made = &paper{ready: make(chan struct{})}
		p.kept[key] = made
		p.items += key.Items
		exam := Exam{Seed: e.Seed, Parts: e.Parts[:part+1]}
		p.making.Go(func() { p.make(made, exam, key) })
	}
	p.touch(key)
	return made
}

// touch notes that a part was asked for, and drops what was not for the longest time.
func (p *Papers) touch(key paperKey) {
	p.remove(key)
	p.order = append(p.order, key)
	for p.items > mostPapers && len(p.order) > 1 {
		p.drop(p.order[0])
	}
}

func (p *Papers) remove(key paperKey) {
	for i, k := range p.order {
		if k == key {
			p.order = append(p.order[:i], p.order[i+1:]...)
			return
		}
	}
}

func (p *Papers) drop(key paperKey) {
	p.remove(key)
	delete(p.kept, key)
	p.items -= key.Items
}

// make makes a part. One that could not be made is not kept: another time it may.
func (p *Papers) make(made *paper, e Exam, key paperKey) {
	defer close(made.ready)
	if made.items, made.keys, made.err = p.draw(e, key); made.err == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept[key] == made {
		p.drop(key)
	}
}

// draw draws the items of a part when nobody else does.
func (p *Papers) draw(e Exam, key paperKey) ([]Item, []Key, error) {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-p.ctx.Done():
		return nil, nil, p.ctx.Err()
	}
	ctx, done := context.WithCancel(p.ctx) // until when the solution is lent
	defer done()
	s, err := p.solve(ctx, key.Rules)
	if err != nil {
		return nil, nil, err
	}
	return e.Make(key.part, s, key.before)
}
