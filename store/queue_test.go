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

// A gateEngine is an engine that commits a group when the test sends the result.
type gateEngine struct {
	engine
	groups [][]string // the tables of each group
	answer chan error
}

func (g *gateEngine) commit(group []*entry) error {
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

func (*gateEngine) write(context.Context, func(*sql.Tx) error) error { return nil }
func (*gateEngine) explain(err error) error                          { return err }
func (*gateEngine) close() error                                     { return nil }

// withGate runs a test in a synctest bubble, with a DB that uses a gateEngine.
func withGate(t *testing.T, test func(t *testing.T, d *DB, g *gateEngine)) {
	synctest.Test(t, func(t *testing.T) {
		g := &gateEngine{answer: make(chan error)}
		d := &DB{engine: g, stop: func() {}}
		d.queue.init()
		d.running.Go(d.commit)
		test(t, d, g)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
}

// startAppend starts to append an event, and returns the channel of the result.
func startAppend(ctx context.Context, d *DB, table string) <-chan error {
	answer := make(chan error, 1)
	go func() {
		after := match.State{Setup: match.Setup{Rules: digit.Dilemma}}
		answer <- d.Append(ctx, table, match.Event{Seq: 1, Kind: match.Began}, after)
	}()
	synctest.Wait()
	return answer
}

// TestWhatWaitsIsCommittedTogether checks that waiting events are committed as a group, with at
// most one event of each table.
func TestWhatWaitsIsCommittedTogether(t *testing.T) {
	withGate(t, func(t *testing.T, d *DB, g *gateEngine) {
		answers := []<-chan error{startAppend(t.Context(), d, "first")}
		for _, table := range []string{"a", "b", "taken", "a", "c", "a"} {
			answers = append(answers, startAppend(t.Context(), d, table))
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
		if got, want := fmt.Sprint(g.groups), "[[first] [a b taken c] [a] [a]]"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if events, commits := d.Writes(); events != 6 || commits != 4 {
			t.Errorf("%d events in %d commits", events, commits)
		}
	})
}

func TestAGroupIsBounded(t *testing.T) {
	withGate(t, func(t *testing.T, d *DB, g *gateEngine) {
		first := startAppend(t.Context(), d, "first")
		var answers []<-chan error
		for i := range 2*mostInGroup + 1 {
			answers = append(answers, startAppend(t.Context(), d, fmt.Sprint(i)))
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
	withGate(t, func(t *testing.T, d *DB, g *gateEngine) {
		first := startAppend(t.Context(), d, "first")
		a, b := startAppend(t.Context(), d, "a"), startAppend(t.Context(), d, "taken")
		g.answer <- nil
		broken := errors.New("broken")
		g.answer <- broken
		for _, answer := range []<-chan error{a, b} {
			if err := <-answer; !errors.Is(err, broken) {
				t.Errorf("got %v, want %v", err, broken)
			}
		}
		c := startAppend(t.Context(), d, "c")
		g.answer <- nil
		if err := errors.Join(<-first, <-c); err != nil {
			t.Errorf("the commits before and after it: %v", err)
		}
		if events, commits := d.Writes(); events != 2 || commits != 2 {
			t.Errorf("%d events in %d commits", events, commits)
		}
	})
}

// TestGivingUp cancels appends: one in the queue returns at once, and one that is being committed
// waits for the result.
func TestGivingUp(t *testing.T) {
	withGate(t, func(t *testing.T, d *DB, g *gateEngine) {
		ctx, cancel := context.WithCancel(t.Context())
		taken := startAppend(ctx, d, "being-committed")
		queued := startAppend(ctx, d, "in-the-queue")
		stays := startAppend(t.Context(), d, "stays")
		cancel()
		synctest.Wait()
		if err := <-queued; !errors.Is(err, context.Canceled) {
			t.Errorf("in the queue: got %v", err)
		}
		select {
		case err := <-taken:
			t.Errorf("being committed: it returned %v at once", err)
		default:
		}
		g.answer <- nil
		g.answer <- nil
		if err := errors.Join(<-taken, <-stays); err != nil {
			t.Error(err)
		}
		if err := <-startAppend(ctx, d, "too-late"); !errors.Is(err, context.Canceled) {
			t.Errorf("canceled before: got %v", err)
		}
		if got, want := fmt.Sprint(g.groups), "[[being-committed] [stays]]"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestCloseLetsCommitsFinish(t *testing.T) {
	withGate(t, func(t *testing.T, d *DB, g *gateEngine) {
		a, b := startAppend(t.Context(), d, "a"), startAppend(t.Context(), d, "b")
		closed := make(chan error, 1)
		go func() { closed <- d.Close() }()
		synctest.Wait()
		if err := <-startAppend(t.Context(), d, "late"); !errors.Is(err, errClosed) {
			t.Errorf("after Close: got %v, want %v", err, errClosed)
		}
		g.answer <- nil
		synctest.Wait()
		select {
		case <-closed:
			t.Error("Close did not wait for the second commit")
		default:
		}
		g.answer <- nil
		if err := errors.Join(<-a, <-b, <-closed); err != nil {
			t.Error(err)
		}
	})
}

// TestCommitsAreShared checks with real databases that commits are shared. The size of the groups
// is random.
func TestCommitsAreShared(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		steps := script(t, match.Setup{Rules: digit.Dilemma}, fiveMoves)
		var wg sync.WaitGroup
		for i := range 64 {
			wg.Go(func() { appendSteps(t, d, fmt.Sprint("t", i), steps) })
		}
		wg.Wait()
		events, commits := d.Writes()
		if want := int64(64 * len(steps)); events != want || commits > want/4 {
			t.Errorf("%d events in %d commits, want %d in at most %d", events, commits, want, want/4)
		}
	})
}
