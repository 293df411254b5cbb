package match

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

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
