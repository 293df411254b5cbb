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

// newHall returns a hall that runs until the test is over. Call it in a synctest bubble, which also
// checks that no goroutine is left.
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

// enter visits a table and runs a script. If setup is not nil, it opens the table first.
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

// slowStore is a store that takes a second to load a table, and counts the loads.
type slowStore struct {
	Memory
	loads atomic.Int32
}

func (s *slowStore) Events(ctx context.Context, table string, after int) ([]Event, error) {
	s.loads.Add(1)
	select {
	case <-time.After(time.Second):
		return s.Memory.Events(ctx, table, after)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// saveTable creates a table in a store, runs a script, closes the table and returns its last state.
func saveTable(t *testing.T, store Store, id string, setup Setup, script string) State {
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
		store := new(slowStore)
		want := saveTable(t, store, "t", adaBen, "begin 9a")
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
					t.Errorf("the table differs (- want, + got):\n%s", d)
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
		hall := newHall(t, new(slowStore), HallConfig{Most: 1})
		var visiting sync.WaitGroup
		for range 20 {
			visiting.Go(func() {
				v, err := hall.Visit(t.Context(), "u")
				if !errors.Is(err, ErrNoTable) || v != nil || err.Error() != `table "u": there is no such table` {
					t.Errorf("%v, %v", v, err)
				}
			})
		}
		visiting.Wait()
		if hall.Len() != 0 {
			t.Errorf("got %d rooms, want none", hall.Len())
		}
	})
}

// TestFirstVisitorGivesUp checks that later visitors get the table although the first visitor, who
// started to load it, gives up.
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
				store := new(slowStore)
				saveTable(t, store, "t", adaBen, "begin")
				hall := newHall(t, store, HallConfig{})
				var visiting sync.WaitGroup
				visiting.Go(func() {
					ctx, cancel := tt.give(t.Context())
					defer cancel()
					if _, err := hall.Visit(ctx, "t"); !errors.Is(err, tt.want) {
						t.Errorf("the first visitor: %v", err)
					}
				})
				synctest.Wait() // the first visitor waits for the store
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
						t.Errorf("a visit with a canceled context: %v", err)
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

// TestStorePanics checks that a panic of the store reaches the visitor who loads the table, and
// that other visitors do not wait forever.
func TestStorePanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(hookStore)
		saveTable(t, store, "t", adaBen, "begin")
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
		advance(time.Minute)
		if _, err := hall.Open(t.Context(), "t", robot); err == nil || hall.Len() != 0 {
			t.Errorf("opened twice: %v, %d tables", err, hall.Len())
		}
		invalid := Setup{Rules: digit.Highest, Terms: Terms{BestOf: 2}}
		if _, err := hall.Open(t.Context(), "u", invalid); err == nil || hall.Len() != 0 {
			t.Errorf("a table with an invalid setup: %v, %d tables", err, hall.Len())
		}
		v = enter(t, hall, "t", nil, "8a")
		defer v.Close()
		if got, want := summary(v.Table.State()), "game 1 9__/8__ * 0–0, Player 1 to move"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// A logBuffer collects the output of a logger.
type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// TestHallClose closes a hall while a game, a watcher, a visitor and the computer are active.
func TestHallClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var left atomic.Bool
		host := func(ctx context.Context, table *Table) error {
			for range table.Watch(ctx, 0) {
			}
			time.Sleep(time.Second) // a slow host
			left.Store(true)
			_, err := table.Begin(ctx)
			return err
		}
		log := new(logBuffer)
		store := new(slowStore)
		saveTable(t, store, "kept", adaBen, "")
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
		advance(time.Hour)
		if n := len(savedEvents(t, &store.Memory, "t")); n != 2 {
			t.Errorf("%d events; the clock of a closed table still runs", n)
		}
		if log.String() != "" {
			t.Errorf("log:\n%s", log)
		}
	})
}

// TestHostComesBack checks that a host that fails is started again, and that a host is started
// within a second once a table needs it.
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
		log := new(logBuffer)
		hall := newHall(t, new(Memory), HallConfig{Host: host, Log: slog.New(slog.NewTextHandler(log, nil))})
		v := enter(t, hall, "t", &adaBen, "begin 9a leave:2")
		defer v.Close()
		advance(time.Minute)
		if came.Load() != 0 {
			t.Fatal("the host was started for two persons")
		}
		if err := act(t, v.Table, "replace:1=casual"); err != nil {
			t.Fatal(err)
		}
		v.Host()
		synctest.Wait()
		if came.Load() != 1 || !strings.Contains(log.String(), `table=t error="it has lost its thread"`) {
			t.Errorf("the host was started %d times, want 1; log:\n%s", came.Load(), log)
		}
		advance(time.Second)
		if came.Load() != 2 {
			t.Errorf("the host was started %d times, want 2", came.Load())
		}
		v.Host()
		advance(time.Minute)
		if came.Load() != 2 {
			t.Errorf("the host was started %d times for one table, want 2", came.Load())
		}
	})
}

// TestHostOfTablePutAway checks that no error is logged if the host acts at a table just when the
// table is unloaded.
func TestHostOfTablePutAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := func(ctx context.Context, table *Table) error {
			for range table.Watch(ctx, 0) {
			}
			_, err := table.Begin(ctx)
			return err
		}
		log := new(logBuffer)
		hall := newHall(t, new(Memory), HallConfig{Host: host, Log: slog.New(slog.NewTextHandler(log, nil))})
		enter(t, hall, "t", &robot, "begin").Close()
		advance(time.Minute)
		if hall.Len() != 0 || log.String() != "" {
			t.Errorf("%d tables, log:\n%s", hall.Len(), log)
		}
	})
}
