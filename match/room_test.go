package match

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestPutAway checks that a table is unloaded some time after its last visitor has left, and loaded
// again by the next visit.
func TestPutAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hall := newHall(t, new(Memory), HallConfig{Linger: 10 * time.Second})
		first := enter(t, hall, "t", &adaBen, "begin 9a undo:1")
		second := enter(t, hall, "t", nil, "")
		want, table := first.Table.State(), first.Table
		first.Close()
		first.Close() // counts once
		advance(time.Hour)
		if hall.Len() != 1 {
			t.Fatal("a table with a visitor was unloaded")
		}
		second.Close()
		advance(9 * time.Second)
		third := enter(t, hall, "t", nil, "")
		if third.Table != table {
			t.Error("the table was unloaded too soon")
		}
		third.Close()
		advance(9 * time.Second)
		if hall.Len() != 1 {
			t.Error("a short visit does not keep the table")
		}
		advance(2 * time.Second)
		if hall.Len() != 0 {
			t.Error("the table is still loaded")
		}
		if _, err := table.Begin(t.Context()); !errors.Is(err, errClosed) {
			t.Errorf("an act at the unloaded table: %v", err)
		}
		fourth := enter(t, hall, "t", nil, "")
		defer fourth.Close()
		if d := diff(want, fourth.Table.State()); d != "" || fourth.Table == table {
			t.Errorf("the table differs after it was loaded again (- want, + got):\n%s", d)
		}
	})
}

// TestStays checks that a table without visitors stays loaded only while its clock is about to act,
// or if the hall cannot find overdue tables.
func TestStays(t *testing.T) {
	wait := func(ctx context.Context, _ *Table) error { <-ctx.Done(); return ctx.Err() }
	none := func(context.Context, time.Time) ([]string, error) { return nil, nil }
	timed, brief, series, both := adaBen, adaBen, robots, robots
	timed.TurnTime = time.Hour
	brief.TurnTime = time.Minute + handoverTime
	series.BestOf = 3
	both.TurnTime = time.Second
	tests := []struct {
		name, script string
		setup        Setup
		overdue      func(context.Context, time.Time) ([]string, error)
		stays        bool
	}{
		{"a game of two persons", "begin", adaBen, none, false},
		{"a running clock", "begin arrive:1", timed, none, false},
		{"a running clock without a search for overdue tables", "begin arrive:1", timed, nil, true},
		{"a clock that is about to act", "begin arrive:1", brief, none, true},
		{"a clock that does not run", "", timed, nil, false},
		{"a clock that waits", "begin", timed, nil, false},
		{"a clock after the game", "begin resign:1", timed, nil, false},
		{"the computer's turn", "begin 9a", robot, none, false},
		{"the turn of the person", "begin", robot, none, false},
		{"two computers", "begin", robots, none, false},
		{"two computers with a clock", "begin", both, none, false},
		{"between two games of computers", "begin resign:1", series, none, false},
		{"after the last game of computers", "begin resign:1", robots, none, false},
		{"a replaced player's turn", "begin 9a leave:2 replace:1=casual", adaBen, none, false},
		{"a table that waits for a player", "", lobby, none, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hall := newHall(t, new(Memory), HallConfig{Host: wait, Overdue: tt.overdue, Linger: time.Minute})
				enter(t, hall, "t", &tt.setup, tt.script).Close()
				advance(time.Minute + 2*time.Second)
				if stays := hall.Len() == 1; stays != tt.stays {
					t.Errorf("the table stays: %v, want %v", stays, tt.stays)
				}
			})
		})
	}
}

// TestDismissed checks that the host is stopped when its table is unloaded, and that the next visit
// starts it again.
func TestDismissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var thinking, came atomic.Int32
		host := func(ctx context.Context, _ *Table) error {
			came.Add(1)
			thinking.Add(1)
			defer thinking.Add(-1)
			<-ctx.Done() // as long as it takes to solve the game
			return ctx.Err()
		}
		log := new(logBuffer)
		hall := newHall(t, new(Memory), HallConfig{Host: host, Log: slog.New(slog.NewTextHandler(log, nil))})
		enter(t, hall, "t", &robot, "begin 9a").Close()
		synctest.Wait()
		if thinking.Load() != 1 {
			t.Error("the host does not run")
		}
		advance(12 * time.Second)
		if thinking.Load() != 0 || log.String() != "" {
			t.Errorf("%d hosts run without a table, log:\n%s", thinking.Load(), log)
		}
		v := enter(t, hall, "t", nil, "")
		defer v.Close()
		advance(time.Hour)
		if thinking.Load() != 1 || came.Load() != 2 {
			t.Errorf("%d hosts run, %d were started; want 1, 2", thinking.Load(), came.Load())
		}
	})
}

// TestFullOfLeft checks that a visitor to a full hall checks only a few unvisited tables, and the
// next visitor some others.
func TestFullOfLeft(t *testing.T) {
	const many = 1000
	g := registry{byID: map[string]*room{}}
	for i := range many {
		r, _ := g.enter(fmt.Sprint(i))
		r.table = emptyTable(r.id, nil, nil)
		r.visits = i % 2
	}
	looks := map[string]bool{}
	for found, visitors := false, 0; !found; visitors++ {
		before, looked := len(g.byID), 0
		found = g.makeRoom(func(r *room) bool {
			if r.visits > 0 {
				t.Fatalf("makeRoom checks %s, which is in use", r.id)
			}
			looked++
			looks[r.id] = true
			return len(looks) == many/2
		})
		if want := map[bool]int{true: before - 1, false: before}[found]; len(g.byID) != want {
			t.Fatalf("%d rooms, want %d", len(g.byID), want)
		}
		if looked > 32 || visitors > 10_000 {
			t.Fatalf("visitor %d checked %d tables, %d in all", visitors, looked, len(looks))
		}
	}
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
		again := enter(t, hall, "two", nil, "") // a loaded table needs no room
		two.Close()
		full()
		again.Close()
		three := enter(t, hall, "three", &timed, "begin arrive:1") // replaces two, which has no visitors
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

// TestFullOfClocks checks that unvisited tables with a long turn time do not fill the hall, and
// that their clocks still act.
func TestFullOfClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(Memory)
		hall := newHall(t, store, HallConfig{Most: 3, Overdue: dues(store, "0", "1", "2")})
		timed := adaBen
		timed.TurnTime = time.Hour
		for i := range 3 {
			enter(t, hall, fmt.Sprint(i), &timed, "begin arrive:1").Close()
		}
		here := enter(t, hall, "here", &adaBen, "begin")
		defer here.Close()
		advance(2 * time.Hour)
		for i := range 3 {
			if events := savedEvents(t, store, fmt.Sprint(i)); events[len(events)-1].Kind != Flagged {
				t.Errorf("the clock of table %d has not acted: %+v", i, events[len(events)-1])
			}
		}
		if hall.Len() != 1 {
			t.Errorf("%d tables", hall.Len())
		}
	})
}
