package web

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// TestShowcase lets many ask for what is shown after one event, which is made once.
func TestShowcase(t *testing.T) {
	var c showcase
	var made atomic.Int64
	ask := func(table string, seq int) update {
		u, err := c.show(table, seq, func() (update, error) {
			made.Add(1)
			return update{Seq: seq, HTML: fmt.Sprint(table, seq)}, nil
		})
		if err != nil || u.HTML != fmt.Sprint(table, seq) {
			t.Errorf("of %s after %d is shown %+v, %v", table, seq, u, err)
		}
		return u
	}
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() { ask("a", 7); ask("b", 3+i%2) })
	}
	all.Wait()
	if ask("a", 7); made.Load() < 3 || made.Load() > 2+50 {
		t.Errorf("it was made %d times", made.Load())
	}
	before := made.Load()
	for range 10 {
		ask("a", 7)
		ask("b", 4)
	}
	if made.Load() != before {
		t.Error("what was made is made again")
	}
	if ask("a", 8); made.Load() != before+1 {
		t.Error("after the next event nothing new is made")
	}
	failed := errors.New("failed")
	if _, err := c.show("d", 1, func() (update, error) { return update{}, failed }); !errors.Is(err, failed) {
		t.Errorf("the error is %v", err)
	}
	ask("d", 1)
	for i := range 2 * mostShown {
		ask(fmt.Sprint("table ", i), 1)
	}
	if n := len(c.shown); n > mostShown+1 {
		t.Errorf("%d tables are kept", n)
	}
}
