package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"digitduel/digit"
	"digitduel/match"
)

// A gate is an engine that commits a group when the test sets the outcome.
type gate struct {
	engine
	groups [][]string // the tables of each group that came
	answer chan error
}

func (g *gate) commit(group []*entry) error {
	var tables []string
	for _, e := range group {
		tables = append(tables, e.table)
		if e.table == "taken" {
			e.err = match.ErrConflict
		}
	}
	g.groups = append(g.groups, tables)
	return <-g.answer
}

func (*gate) write(context.Context, func(*sql.Tx) error) error { return nil }
func (*gate) explain(err error) error                          { return err }
func (*gate) close() error                                     { return nil }

// gated runs a test with a DB before a gate, in a bubble where it can be waited until everything
// waits.
func gated(t *testing.T, test func(t *testing.T, d *DB, g *gate)) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{answer: make(chan error)}
		d := &DB{engine: g, stop: func() {}}
		d.queue.init()
		d.running.Go(d.commit)
		test(t, d, g)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
}

// start appends an event without waiting, and returns where the answer will be.
func start(ctx context.Context, d *DB, table string) <-chan error {
	answer := make(chan error, 1)
	go func() {
		answer <- d.Append(ctx, table, match.Event{Seq: 1, Kind: match.Began}, match.State{Setup: match.Setup{Rules: digit.Dilemma}})
	}()
	synctest.Wait()
	return answer
}

func TestWhatWaitsIsCommittedTogether(t *testing.T) {
	gated(t, func(t *testing.T, d *DB, g *gate) {
		answers := []<-chan error{start(t.Context(), d, "first")}
		for _, table := range []string{"a", "b", "taken", "a", "c", "a"} {
			answers = append(answers, start(t.Context(), d, table))
		}
		for range 4 {
			g.answer <- nil
			synctest.Wait()
		}
		for i, answer := range answers {
			want := error(nil)
			if i == 3 {
				want = match.ErrConflict
			}
			if err := <-answer; !errors.Is(err, want) {
				t.Errorf("event %d: got %v, want %v", i, err, want)
			}
		}
		// A table has one event in a group.
		if got, want := fmt.Sprint(g.groups), "[[first] [a b taken c] [a] [a]]"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if events, commits := d.Writes(); events != 6 || commits != 4 {
			t.Errorf("%d events in %d commits", events, commits)
		}
	})
}

func TestAGroupIsBounded(t *testing.T) {
	gated(t, func(t *testing.T, d *DB, g *gate) {
		first := start(t.Context(), d, "first")
		var answers []<-chan error
		for i := range 2*mostInGroup + 1 {
			answers = append(answers, start(t.Context(), d, fmt.Sprint(i)))
		}
		var sizes []int
		for range 4 {
			g.answer <- nil
			synctest.Wait()
		}
		for _, group := range g.groups {
			sizes = append(sizes, len(group))
		}
		if want := []int{1, mostInGroup, mostInGroup, 1}; !slices.Equal(sizes, want) {
			t.Errorf("got groups of %v, want %v", sizes, want)
		}
		for _, answer := range append(answers, first) {
			if err := <-answer; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestACommitThatFailsFailsForAll(t *testing.T) {
	gated(t, func(t *testing.T, d *DB, g *gate) {
		first := start(t.Context(), d, "first")
		a, b := start(t.Context(), d, "a"), start(t.Context(), d, "taken")
		g.answer <- nil
		broken := errors.New("broken")
		g.answer <- broken
		for _, answer := range []<-chan error{a, b} {
			if err := <-answer; !errors.Is(err, broken) {
				t.Errorf("got %v, want %v", err, broken)
			}
		}
		c := start(t.Context(), d, "c")
		g.answer <- nil
		if err := errors.Join(<-first, <-c); err != nil {
			t.Errorf("before and after it: %v", err)
		}
		if events, commits := d.Writes(); events != 2 || commits != 2 {
			t.Errorf("%d events in %d commits", events, commits)
		}
	})
}

func TestGivingUp(t *testing.T) {
	gated(t, func(t *testing.T, d *DB, g *gate) {
		ctx, cancel := context.WithCancel(t.Context())
		taken := start(ctx, d, "being-committed")
		queued := start(ctx, d, "in-the-queue")
		stays := start(t.Context(), d, "stays")
		cancel()
		synctest.Wait()
		if err := <-queued; !errors.Is(err, context.Canceled) {
			t.Errorf("in the queue: got %v", err)
		}
		select {
		case err := <-taken:
			t.Errorf("being committed: it did not wait, but returned %v", err)
		default:
		}
		g.answer <- nil
		g.answer <- nil
		if err := errors.Join(<-taken, <-stays); err != nil {
			t.Error(err)
		}
		if err := <-start(ctx, d, "too-late"); !errors.Is(err, context.Canceled) {
			t.Errorf("given up before: got %v", err)
		}
		if got, want := fmt.Sprint(g.groups), "[[being-committed] [stays]]"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestCloseLetsCommitsFinish(t *testing.T) {
	gated(t, func(t *testing.T, d *DB, g *gate) {
		a, b := start(t.Context(), d, "a"), start(t.Context(), d, "b")
		closed := make(chan error, 1)
		go func() { closed <- d.Close() }()
		synctest.Wait()
		if err := <-start(t.Context(), d, "late"); !errors.Is(err, errClosed) {
			t.Errorf("after Close: got %v, want %v", err, errClosed)
		}
		g.answer <- nil
		synctest.Wait()
		select {
		case <-closed:
			t.Error("it did not wait for the second commit")
		default:
		}
		g.answer <- nil
		if err := errors.Join(<-a, <-b, <-closed); err != nil {
			t.Error(err)
		}
	})
}

// TestCommitsAreShared is the same with real databases, which leave it to chance how large the
// groups are.
func TestCommitsAreShared(t *testing.T) {
	each(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		steps := script(t, match.Setup{Rules: digit.Dilemma}, fiveMoves)
		var wg sync.WaitGroup
		for i := range 64 {
			wg.Go(func() { keep(t, d, fmt.Sprint("t", i), steps) })
		}
		wg.Wait()
		events, commits := d.Writes()
		if want := int64(64 * len(steps)); events != want || commits > want/4 {
			t.Errorf("%d events in %d commits, want %d in at most %d", events, commits, want, want/4)
		}
	})
}
