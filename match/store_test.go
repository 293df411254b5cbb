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

// kept returns what a store has of a table.
func kept(t *testing.T, store Store, table string) []Event {
	t.Helper()
	events, err := store.Events(context.Background(), table, 0)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// sameEvents says in which way two logs differ.
func sameEvents(want, got []Event) string {
	return cmp.Diff(want, got, cmpopts.EquateComparable(digit.Move{}, digit.Rules{}))
}

// lying is a store that can be made to keep events and say that it did not, as one does whose
// answer is lost on the way.
type lying struct {
	Memory
	lies atomic.Bool
}

func (l *lying) Append(ctx context.Context, table string, e Event, after State) error {
	if err := l.Memory.Append(ctx, table, e, after); err != nil {
		return err
	}
	if l.lies.Load() {
		return errors.New("the answer of the store is lost")
	}
	return nil
}

// TestLostAnswer plays every move of a game twice, because the first answer was lost between the
// store and the table.
func TestLostAnswer(t *testing.T) {
	for _, reply := range []struct {
		name  string
		after bool // whether the other player has moved, at another server, before the move comes again
	}{{"at once", false}, {"after the reply", true}} {
		t.Run(reply.name, func(t *testing.T) {
			store := new(lying)
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
				store.lies.Store(true)
				if s, err := table.Play(t.Context(), One, m, before.Seq); err == nil || diff(s, before) != "" {
					t.Fatalf("a lost answer is %v, %s", err, stand(s))
				}
				if s := table.State(); diff(s, before) != "" {
					t.Fatalf("a lost answer changed the table: %s", stand(s))
				}
				store.lies.Store(false)
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
			if got, want := stand(table.State()), "game 1 913/824 1-0 higher 1–0, over"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if n := len(kept(t, store, "t")); n != 8 {
				t.Errorf("%d events are kept of a game of six moves", n)
			}
		})
	}
}

// TestLostAnswerToTheClock loses the answer to the clock: the player loses once.
func TestLostAnswerToTheClock(t *testing.T) {
	for _, rule := range []TimeoutRule{Lose, Random} {
		synctest.Test(t, func(t *testing.T) {
			store := new(lying)
			table, err := Open(t.Context(), "t", Setup{Rules: digit.Highest, Terms: Terms{TurnTime: 30 * time.Second, OnTimeout: rule}}, store, rand.New(rand.NewPCG(1, 1)))
			if err != nil {
				t.Fatal(err)
			}
			defer table.Close()
			if err := act(t, table, "begin"); err != nil {
				t.Fatal(err)
			}
			store.lies.Store(true)
			pass(30 * time.Second)
			store.lies.Store(false)
			pass(5 * time.Second)
			events := kept(t, store, "t")
			if len(events) != 3 || table.State().Seq != 3 || table.State().Playing() != (rule == Random) {
				t.Errorf("%v: %d events are kept, %s", rule, len(events), stand(table.State()))
			}
		})
	}
}

// hanging is a store that can be made to block until the caller gives up.
type hanging struct {
	Memory
	hangs atomic.Bool
	hung  atomic.Int32
}

func (h *hanging) Append(ctx context.Context, table string, e Event, after State) error {
	if h.hangs.Load() {
		h.hung.Add(1)
		<-ctx.Done()
		return ctx.Err()
	}
	return h.Memory.Append(ctx, table, e, after)
}

// TestLooking looks at a table in every way while a move waits for the store.
func TestLooking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(hanging)
		hall := newHall(t, store, HallConfig{})
		v, err := hall.Open(t.Context(), "t", adaBen)
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		if err := act(t, v.Table, "begin 9a"); err != nil {
			t.Fatal(err)
		}
		store.hangs.Store(true)
		ctx, giveUp := context.WithCancel(t.Context())
		answer := make(chan error, 1)
		go func() {
			_, err := v.Table.Play(ctx, Two, digit.Move{Digit: 8, Spot: 'a'}, 0)
			answer <- err
		}()
		synctest.Wait()
		if store.hung.Load() != 1 {
			t.Fatal("the move does not wait for the store")
		}
		if got, want := stand(v.Table.State()), "game 1 9__/___ * 0–0, Player 2 to move"; got != want {
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
			t.Errorf("events %v are seen, and %d steps", seen, len(steps))
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
			t.Errorf("an act that does not wait for the move: %v, %s", err, stand(s))
		}
		giveUp()
		if err := <-answer; !errors.Is(err, context.Canceled) {
			t.Errorf("a move that was given up: %v", err)
		}
		store.hangs.Store(false)
		if err := act(t, v.Table, "8a:2"); err != nil {
			t.Error(err)
		}
	})
}

// TestKeptAfterClose: a move that the store keeps while the table is closed is answered, and nobody
// watches it.
func TestKeptAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(gated)
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
			if s, err := table.Play(t.Context(), One, digit.Move{Digit: 9, Spot: 'a'}, 0); err != nil || s.Seq != 3 {
				t.Errorf("a move that is kept: %v, %s", err, stand(s))
			}
		})
		acting.Go(func() {
			seen := 0
			for range table.Watch(t.Context(), 0) {
				seen++
			}
			if seen != 2 {
				t.Errorf("%d events are seen", seen)
			}
		})
		synctest.Wait()
		table.Close()
		synctest.Wait()
		store.open()
		acting.Wait()
		pass(time.Hour)
		if n := len(kept(t, store, "t")); n != 3 {
			t.Errorf("%d events are kept; the clock of a closed table went on", n)
		}
	})
}

// moody is a store that does something before it reads, which may fail.
type moody struct {
	Memory
	mood atomic.Pointer[func() error]
}

func (m *moody) before(mood func() error) { m.mood.Store(&mood) }

func (m *moody) Events(ctx context.Context, table string, after int) ([]Event, error) {
	if mood := m.mood.Load(); mood != nil {
		if err := (*mood)(); err != nil {
			return nil, err
		}
	}
	return m.Memory.Events(ctx, table, after)
}

// TestRefusedUnread: an act is not refused because of a state that may be old and cannot be
// refreshed.
func TestRefusedUnread(t *testing.T) {
	store := new(moody)
	table, err := Open(t.Context(), "t", adaBen, store, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	hums := errors.New("the disk hums")
	store.before(func() error { return hums })
	if s, err := table.Do(t.Context(), One, Resign, ""); !errors.Is(err, hums) || s.Seq != 1 {
		t.Errorf("%v, %s", err, stand(s))
	}
}

// gated is a store that does everything at once, and answers when its gate is open.
type gated struct {
	Memory
	mu   sync.Mutex
	gate chan struct{} // nil: it is open
}

func (g *gated) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gate = make(chan struct{})
}

func (g *gated) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.gate)
	g.gate = nil
}

func (g *gated) wait() {
	g.mu.Lock()
	gate := g.gate
	g.mu.Unlock()
	if gate != nil {
		<-gate
	}
}

func (g *gated) Append(ctx context.Context, table string, e Event, after State) error {
	defer g.wait()
	return g.Memory.Append(ctx, table, e, after)
}

func (g *gated) Events(ctx context.Context, table string, after int) ([]Event, error) {
	defer g.wait()
	return g.Memory.Events(ctx, table, after)
}

// stubborn is a store that claims to have what it does not show.
type stubborn struct{ Memory }

func (*stubborn) Append(context.Context, string, Event, State) error { return ErrConflict }

// TestStubbornStore: a conflict that cannot be looked at is an error, and not a loop without end.
func TestStubbornStore(t *testing.T) {
	if _, err := Open(t.Context(), "t", adaBen, new(stubborn), nil); !errors.Is(err, ErrConflict) {
		t.Errorf("opened: %v", err)
	}
}

// failing is a store that does not know for how long nobody served the tables.
type failing struct{ Memory }

func (*failing) Down(context.Context, time.Time) (time.Duration, error) {
	return 0, errors.New("the store is away")
}

// TestNoTableNoClock: where no table comes of Open, no clock is left behind that acts for it; and
// at one whose store does not say how long it was away, the clock does not act.
func TestNoTableNoClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(failing)
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
		if _, err := Open(t.Context(), "t", setup, store, nil); err == nil || err.Error() != "a table is set up once, by its first event" {
			t.Errorf("opened twice: %v", err)
		}
		pass(time.Hour)
		if n := len(kept(t, store, "t")); n != 2 {
			t.Errorf("%d events, want 2", n)
		}
	})
}
