package arena

import (
	"context"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"digitduel/digit"
	"digitduel/solve"
)

var twoParts = Exam{Seed: 3, Parts: []ExamPart{
	{Rules: digit.Sevens, Items: 4}, {Rules: digit.Highest, Items: 3, Hard: true},
}}

func solveAll(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
	return solve.Solve(ctx, r, solve.Config{})
}

// TestPapers gets every item of an exam several times concurrently, and checks that each part is
// made once, and equals the part made alone.
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
		t.Errorf("%d parts were made, want 2", n)
	}
	for _, n := range []int{0, -1, 8} {
		if _, err := p.Item(t.Context(), &twoParts, n); err == nil {
			t.Errorf("got an item %d, want an error", n)
		}
	}
}
