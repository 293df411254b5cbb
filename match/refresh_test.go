package match

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
)

// TestRefresher runs scripts of a refresher, starting while its table loads: "noticed" is a notice,
// "ended" and "failed" are the end of a refresh. After each, "+" means that a refresh begins, and
// "!" that the failure is new.
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

// TestLooksAgain checks that a failed refresh is repeated every second, and that the failure is
// logged once.
func TestLooksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, log := new(hookStore), new(logBuffer)
		hall := newHall(t, store, HallConfig{Log: slog.New(slog.NewTextHandler(log, nil))})
		v := enter(t, hall, "t", &adaBen, "begin")
		defer v.Close()
		if err := store.Memory.Append(t.Context(), "t", Event{Seq: 3, Kind: Resigned}, State{}); err != nil {
			t.Fatal(err)
		}
		store.before(func() error { return errors.New("the disk hums") })
		hall.Notice(Notice{Table: "t", Seq: 3})
		advance(10 * time.Second)
		if n := strings.Count(log.String(), "the disk hums"); n != 1 || v.Table.State().Seq != 2 {
			t.Errorf("%s, logged %d times:\n%s", summary(v.Table.State()), n, log)
		}
		store.before(func() error { return nil })
		advance(time.Second)
		if got, want := summary(v.Table.State()), "game 1 ___/___ 0-1 resigned 0–1, over"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// notifyingStore is a store that sends a notice of every event to halls, as a database does to
// servers.
type notifyingStore struct {
	Memory
	mu    sync.Mutex
	halls []*Hall
}

func (w *notifyingStore) connect(halls ...*Hall) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.halls = append(w.halls, halls...)
}

func (w *notifyingStore) Append(ctx context.Context, table string, e Event, after State) error {
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

// TestTwoHalls plays a series in two halls at once, with several goroutines for each player: each
// turn is taken once, and both halls see the same events.
func TestTwoHalls(t *testing.T) {
	for _, careful := range []bool{false, true} { // whether moves name the last event seen
		t.Run(fmt.Sprint("careful ", careful), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := new(notifyingStore)
				saveTable(t, store, "t", bestOf3, "")
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
						playing.Go(func() { took.Add(playFast(t, v.Table, Seat(j%2), careful, rng)) })
					}
				}
				playing.Wait()
				synctest.Wait()
				want := savedEvents(t, store, "t")
				for i, table := range tables {
					table.Close()
					if d := diff(tables[0].State(), table.State()); d != "" {
						t.Errorf("hall %d has another state (- hall 0, + hall %d):\n%s", i, i, d)
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
						t.Errorf("hall %d saw other events (- saved, + seen):\n%s", i, d)
					}
				}
				if !tables[0].State().SeriesOver() || took.Load() < moves || !careful && took.Load() != moves {
					t.Errorf("%d moves were accepted and %d saved, %s", took.Load(), moves, summary(tables[0].State()))
				}
			})
		})
	}
}

// playFast tries moves for a seat until the series is over, even out of turn, and returns the
// number of accepted moves.
func playFast(t *testing.T, table *Table, seat Seat, careful bool, rng *rand.Rand) (took int32) {
	for s := table.State(); !s.SeriesOver(); s = table.State() {
		if !s.Playing() {
			_, err := table.Begin(t.Context())
			if err != nil && !errors.Is(err, ErrUnderWay) && !errors.Is(err, ErrSeries) {
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
			t.Errorf("no move in %s", summary(s))
			return took
		}
		_, err := table.Play(t.Context(), seat, m, seen)
		var move *digit.MoveError
		switch {
		case err == nil:
			took++
		case errors.Is(err, ErrTurn), errors.Is(err, ErrNoGame), errors.Is(err, ErrStale):
		case errors.As(err, &move) && !careful:
		default:
			t.Errorf("%v: %v", m, err)
		}
	}
	return took
}

// TestNoticeWhileLoading checks that an event is not missed if another server adds it while the
// table is loading.
func TestNoticeWhileLoading(t *testing.T) {
	for _, n := range []Notice{{Table: "t", Seq: 3}, {Table: "t"}, {}} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { noticeWhileLoading(t, n) })
		})
	}
}

func noticeWhileLoading(t *testing.T, n Notice) {
	store := new(gatedStore)
	saveTable(t, store, "t", adaBen, "begin")
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
		if got, want := summary(v.Table.State()), "game 1 9__/___ * 0–0, Player 2 to move"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	synctest.Wait() // the events are read, but not returned yet
	if err := act(t, elsewhere, "9a"); err != nil {
		t.Fatal(err)
	}
	hall.Notice(n)
	store.open()
	visiting.Wait()
}

// TestNotices checks that many notices of one table lead to few refreshes.
func TestNotices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(slowStore)
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
		advance(5 * time.Second)
		if n := store.loads.Load(); n > 2 || v.Table.State().Seq != 5 {
			t.Errorf("%d reads, %s", n, summary(v.Table.State()))
		}
		hall.Notice(Notice{Table: "t", Seq: 5}) // already known
		hall.Notice(Notice{Table: "u", Seq: 5}) // not loaded
		advance(5 * time.Second)
		if n := store.loads.Load(); n > 2 {
			t.Errorf("got %d reads, want at most 2", n)
		}
	})
}
