package match

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"digitduel/digit"
)

// savedEvents returns the events of a table in a store.
func savedEvents(t *testing.T, store Store, table string) []Event {
	t.Helper()
	events, err := store.Events(context.Background(), table, 0)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// sameEvents describes the differences between two logs.
func sameEvents(want, got []Event) string {
	return cmp.Diff(want, got, cmpopts.EquateComparable(digit.Move{}, digit.Rules{}))
}

// lossyStore is a store that can be made to save events and return an error, as if its answer were
// lost.
type lossyStore struct {
	Memory
	lossy atomic.Bool
}

func (l *lossyStore) Append(ctx context.Context, table string, e Event, after State) error {
	if err := l.Memory.Append(ctx, table, e, after); err != nil {
		return err
	}
	if l.lossy.Load() {
		return errors.New("the answer of the store is lost")
	}
	return nil
}

// TestLostAnswer plays every move of a game twice, because the first answer was lost between the
// store and the table.
func TestLostAnswer(t *testing.T) {
	for _, reply := range []struct {
		name  string
		after bool // whether the opponent has moved on another server before the move is sent again
	}{{"at once", false}, {"after the reply", true}} {
		t.Run(reply.name, func(t *testing.T) {
			store := new(lossyStore)
			table, err := Open(t.Context(), "t", Setup{Rules: digit.Highest}, store, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer table.Close()
			if err := act(t, table, "begin"); err != nil {
				t.Fatal(err)
			}
			other, err := Resume(t.Context(), "t", store, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			for _, text := range []string{"9a 8a", "1b 2b", "3c 4c"} {
				m, _ := digit.ParseMove(text[:2])
				before := table.State()
				store.lossy.Store(true)
				if s, err := table.Play(t.Context(), One, m, before.Seq); err == nil || diff(s, before) != "" {
					t.Fatalf("a lost answer: got %v, %s", err, summary(s))
				}
				if s := table.State(); diff(s, before) != "" {
					t.Fatalf("a lost answer changed the table: %s", summary(s))
				}
				store.lossy.Store(false)
				if err := other.Refresh(t.Context()); err != nil {
					t.Fatal(err)
				}
				want := other.State()
				if reply.after {
					if err := act(t, other, text[3:]); err != nil {
						t.Fatal(err)
					}
				}
				for range 2 {
					s, err := table.Play(t.Context(), One, m, before.Seq)
					if err != nil || diff(want, s) != "" {
						t.Errorf("%v again: %v (- the first time, + again)\n%s", m, err, diff(want, s))
					}
				}
				if !reply.after {
					if err := act(t, table, text[3:]); err != nil {
						t.Fatal(err)
					}
				}
			}
			if got, want := summary(table.State()), "game 1 913/824 1-0 higher 1–0, over"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if n := len(savedEvents(t, store, "t")); n != 8 {
				t.Errorf("%d events are saved for a game of six moves, want 8", n)
			}
		})
	}
}

// TestLostAnswerToTheClock loses the answer to an event of the clock: the event is saved once.
func TestLostAnswerToTheClock(t *testing.T) {
	for _, rule := range []TimeoutRule{Lose, Random} {
		synctest.Test(t, func(t *testing.T) {
			store := new(lossyStore)
			setup := Setup{Rules: digit.Highest, Terms: Terms{TurnTime: 30 * time.Second, OnTimeout: rule}}
			table, err := Open(t.Context(), "t", setup, store, rand.New(rand.NewPCG(1, 1)))
			if err != nil {
				t.Fatal(err)
			}
			defer table.Close()
			if err := act(t, table, "begin"); err != nil {
				t.Fatal(err)
			}
			store.lossy.Store(true)
			advance(30 * time.Second)
			store.lossy.Store(false)
			advance(5 * time.Second)
			events := savedEvents(t, store, "t")
			if len(events) != 3 || table.State().Seq != 3 || table.State().Playing() != (rule == Random) {
				t.Errorf("%v: %d events are saved, %s", rule, len(events), summary(table.State()))
			}
		})
	}
}

// blockingStore is a store that can be made to block until the caller gives up.
type blockingStore struct {
	Memory
	blocks  atomic.Bool
	blocked atomic.Int32
}

func (h *blockingStore) Append(ctx context.Context, table string, e Event, after State) error {
	if h.blocks.Load() {
		h.blocked.Add(1)
		<-ctx.Done()
		return ctx.Err()
	}
	return h.Memory.Append(ctx, table, e, after)
}

// TestLooking checks that a table can be read in every way while a move waits for the store.
func TestLooking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(blockingStore)
		hall := newHall(t, store, HallConfig{})
		v, err := hall.Open(t.Context(), "t", adaBen)
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		if err := act(t, v.Table, "begin 9a"); err != nil {
			t.Fatal(err)
		}
		store.blocks.Store(true)
		ctx, giveUp := context.WithCancel(t.Context())
		answer := make(chan error, 1)
		go func() {
			_, err := v.Table.Play(ctx, Two, digit.Move{Digit: 8, Spot: 'a'}, 0)
			answer <- err
		}()
		synctest.Wait()
		if store.blocked.Load() != 1 {
			t.Fatal("the move does not wait for the store")
		}
		if got, want := summary(v.Table.State()), "game 1 9__/___ * 0–0, Player 2 to move"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		var seen []int
		for e := range v.Table.Watch(t.Context(), 1) {
			if seen = append(seen, e.Seq); e.Seq == 3 {
				break
			}
		}
		steps, more := v.Table.Since(0)
		if !slices.Equal(seen, []int{2, 3}) || len(steps) != 3 || more == nil {
			t.Errorf("saw events %v and %d steps", seen, len(steps))
		}
		second, err := hall.Visit(t.Context(), "t")
		if err != nil {
			t.Fatal(err)
		}
		second.Presence()
		second.Close()
		hall.Notice(Notice{Table: "t", Seq: 9})
		if hall.Len() != 1 {
			t.Errorf("%d tables", hall.Len())
		}
		if s, err := v.Table.Do(canceled(), One, Resign, ""); !errors.Is(err, context.Canceled) || s.Seq != 3 {
			t.Errorf("an act with a canceled context: %v, %s", err, summary(s))
		}
		giveUp()
		if err := <-answer; !errors.Is(err, context.Canceled) {
			t.Errorf("the canceled move: %v", err)
		}
		store.blocks.Store(false)
		if err := act(t, v.Table, "8a:2"); err != nil {
			t.Error(err)
		}
	})
}

// TestKeptAfterClose checks that a move succeeds if the store saves it while the table is closed,
// and that watchers do not see it.
func TestKeptAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(gatedStore)
		table, err := Open(t.Context(), "t", Setup{Rules: digit.Highest, Terms: Terms{TurnTime: time.Minute}}, store, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := act(t, table, "begin"); err != nil {
			t.Fatal(err)
		}
		store.close()
		var acting sync.WaitGroup
		acting.Go(func() {
			s, err := table.Play(t.Context(), One, digit.Move{Digit: 9, Spot: 'a'}, 0)
			if err != nil || s.Seq != 3 {
				t.Errorf("a move that is saved: %v, %s", err, summary(s))
			}
		})
		acting.Go(func() {
			seen := 0
			for range table.Watch(t.Context(), 0) {
				seen++
			}
			if seen != 2 {
				t.Errorf("saw %d events, want 2", seen)
			}
		})
		synctest.Wait()
		table.Close()
		synctest.Wait()
		store.open()
		acting.Wait()
		advance(time.Hour)
		if n := len(savedEvents(t, store, "t")); n != 3 {
			t.Errorf("%d events are saved; the clock of a closed table still runs", n)
		}
	})
}

// hookStore is a store that calls a function before it reads, and returns its error.
type hookStore struct {
	Memory
	hook atomic.Pointer[func() error]
}

func (h *hookStore) before(hook func() error) { h.hook.Store(&hook) }

func (h *hookStore) Events(ctx context.Context, table string, after int) ([]Event, error) {
	if hook := h.hook.Load(); hook != nil {
		if err := (*hook)(); err != nil {
			return nil, err
		}
	}
	return h.Memory.Events(ctx, table, after)
}

// TestRefusedUnread checks that an act is not refused by an old state that cannot be refreshed: the
// error of the store is returned.
func TestRefusedUnread(t *testing.T) {
	store := new(hookStore)
	table, err := Open(t.Context(), "t", adaBen, store, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	hums := errors.New("the disk hums")
	store.before(func() error { return hums })
	if s, err := table.Do(t.Context(), One, Resign, ""); !errors.Is(err, hums) || s.Seq != 1 {
		t.Errorf("%v, %s", err, summary(s))
	}
}

// gatedStore is a store that does everything at once, but returns only when its gate is open.
type gatedStore struct {
	Memory
	mu   sync.Mutex
	gate chan struct{} // nil if open
}

func (g *gatedStore) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gate = make(chan struct{})
}

func (g *gatedStore) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.gate)
	g.gate = nil
}

func (g *gatedStore) wait() {
	g.mu.Lock()
	gate := g.gate
	g.mu.Unlock()
	if gate != nil {
		<-gate
	}
}

func (g *gatedStore) Append(ctx context.Context, table string, e Event, after State) error {
	defer g.wait()
	return g.Memory.Append(ctx, table, e, after)
}

func (g *gatedStore) Events(ctx context.Context, table string, after int) ([]Event, error) {
	defer g.wait()
	return g.Memory.Events(ctx, table, after)
}

// conflictStore is a store that reports a conflict for every event, but has no events.
type conflictStore struct{ Memory }

func (*conflictStore) Append(context.Context, string, Event, State) error { return ErrConflict }

// TestStubbornStore checks that a conflict without a conflicting event is an error, and not an
// endless loop.
func TestStubbornStore(t *testing.T) {
	if _, err := Open(t.Context(), "t", adaBen, new(conflictStore), nil); !errors.Is(err, ErrConflict) {
		t.Errorf("got %v, want ErrConflict", err)
	}
}

// unknownDownStore is a store that cannot report its down time.
type unknownDownStore struct{ Memory }

func (*unknownDownStore) Down(context.Context, time.Time) (time.Duration, error) {
	return 0, errors.New("the store is away")
}

// TestNoTableNoClock checks that a failed Open leaves no clock that acts, and that the clock of a
// table does not act if its store cannot report the down time.
func TestNoTableNoClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(unknownDownStore)
		setup := Setup{Rules: digit.Highest, Terms: Terms{TurnTime: 30 * time.Second}}
		table, err := Open(t.Context(), "t", setup, store, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := act(t, table, "begin"); err != nil {
			t.Fatal(err)
		}
		table.Close()
		again, err := Resume(t.Context(), "t", store, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		_, err = Open(t.Context(), "t", setup, store, nil)
		if err == nil || err.Error() != "a table is set up once, by its first event" {
			t.Errorf("opened twice: %v", err)
		}
		advance(time.Hour)
		if n := len(savedEvents(t, store, "t")); n != 2 {
			t.Errorf("%d events, want 2", n)
		}
	})
}
