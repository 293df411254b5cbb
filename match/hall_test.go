package match

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
)

// newHall opens a hall, and keeps it in order until the test is over. It belongs into a synctest bubble, which also sees
// to it that nothing goes on after that.
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

// slow is a store in which it takes a second to find a table, and which counts how often that is done.
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
		if p := hall.Presence("u"); p != (Presence{}) {
			t.Errorf("%+v", p)
		}
	})
}

// TestFirstVisitorGivesUp: whoever comes second does not depend on the patience of the first.
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

func TestOpenInHall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hall := newHall(t, new(Memory), HallConfig{})
		v := enter(t, hall, "t", &adaBen, "begin 9a")
		if _, err := hall.Open(t.Context(), "t", robot); err == nil || err.Error() != `table "t": there is one of that name` {
			t.Errorf("opened twice: %v", err)
		}
		v.Close()
		pass(time.Minute)
		if _, err := hall.Open(t.Context(), "t", robot); err == nil || hall.Len() != 0 {
			t.Errorf("opened twice: %v, %d tables", err, hall.Len())
		}
		if _, err := hall.Open(t.Context(), "u", Setup{Rules: digit.Highest, BestOf: 2}); err == nil || hall.Len() != 0 {
			t.Errorf("a table that cannot be set up: %v, %d tables", err, hall.Len())
		}
		v = enter(t, hall, "t", nil, "8a")
		defer v.Close()
		if got, want := stand(v.Table.State()), "game 1 9__/8__ * 0–0, Player 1 to move"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// TestPutAway follows one table from visit to visit.
func TestPutAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hall := newHall(t, new(Memory), HallConfig{Linger: 10 * time.Second})
		first := enter(t, hall, "t", &adaBen, "begin 9a undo:1")
		second := enter(t, hall, "t", nil, "")
		want, table := first.Table.State(), first.Table
		first.Close()
		first.Close() // counts once
		pass(time.Hour)
		if hall.Len() != 1 {
			t.Fatal("a table with a visitor was put away")
		}
		second.Close()
		pass(9 * time.Second)
		third := enter(t, hall, "t", nil, "")
		if third.Table != table {
			t.Error("the table was put away too soon")
		}
		third.Close()
		pass(9 * time.Second)
		if hall.Len() != 1 {
			t.Error("a short visit does not keep the table")
		}
		pass(2 * time.Second)
		if hall.Len() != 0 {
			t.Error("the table is not put away")
		}
		if _, err := table.Begin(t.Context()); !errors.Is(err, errClosed) {
			t.Errorf("the table that was put away goes on: %v", err)
		}
		fourth := enter(t, hall, "t", nil, "")
		defer fourth.Close()
		if d := diff(want, fourth.Table.State()); d != "" || fourth.Table == table {
			t.Errorf("the table came back as another one:\n%s", d)
		}
	})
}

// TestStays: what has to go on without visitors is not put away.
func TestStays(t *testing.T) {
	wait := func(ctx context.Context, _ *Table) error { <-ctx.Done(); return ctx.Err() }
	timed, series := adaBen, robots
	timed.TurnTime = time.Hour
	series.BestOf = 3
	tests := []struct {
		name, script string
		setup        Setup
		stays        bool
	}{
		{"a game of two persons", "begin", adaBen, false},
		{"a running clock", "begin", timed, true},
		{"a clock that does not run", "", timed, false},
		{"a clock that ran", "begin resign:1", timed, false},
		{"the computer's turn", "begin 9a", robot, true},
		{"the turn of the person", "begin", robot, false},
		{"between two games of computers", "begin resign:1", series, true},
		{"after the last game of computers", "begin resign:1", robots, false},
		{"a replaced player's turn", "begin 9a leave:2 replace:1=casual", adaBen, true},
		{"a table that waits for a player", "", lobby, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hall := newHall(t, new(Memory), HallConfig{Host: wait})
				enter(t, hall, "t", &tt.setup, tt.script).Close()
				pass(time.Minute)
				if stays := hall.Len() == 1; stays != tt.stays {
					t.Errorf("the table stays: %v, want %v", stays, tt.stays)
				}
			})
		})
	}
}

func TestFlagWithoutVisitors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(Memory)
		hall := newHall(t, store, HallConfig{})
		setup := adaBen
		setup.TurnTime = time.Minute
		enter(t, hall, "t", &setup, "begin 9a").Close()
		pass(59 * time.Second)
		if n := len(kept(t, store, "t")); n != 3 || hall.Len() != 1 {
			t.Errorf("%d events, %d tables while the clock runs", n, hall.Len())
		}
		pass(2 * time.Second)
		events := kept(t, store, "t")
		if last := events[len(events)-1]; last.Kind != Flagged || last.Seat != Two {
			t.Errorf("the last event is %+v", last)
		}
		if hall.Len() != 0 {
			t.Error("the table stays when its game is over")
		}
	})
}

// dues finds in a store the tables whose clock has run out.
func dues(store Store, ids ...string) func(context.Context, time.Time) ([]string, error) {
	return func(ctx context.Context, before time.Time) (due []string, err error) {
		for _, id := range ids {
			events, err := store.Events(ctx, id, 0)
			if err != nil {
				return nil, err
			}
			var s State
			for _, e := range events {
				s, _ = s.Apply(e)
			}
			if at, timed := s.Deadline(); len(events) == 0 || timed && at.Before(before) {
				due = append(due, id)
			}
		}
		return due, nil
	}
}

// TestOverdue takes up tables that a server left behind with running clocks.
func TestOverdue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(Memory)
		setup := adaBen
		setup.TurnTime = time.Minute
		random := setup
		random.OnTimeout = Random
		keep(t, store, "lost", setup, "begin 9a")
		keep(t, store, "random", random, "begin 9a")
		keep(t, store, "calm", adaBen, "begin")
		log := new(lines)
		hall := newHall(t, store, HallConfig{Overdue: dues(store, "missing", "lost", "random", "calm"), Log: slog.New(slog.NewTextHandler(log, nil))})
		pass(62 * time.Second)
		if hall.Len() != 0 {
			t.Error("a table is taken up before another server had its chance")
		}
		pass(3 * time.Second)
		if events := kept(t, store, "lost"); events[len(events)-1].Kind != Flagged {
			t.Errorf("the last event is %+v", events[len(events)-1])
		}
		if events := kept(t, store, "random"); len(events) != 4 || !events[3].Auto {
			t.Errorf("the events are %+v", events)
		}
		if hall.Len() != 2 {
			t.Errorf("%d tables are taken up", hall.Len())
		}
		pass(20 * time.Second)
		if hall.Len() != 1 {
			t.Errorf("%d tables stay, though one clock runs", hall.Len())
		}
		if !strings.Contains(log.String(), `table \"missing\": there is no such table`) || strings.Contains(log.String(), "calm") {
			t.Errorf("log:\n%s", log)
		}
	})
}

// TestTroubleIsLogged: what a hall could not do in the background is logged, and tried again.
func TestTroubleIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(broken)
		log := new(lines)
		var trouble atomic.Bool
		hall := newHall(t, store, HallConfig{
			Log: slog.New(slog.NewTextHandler(log, nil)),
			Overdue: func(context.Context, time.Time) ([]string, error) {
				if trouble.Load() {
					return nil, errors.New("the list is lost")
				}
				return nil, nil
			},
		})
		v := enter(t, hall, "t", &adaBen, "begin")
		defer v.Close()
		defer stay(t, v, One)()
		trouble.Store(true)
		store.breakAt(1)
		pass(62 * time.Second)
		store.Memory.Append(t.Context(), "t", Event{Seq: 3, Kind: "sang"}, State{})
		hall.Notice(Notice{Table: "t", Seq: 3})
		synctest.Wait()
		for _, want := range []string{
			`msg="keeping the hall in order" error="the list is lost"`,
			`msg="keeping the hall in order" error="table \"t\": event 3 was not kept: the disk is full"`,
			`msg="a table could not be refreshed" table=t error="table \"t\": event 3: event \"sang\" is unknown"`,
		} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("the log has no %s:\n%s", want, log)
			}
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

func TestFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hall := newHall(t, new(Memory), HallConfig{Most: 2})
		timed := adaBen
		timed.TurnTime = time.Hour
		one := enter(t, hall, "one", &adaBen, "begin")
		two := enter(t, hall, "two", &adaBen, "begin")
		full := func() {
			t.Helper()
			if _, err := hall.Open(t.Context(), "three", timed); !errors.Is(err, ErrFull) || hall.Len() != 2 {
				t.Errorf("%v with %d tables", err, hall.Len())
			}
		}
		full()
		again := enter(t, hall, "two", nil, "") // a table that is here has room for everybody
		two.Close()
		full()
		again.Close()
		three := enter(t, hall, "three", &timed, "begin") // in the place of two, which nobody visits
		if hall.Len() != 2 {
			t.Errorf("%d tables", hall.Len())
		}
		three.Close()
		if _, err := hall.Visit(t.Context(), "two"); !errors.Is(err, ErrFull) {
			t.Errorf("a table with a running clock made room: %v", err)
		}
		one.Close()
		enter(t, hall, "two", nil, "9a").Close()
	})
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
		watching.Go(func() { // somebody comes while the hall is closed
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

// TestHostComesBack: a computer that fails is asked again, and one that a table begins to need is asked within a second.
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

// TestHostOfTablePutAway: a computer that acts at a table just when it is put away has done nothing wrong.
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

// wired is a store that gives notice of every event to halls, as a database does to servers.
type wired struct {
	Memory
	mu    sync.Mutex
	halls []*Hall
}

func (w *wired) connect(halls ...*Hall) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.halls = append(w.halls, halls...)
}

func (w *wired) Append(ctx context.Context, table string, e Event, after State) error {
	if err := w.Memory.Append(ctx, table, e, after); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range w.halls {
		h.Notice(Notice{table, e.Seq})
	}
	return nil
}

// TestTwoHalls plays a series in two halls at once, with both players in both of them in a hurry: each turn is taken once, and
// everybody sees the same.
func TestTwoHalls(t *testing.T) {
	for _, careful := range []bool{false, true} { // whether players say which event they saw last
		t.Run(fmt.Sprint("careful ", careful), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := new(wired)
				keep(t, store, "t", bestOf3, "")
				halls := []*Hall{newHall(t, store, HallConfig{}), newHall(t, store, HallConfig{})}
				store.connect(halls...)
				var playing, watching sync.WaitGroup
				var took atomic.Int32
				seen := make([][]Event, len(halls))
				tables := make([]*Table, len(halls))
				for i, hall := range halls {
					v := enter(t, hall, "t", nil, "")
					defer v.Close()
					tables[i] = v.Table
					watching.Go(func() {
						for e := range v.Table.Watch(t.Context(), 0) {
							seen[i] = append(seen[i], e)
						}
					})
					for j := range 4 {
						rng := rand.New(rand.NewPCG(uint64(i), uint64(j)))
						playing.Go(func() { took.Add(hurry(t, v.Table, Seat(j%2), careful, rng)) })
					}
				}
				playing.Wait()
				synctest.Wait()
				want := kept(t, store, "t")
				for i, table := range tables {
					table.Close()
					if d := diff(tables[0].State(), table.State()); d != "" {
						t.Errorf("hall %d stands otherwise:\n%s", i, d)
					}
				}
				watching.Wait()
				moves := int32(0)
				for _, e := range want {
					if e.Kind == Moved {
						moves++
					}
				}
				for i := range halls {
					if d := sameEvents(want, seen[i]); d != "" {
						t.Errorf("hall %d saw another log (- kept, + seen):\n%s", i, d)
					}
				}
				if !tables[0].State().SeriesOver() || took.Load() < moves || !careful && took.Load() != moves {
					t.Errorf("%d moves were answered and %d kept, %s", took.Load(), moves, stand(tables[0].State()))
				}
			})
		})
	}
}

// hurry plays for a seat until the series is over, whether it is its turn or not, and returns how many moves it played.
func hurry(t *testing.T, table *Table, seat Seat, careful bool, rng *rand.Rand) (took int32) {
	for s := table.State(); !s.SeriesOver(); s = table.State() {
		if !s.Playing() {
			if _, err := table.Begin(t.Context()); err != nil && !errors.Is(err, ErrUnderWay) && !errors.Is(err, ErrSeries) {
				t.Error(err)
			}
			continue
		}
		seen := 0
		if careful {
			seen = s.Seq
		}
		m, ok := s.Setup.Rules.Pick(s.Position, rng.IntN)
		if !ok {
			t.Errorf("no move in %s", stand(s))
			return took
		}
		_, err := table.Play(t.Context(), seat, m, seen)
		var move *digit.MoveError
		switch {
		case err == nil:
			took++
		case slices.ContainsFunc([]error{ErrTurn, ErrNoGame, ErrStale}, func(e error) bool { return errors.Is(err, e) }), errors.As(err, &move) && !careful:
		default:
			t.Errorf("%v: %v", m, err)
		}
	}
	return took
}
