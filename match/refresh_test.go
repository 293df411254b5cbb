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

// TestRefresher follows a refresher from the load of its table on. A notice arrives: "noticed", and
// a refresh ends: "ended" or "failed". The result follows: "+" if a refresh begins, "!" if the
// failure is news.
func TestRefresher(t *testing.T) {
	for _, tt := range []struct{ name, script string }{
		{"no notice", "ended"},
		{"a notice during the load", "noticed noticed ended+ ended"},
		{"notices after that", "ended noticed+ ended noticed+ ended"},
		{"notices during a refresh", "ended noticed+ noticed noticed ended+ noticed ended+ ended"},
		{"one refresh fails", "ended noticed+ failed! noticed+ ended"},
		{"one fails and another follows", "ended noticed+ noticed failed+! ended"},
		{"many fail", "ended noticed+ failed! noticed+ failed noticed+ noticed failed+ failed"},
		{"a later failure is news again", "ended noticed+ failed! noticed+ ended noticed+ failed!"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var l refresher
			for want := range strings.FieldsSeq(tt.script) {
				var begins, news bool
				got := strings.TrimRight(want, "+!")
				switch got {
				case "noticed":
					begins = l.noticed()
				case "ended":
					begins, news = l.ended(nil)
				case "failed":
					begins, news = l.ended(errors.New("the line is dead"))
				}
				if begins {
					got += "+"
				}
				if news {
					got += "!"
				}
				if got != want {
					t.Errorf("%s: got %s, want %s", tt.script, got, want)
				}
			}
		})
	}
}

// TestLooksAgain: what could not be read is read a second later, and that it could not be is logged
// once.
func TestLooksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, log := new(moody), new(lines)
		hall := newHall(t, store, HallConfig{Log: slog.New(slog.NewTextHandler(log, nil))})
		v := enter(t, hall, "t", &adaBen, "begin")
		defer v.Close()
		if err := store.Memory.Append(t.Context(), "t", Event{Seq: 3, Kind: Resigned}, State{}); err != nil {
			t.Fatal(err)
		}
		store.before(func() error { return errors.New("the disk hums") })
		hall.Notice(Notice{Table: "t", Seq: 3})
		pass(10 * time.Second)
		if n := strings.Count(log.String(), "the disk hums"); n != 1 || v.Table.State().Seq != 2 {
			t.Errorf("%s, logged %d times:\n%s", stand(v.Table.State()), n, log)
		}
		store.before(func() error { return nil })
		pass(time.Second)
		if got, want := stand(v.Table.State()), "game 1 ___/___ 0-1 resigned 0–1, over"; got != want {
			t.Errorf("got %s, want %s", got, want)
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
		h.Notice(Notice{Table: table, Seq: e.Seq})
	}
	return nil
}

// TestTwoHalls plays a series in two halls at once, with both players in both of them in a hurry:
// each turn is taken once, and everybody sees the same.
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

// hurry plays for a seat until the series is over, whether it is its turn or not, and returns how
// many moves it played.
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

// TestNoticeWhileLoading: an event that another server adds while a table is being taken up is not
// missed.
func TestNoticeWhileLoading(t *testing.T) {
	for _, n := range []Notice{{Table: "t", Seq: 3}, {Table: "t"}, {}} {
		t.Run(fmt.Sprint(n), func(t *testing.T) { synctest.Test(t, func(t *testing.T) { noticeWhileLoading(t, n) }) })
	}
}

func noticeWhileLoading(t *testing.T, n Notice) {
	store := new(gated)
	keep(t, store, "t", adaBen, "begin")
	elsewhere, err := Resume(t.Context(), "t", &store.Memory, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer elsewhere.Close()
	hall := newHall(t, store, HallConfig{})
	store.close()
	var visiting sync.WaitGroup
	visiting.Go(func() {
		v, err := hall.Visit(t.Context(), "t")
		if err != nil {
			t.Error(err)
			return
		}
		defer v.Close()
		synctest.Wait()
		if got, want := stand(v.Table.State()), "game 1 9__/___ * 0–0, Player 2 to move"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	synctest.Wait() // the events are read, and not handed over yet
	if err := act(t, elsewhere, "9a"); err != nil {
		t.Fatal(err)
	}
	hall.Notice(n)
	store.open()
	visiting.Wait()
}

// TestNotices: many notices of one table are followed together.
func TestNotices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(slow)
		hall := newHall(t, store, HallConfig{})
		v := enter(t, hall, "t", &adaBen, "begin")
		defer v.Close()
		elsewhere, err := Resume(t.Context(), "t", &store.Memory, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer elsewhere.Close()
		if err := act(t, elsewhere, "9a 8a 1b"); err != nil {
			t.Fatal(err)
		}
		for range 20 { // a burst of notices leads to at most two refreshes
			hall.Notice(Notice{Table: "t", Seq: 3})
		}
		pass(5 * time.Second)
		if n := store.loads.Load(); n > 2 || v.Table.State().Seq != 5 {
			t.Errorf("%d looks, %s", n, stand(v.Table.State()))
		}
		hall.Notice(Notice{Table: "t", Seq: 5}) // which is known
		hall.Notice(Notice{Table: "u", Seq: 5}) // which is not here
		pass(5 * time.Second)
		if n := store.loads.Load(); n > 2 {
			t.Errorf("%d looks", n)
		}
	})
}
