package match

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
)

func TestClock(t *testing.T) {
	setup := Setup{Rules: digit.Highest, Terms: Terms{TurnTime: 30 * time.Second}}
	t.Run("time lost loses", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			table := open(t, setup)
			pass(29 * time.Second)
			if err := act(t, table, "9a"); err != nil {
				t.Fatal(err)
			}
			pass(29*time.Second + 999*time.Millisecond)
			if s := table.State(); !s.Playing() {
				t.Fatalf("lost too early: %s", stand(s))
			}
			pass(time.Millisecond)
			if got, want := stand(table.State()), "game 1 9__/___ 1-0 time 1–0, over"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			pass(time.Hour)
			if n := table.State().Seq; n != 4 {
				t.Errorf("the clock went on after the game: %d events", n)
			}
		})
	})
	t.Run("a random move is played", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			setup := setup
			setup.OnTimeout = Random
			table := open(t, setup)
			for table.State().Playing() {
				pass(30 * time.Second)
			}
			s := table.State()
			if len(s.Moves) != 6 || s.Result.Reason != digit.ByHigher {
				t.Errorf("six time-outs came to %s", stand(s))
			}
			for e := range table.Watch(canceled(), 0) {
				t.Errorf("event %d after the watch was given up", e.Seq)
			}
		})
	})
	t.Run("none runs where nobody waits", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			setup := setup
			setup.Levels = robots.Levels
			table := open(t, setup)
			pass(time.Hour)
			if s := table.State(); !s.Playing() {
				t.Errorf("the computer has lost its time to itself: %s", stand(s))
			}
		})
	})
	t.Run("undo gives the time anew", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			setup := setup
			setup.FreeUndo = true
			table := open(t, setup)
			pass(20 * time.Second)
			if err := act(t, table, "9a undo:1"); err != nil {
				t.Fatal(err)
			}
			pass(20 * time.Second)
			if s := table.State(); !s.Playing() {
				t.Errorf("time was lost: %s", stand(s))
			}
		})
	})
	t.Run("time in which nobody served the table does not count", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			store := new(down)
			table, err := Open(t.Context(), "t", setup, store, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := table.Begin(t.Context()); err != nil {
				t.Fatal(err)
			}
			pass(10 * time.Second)
			table.Close()
			pass(time.Hour)
			store.time = time.Hour
			again, err := Resume(t.Context(), "t", store, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			pass(19 * time.Second)
			if s := again.State(); !s.Playing() {
				t.Fatalf("time was lost: %s", stand(s))
			}
			pass(2 * time.Second)
			if s := again.State(); s.Result.Reason != digit.TimeOut {
				t.Errorf("time was won: %s", stand(s))
			}
		})
	})
	t.Run("a store that fails delays the clock", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			store := &broken{}
			table, err := Open(t.Context(), "t", setup, store, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer table.Close()
			if _, err := table.Begin(t.Context()); err != nil {
				t.Fatal(err)
			}
			store.breakAt(1)
			pass(31 * time.Second)
			if s := table.State(); !s.Playing() {
				t.Fatalf("an event was not kept and yet told: %s", stand(s))
			}
			if _, err := table.Play(t.Context(), One, digit.Move{Digit: 9, Spot: 'a'}, 0); !errors.Is(err, ErrTimeout) {
				t.Errorf("a move after the time: %v", err)
			}
			store.breakAt(0)
			pass(time.Second)
			if s := table.State(); s.Result.Reason != digit.TimeOut {
				t.Errorf("the clock did not try again: %s", stand(s))
			}
		})
	})
}

// TestCountdown: the next game begins once, some time after one player is ready for it, on
// whichever server holds the table.
func TestCountdown(t *testing.T) {
	setup := Setup{Rules: digit.Highest, Terms: Terms{BestOf: 3, TurnTime: 15 * time.Second}}
	const ready, begun = "game 1 ___/___ 0-1 resigned 0–1, Player 2 is ready", "game 2 ___/___ * 0–1, Player 2 to move"
	is := func(t *testing.T, table *Table, want string) {
		t.Helper()
		if got := stand(table.State()); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
	wait := func(t *testing.T, store Store) *Table {
		t.Helper()
		keep(t, store, "t", setup, "begin resign:1 next:2")
		return resume(t, store)
	}
	t.Run("and the clock runs only then", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			table := wait(t, new(Memory))
			pass(20 * time.Second)
			if err := act(t, table, "next:2"); err != nil { // it does not begin again
				t.Fatal(err)
			}
			pass(Countdown - 20*time.Second - time.Millisecond)
			is(t, table, ready)
			pass(time.Millisecond)
			is(t, table, begun)
			if at, ok := table.State().Deadline(); !ok || time.Until(at) != setup.TurnTime {
				t.Errorf("the first turn has %v, %v", time.Until(at), ok)
			}
		})
	})
	t.Run("nobody is ready", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			store := new(Memory)
			keep(t, store, "t", setup, "begin resign:1")
			table := resume(t, store)
			pass(time.Hour)
			is(t, table, "game 1 ___/___ 0-1 resigned 0–1")
		})
	})
	t.Run("at two servers", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			store := new(Memory)
			table, other := wait(t, store), resume(t, store)
			pass(Countdown)
			for _, table := range []*Table{table, other} {
				if err := table.Refresh(t.Context()); err != nil {
					t.Fatal(err)
				}
				is(t, table, begun)
			}
		})
	})
	t.Run("after a restart", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			store := new(down)
			table := wait(t, store)
			pass(10 * time.Second)
			table.Close()
			pass(time.Hour)
			store.time = time.Hour
			table = resume(t, store)
			pass(19 * time.Second)
			is(t, table, ready)
			pass(time.Second)
			is(t, table, begun)
		})
	})
	t.Run("where nobody visits", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			store := new(Memory)
			wait(t, store).Close()
			newHall(t, store, HallConfig{Overdue: dues(store, "t")})
			pass(Countdown + 10*time.Second)
			events, err := store.Events(t.Context(), "t", 0)
			if err != nil || events[len(events)-1].Kind != Began || len(events) != 5 {
				t.Errorf("%+v, %v", events, err)
			}
		})
	})
}

// resume takes up the table t of a store.
func resume(t *testing.T, store Store) *Table {
	t.Helper()
	table, err := Resume(t.Context(), "t", store, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(table.Close)
	return table
}

func TestTimeoutRule(t *testing.T) {
	for _, rule := range []TimeoutRule{Lose, Random} {
		if got, err := ParseTimeoutRule(rule.String()); err != nil || got != rule {
			t.Errorf("%v is read as %v, %v", rule, got, err)
		}
	}
	if _, err := ParseTimeoutRule("wait"); err == nil || err.Error() != `time-out rule "wait": allowed: lose, random` {
		t.Errorf("error %v", err)
	}
}
