package arena

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"digitduel/digit"
	"digitduel/solve"
)

var twoParts = Exam{Seed: 3, Parts: []ExamPart{{Rules: digit.Sevens, Items: 4}, {Rules: digit.Highest, Items: 3, Hard: true}}}

func solveAll(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
	return solve.Solve(ctx, r, solve.Config{})
}

// TestPapers asks for every item of an exam several times at once: each part is made once, and is what it is by itself.
func TestPapers(t *testing.T) {
	var solved atomic.Int32
	p := NewPapers(func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
		solved.Add(1)
		return solveAll(ctx, r)
	})
	defer p.Close()
	var items []Item
	var keys []Key
	for i, part := range twoParts.Parts {
		s, err := solveAll(t.Context(), part.Rules)
		if err != nil {
			t.Fatal(err)
		}
		some, theirs, err := twoParts.Make(i, s, len(items))
		if err != nil {
			t.Fatal(err)
		}
		items, keys = append(items, some...), append(keys, theirs...)
	}
	var wg sync.WaitGroup
	for range 3 {
		for i := range items {
			wg.Go(func() {
				item, err := p.Item(t.Context(), &twoParts, i+1)
				if !reflect.DeepEqual(items[i], item) || err != nil {
					t.Errorf("item %d: got %v, %v, want %v", i+1, item, err, items[i])
				}
			})
		}
	}
	wg.Wait()
	got, err := p.Keys(t.Context(), &twoParts)
	if !reflect.DeepEqual(keys, got) || err != nil {
		t.Errorf("got the keys %v, %v, want %v", got, err, keys)
	}
	if n := solved.Load(); n != 2 {
		t.Errorf("%d parts were made of 2", n)
	}
	for _, n := range []int{0, -1, 8} {
		if _, err := p.Item(t.Context(), &twoParts, n); err == nil {
			t.Errorf("there is an item %d", n)
		}
	}
}

// TestPapersWhileOneIsMade gives up waiting for a part: it is made nevertheless, and so is the next, one after the other.
func TestPapersWhileOneIsMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		let := make(chan struct{})
		var made []string // by one at a time
		p := NewPapers(func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
			made = append(made, r.String())
			<-let
			return solveAll(ctx, r)
		})
		defer p.Close()
		impatient, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := p.Item(impatient, &twoParts, 1); !errors.Is(err, ErrMaking) || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		synctest.Wait()
		if len(made) != 1 {
			t.Errorf("%v are made at once", made)
		}
		close(let)
		synctest.Wait()
		slices.Sort(made)
		if want := []string{"highest", "sevens"}; !slices.Equal(made, want) {
			t.Errorf("%v were made, want %v", made, want)
		}
		if _, err := p.Item(t.Context(), &twoParts, 7); err != nil || len(made) != 2 {
			t.Errorf("%v, and %v were made", err, made)
		}
	})
}

// TestPapersThatFail asks again for a part that could not be made.
func TestPapersThatFail(t *testing.T) {
	refused := errors.New("too large")
	fails := true
	p := NewPapers(func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
		if fails {
			return nil, refused
		}
		return solveAll(ctx, r)
	})
	defer p.Close()
	exam := Exam{Parts: twoParts.Parts[:1]}
	if _, err := p.Item(t.Context(), &exam, 1); !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
	if _, err := p.Keys(t.Context(), &exam); !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
	p.making.Wait()
	fails = false
	if item, err := p.Item(t.Context(), &exam, 4); err != nil || item.Item != 4 {
		t.Errorf("item %d, %v", item.Item, err)
	}
	if p.items != 4 || len(p.order) != 1 {
		t.Errorf("%d items of %d parts are kept", p.items, len(p.order))
	}
}

// TestPapersAreBounded asks for more than is kept.
func TestPapersAreBounded(t *testing.T) {
	p := NewPapers(func(context.Context, digit.Rules) (*solve.Solution, error) { return nil, nil })
	defer p.Close()
	p.turn <- struct{}{} // so that nothing is made yet
	for seed := range uint64(10) {
		e := Exam{Seed: seed, Parts: []ExamPart{{Rules: digit.Highest, Items: mostPapers / 4}}}
		p.part(&e, 0, 0)
	}
	if p.items != mostPapers || len(p.kept) != 4 || p.order[3].seed != 9 {
		t.Errorf("%d items of %d parts are kept, the last of seed %d", p.items, len(p.kept), p.order[3].seed)
	}
}
