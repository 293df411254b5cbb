package match

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
)

// newHall opens a hall, and keeps it in order until the test is over. It belongs into a synctest
// bubble, which also sees to it that nothing goes on after that.
func newHall(t *testing.T, store Store, o HallConfig) *Hall {
	hall := NewHall(store, o)
	ctx, end := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { hall.Run(ctx) })
	t.Cleanup(func() {
		end()
		running.Wait()
		hall.Close()
	})
	return hall
}

// enter visits a table, which is set up first if there is a setup, and does what a script says.
func enter(t *testing.T, hall *Hall, id string, setup *Setup, script string) *Visit {
	t.Helper()
	visit := func() (*Visit, error) { return hall.Visit(t.Context(), id) }
	if setup != nil {
		visit = func() (*Visit, error) { return hall.Open(t.Context(), id, *setup) }
	}
	v, err := visit()
	if err != nil {
		t.Fatal(err)
	}
	if err := act(t, v.Table, script); err != nil {
		t.Fatal(err)
	}
	return v
}

// slow is a store in which it takes a second to find a table, and which counts how often that is
// done.
type slow struct {
	Memory
	loads atomic.Int32
}

func (s *slow) Events(ctx context.Context, table string, after int) ([]Event, error) {
	s.loads.Add(1)
	select {
	case <-time.After(time.Second):
		return s.Memory.Events(ctx, table, after)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// keep puts a table into a store, and leaves it there.
func keep(t *testing.T, store Store, id string, setup Setup, script string) State {
	t.Helper()
	table, err := Open(t.Context(), id, setup, store, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if err := act(t, table, script); err != nil {
		t.Fatal(err)
	}
	return table.State()
}

func TestVisitorsTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(slow)
		want := keep(t, store, "t", adaBen, "begin 9a")
		hall := newHall(t, store, HallConfig{})
		var visiting sync.WaitGroup
		var mu sync.Mutex
		tables := map[*Table]int{}
		for range 50 {
			visiting.Go(func() {
				v, err := hall.Visit(t.Context(), "t")
				if err != nil {
					t.Error(err)
					return
				}
				defer v.Close()
				mu.Lock()
				defer mu.Unlock()
				tables[v.Table]++
				if d := diff(want, v.Table.State()); d != "" {
					t.Errorf("the table is another one:\n%s", d)
				}
			})
		}
		visiting.Wait()
		if n := store.loads.Load(); n != 1 || len(tables) != 1 || hall.Len() != 1 {
			t.Errorf("%d loads, %d tables, %d in the hall", n, len(tables), hall.Len())
		}
	})
}

func TestVisitUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hall := newHall(t, new(slow), HallConfig{Most: 1})
		var visiting sync.WaitGroup
		for range 20 {
			visiting.Go(func() {
				if v, err := hall.Visit(t.Context(), "u"); !errors.Is(err, ErrNoTable) || v != nil || err.Error() != `table "u": there is no such table` {
					t.Errorf("%v, %v", v, err)
				}
			})
		}
		visiting.Wait()
		if hall.Len() != 0 {
			t.Errorf("%d rooms are left behind", hall.Len())
		}
	})
}

// TestFirstVisitorGivesUp: the second visitor does not depend on the patience of the first.
func TestFirstVisitorGivesUp(t *testing.T) {
	for _, tt := range []struct {
		name string
		want error
		give func(context.Context) (context.Context, context.CancelFunc)
	}{
		{"cancelled", context.Canceled, func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(500*time.Millisecond, cancel)
			return ctx, cancel
		}},
		{"out of time", context.DeadlineExceeded, func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 500*time.Millisecond)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := new(slow)
				keep(t, store, "t", adaBen, "begin")
				hall := newHall(t, store, HallConfig{})
				var visiting sync.WaitGroup
				visiting.Go(func() {
					ctx, cancel := tt.give(t.Context())
					defer cancel()
					if _, err := hall.Visit(ctx, "t"); !errors.Is(err, tt.want) {
						t.Errorf("the first visitor: %v", err)
					}
				})
				synctest.Wait() // the first visitor has the store look
				for range 3 {
					visiting.Go(func() {
						v, err := hall.Visit(t.Context(), "t")
						if err != nil {
							t.Errorf("a later visitor: %v", err)
							return
						}
						v.Close()
					})
				}
				visiting.Go(func() {
					if _, err := hall.Visit(canceled(), "t"); !errors.Is(err, context.Canceled) {
						t.Errorf("a visitor who is gone: %v", err)
					}
				})
				visiting.Wait()
				if n := store.loads.Load(); n != 2 || hall.Len() != 1 {
					t.Errorf("%d loads, %d tables", n, hall.Len())
				}
			})
		})
	}
}

// TestStorePanics: a panic of the store is that of the visitor who had it look, and leaves nobody
// waiting.
func TestStorePanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(moody)
		keep(t, store, "t", adaBen, "begin")
		hall := newHall(t, store, HallConfig{})
		store.before(func() error { time.Sleep(time.Second); panic("no such page") })
		var visiting sync.WaitGroup
		visiting.Go(func() {
			defer func() {
				if got := recover(); got != "no such page" {
					t.Errorf("the first visitor: %v", got)
				}
			}()
			_, _ = hall.Visit(t.Context(), "t") // it does not return
		})
		synctest.Wait()
		visiting.Go(func() {
			if _, err := hall.Visit(t.Context(), "t"); err == nil || err.Error() != `load table "t": the store panicked` {
				t.Errorf("the second visitor: %v", err)
			}
		})
		visiting.Wait()
		store.before(func() error { return nil })
		enter(t, hall, "t", nil, "9a").Close()
	})
}

func TestOpenInHall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hall := newHall(t, new(Memory), HallConfig{})
		v := enter(t, hall, "t", &adaBen, "begin 9a")
		if _, err := hall.Open(t.Context(), "t", robot); err == nil || err.Error() != `table "t" already exists` {
			t.Errorf("opened twice: %v", err)
		}
		v.Close()
		pass(time.Minute)
		if _, err := hall.Open(t.Context(), "t", robot); err == nil || hall.Len() != 0 {
			t.Errorf("opened twice: %v, %d tables", err, hall.Len())
		}
		if _, err := hall.Open(t.Context(), "u", Setup{Rules: digit.Highest, Terms: Terms{BestOf: 2}}); err == nil || hall.Len() != 0 {
			t.Errorf("a table that cannot be set up: %v, %d tables", err, hall.Len())
		}
		v = enter(t, hall, "t", nil, "8a")
		defer v.Close()
		if got, want := stand(v.Table.State()), "game 1 9__/8__ * 0–0, Player 1 to move"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// lines are what was logged.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// TestHallClose closes a hall in which everything goes on.
func TestHallClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var left atomic.Bool
		host := func(ctx context.Context, table *Table) error {
			for range table.Watch(ctx, 0) {
			}
			time.Sleep(time.Second) // it clears the table
			left.Store(true)
			_, err := table.Begin(ctx)
			return err
		}
		log := new(lines)
		store := new(slow)
		keep(t, store, "kept", adaBen, "")
		hall := newHall(t, store, HallConfig{Host: host, Log: slog.New(slog.NewTextHandler(log, nil))})
		timed := robot
		timed.TurnTime = time.Minute
		v := enter(t, hall, "t", &timed, "begin")
		defer v.Close()
		var watching sync.WaitGroup
		watching.Go(func() {
			for range v.Table.Watch(t.Context(), 0) {
			}
		})
		watching.Go(func() { // a visitor arrives while the hall is closed
			late, err := hall.Visit(t.Context(), "kept")
			if err != nil {
				t.Error(err)
				return
			}
			defer late.Close()
			if _, err := late.Table.Begin(t.Context()); !errors.Is(err, errClosed) {
				t.Errorf("an act in a closed hall: %v", err)
			}
		})
		synctest.Wait()
		hall.Close()
		if !left.Load() {
			t.Error("the hall did not wait for the computer")
		}
		watching.Wait()
		hall.Close()
		if _, err := hall.Visit(t.Context(), "t"); !errors.Is(err, errClosed) {
			t.Errorf("a visit to a closed hall: %v", err)
		}
		hall.Notice(Notice{})
		hall.Notice(Notice{Table: "t", Seq: 9})
		v.Host()
		pass(time.Hour)
		if n := len(kept(t, &store.Memory, "t")); n != 2 {
			t.Errorf("%d events; the clock of a closed table went on", n)
		}
		if log.String() != "" {
			t.Errorf("log:\n%s", log)
		}
	})
}

// TestHostComesBack: a computer that fails is asked again, and one that a table begins to need is
// asked within a second.
func TestHostComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var came atomic.Int32
		host := func(ctx context.Context, table *Table) error {
			if came.Add(1) == 1 {
				return errors.New("it has lost its thread")
			}
			<-ctx.Done()
			return ctx.Err()
		}
		log := new(lines)
		hall := newHall(t, new(Memory), HallConfig{Host: host, Log: slog.New(slog.NewTextHandler(log, nil))})
		v := enter(t, hall, "t", &adaBen, "begin 9a leave:2")
		defer v.Close()
		pass(time.Minute)
		if came.Load() != 0 {
			t.Fatal("the computer came to persons")
		}
		if err := act(t, v.Table, "replace:1=casual"); err != nil {
			t.Fatal(err)
		}
		v.Host()
		synctest.Wait()
		if came.Load() != 1 || !strings.Contains(log.String(), `table=t error="it has lost its thread"`) {
			t.Errorf("the computer came %d times, log:\n%s", came.Load(), log)
		}
		pass(time.Second)
		if came.Load() != 2 {
			t.Errorf("the computer came %d times", came.Load())
		}
		v.Host()
		pass(time.Minute)
		if came.Load() != 2 {
			t.Errorf("the computer came %d times to one table", came.Load())
		}
	})
}

// TestHostOfTablePutAway: a computer that acts at a table just when it is put away has done nothing
// wrong.
func TestHostOfTablePutAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := func(ctx context.Context, table *Table) error {
			for range table.Watch(ctx, 0) {
			}
			_, err := table.Begin(ctx)
			return err
		}
		log := new(lines)
		hall := newHall(t, new(Memory), HallConfig{Host: host, Log: slog.New(slog.NewTextHandler(log, nil))})
		enter(t, hall, "t", &robot, "begin").Close()
		pass(time.Minute)
		if hall.Len() != 0 || log.String() != "" {
			t.Errorf("%d tables, log:\n%s", hall.Len(), log)
		}
	})
}
