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
	t.Run("a player who runs out of time loses", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			table := open(t, setup)
			advance(29 * time.Second)
			if err := act(t, table, "9a"); err != nil {
				t.Fatal(err)
			}
			advance(29*time.Second + 999*time.Millisecond)
			if s := table.State(); !s.Playing() {
				t.Fatalf("lost too early: %s", summary(s))
			}
			advance(time.Millisecond)
			if got, want := summary(table.State()), "game 1 9__/___ 1-0 time 1–0, over"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			advance(time.Hour)
			if n := table.State().Seq; n != 4 {
				t.Errorf("the clock ran after the game: %d events", n)
			}
		})
	})
	t.Run("a random move is played", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			setup := setup
			setup.OnTimeout = Random
			table := open(t, setup)
			for table.State().Playing() {
				advance(30 * time.Second)
			}
			s := table.State()
			if len(s.Moves) != 6 || s.Result.Reason != digit.ByHigher {
				t.Errorf("after six time-outs: %s", summary(s))
			}
			for e := range table.Watch(canceled(), 0) {
				t.Errorf("event %d after the watch was canceled", e.Seq)
			}
		})
	})
	t.Run("no clock runs if the computer plays itself", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			setup := setup
			setup.Levels = robots.Levels
			table := open(t, setup)
			advance(time.Hour)
			if s := table.State(); !s.Playing() {
				t.Errorf("the computer ran out of time against itself: %s", summary(s))
			}
		})
	})
	t.Run("undo restarts the turn time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			setup := setup
			setup.FreeUndo = true
			table := open(t, setup)
			advance(20 * time.Second)
			if err := act(t, table, "9a undo:1"); err != nil {
				t.Fatal(err)
			}
			advance(20 * time.Second)
			if s := table.State(); !s.Playing() {
				t.Errorf("the game ended too early: %s", summary(s))
			}
		})
	})
	t.Run("time without a server does not count", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			store := new(downStore)
			table, err := Open(t.Context(), "t", setup, store, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := table.Begin(t.Context()); err != nil {
				t.Fatal(err)
			}
			advance(10 * time.Second)
			table.Close()
			advance(time.Hour)
			store.time = time.Hour
			again, err := Resume(t.Context(), "t", store, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			advance(19 * time.Second)
			if s := again.State(); !s.Playing() {
				t.Fatalf("the game ended too early: %s", summary(s))
			}
			advance(2 * time.Second)
			if s := again.State(); s.Result.Reason != digit.TimeOut {
				t.Errorf("the clock did not run out: %s", summary(s))
			}
		})
	})
	t.Run("a failing store delays the clock", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			store := &failingStore{}
			table, err := Open(t.Context(), "t", setup, store, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer table.Close()
			if _, err := table.Begin(t.Context()); err != nil {
				t.Fatal(err)
			}
			store.breakAt(1)
			advance(31 * time.Second)
			if s := table.State(); !s.Playing() {
				t.Fatalf("an event that was not saved was shown: %s", summary(s))
			}
			if _, err := table.Play(t.Context(), One, digit.Move{Digit: 9, Spot: 'a'}, 0); !errors.Is(err, ErrTimeout) {
				t.Errorf("a move after the deadline: %v", err)
			}
			store.breakAt(0)
			advance(time.Second)
			if s := table.State(); s.Result.Reason != digit.TimeOut {
				t.Errorf("the clock did not try again: %s", summary(s))
			}
		})
	})
}

// TestCountdown checks that the next game begins exactly once, a fixed time after one player is
// ready, on any server that has the table.
func TestCountdown(t *testing.T) {
	setup := Setup{Rules: digit.Highest, Terms: Terms{BestOf: 3, TurnTime: 15 * time.Second}}
	const ready, begun = "game 1 ___/___ 0-1 resigned 0–1, Player 2 is ready", "game 2 ___/___ * 0–1, Player 2 to move"
	is := func(t *testing.T, table *Table, want string) {
		t.Helper()
		if got := summary(table.State()); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
	wait := func(t *testing.T, store Store) *Table {
		t.Helper()
		saveTable(t, store, "t", setup, "begin resign:1 next:2")
		return resume(t, store)
	}
	t.Run("and then the clock starts", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			table := wait(t, new(Memory))
			advance(20 * time.Second)
			if err := act(t, table, "next:2"); err != nil { // does not restart the countdown
				t.Fatal(err)
			}
			advance(Countdown - 20*time.Second - time.Millisecond)
			is(t, table, ready)
			advance(time.Millisecond)
			is(t, table, begun)
			if at, ok := table.State().Deadline(); !ok || time.Until(at) != setup.TurnTime {
				t.Errorf("time for the first turn: %v, clock runs: %v", time.Until(at), ok)
			}
		})
	})
	t.Run("no player is ready", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			store := new(Memory)
			saveTable(t, store, "t", setup, "begin resign:1")
			table := resume(t, store)
			advance(time.Hour)
			is(t, table, "game 1 ___/___ 0-1 resigned 0–1")
		})
	})
	t.Run("on two servers", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			store := new(Memory)
			table, other := wait(t, store), resume(t, store)
			advance(Countdown)
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
			store := new(downStore)
			table := wait(t, store)
			advance(10 * time.Second)
			table.Close()
			advance(time.Hour)
			store.time = time.Hour
			table = resume(t, store)
			advance(19 * time.Second)
			is(t, table, ready)
			advance(time.Second)
			is(t, table, begun)
		})
	})
	t.Run("without visitors", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			store := new(Memory)
			wait(t, store).Close()
			newHall(t, store, HallConfig{Overdue: dues(store, "t")})
			advance(Countdown + 10*time.Second)
			events, err := store.Events(t.Context(), "t", 0)
			if err != nil || events[len(events)-1].Kind != Began || len(events) != 5 {
				t.Errorf("%+v, %v", events, err)
			}
		})
	})
}

// resume loads the table "t" from a store.
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
			t.Errorf("ParseTimeoutRule(%v) = %v, %v", rule, got, err)
		}
	}
	if _, err := ParseTimeoutRule("wait"); err == nil || err.Error() != `time-out rule "wait": allowed: lose, random` {
		t.Errorf("error %v", err)
	}
}
