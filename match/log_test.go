package match

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"digitduel/digit"
)

// TestWatch starts many watchers at different events, and checks that each sees every event once
// and in order.
func TestWatch(t *testing.T) {
	table := open(t, Setup{Rules: digit.Highest, Terms: Terms{BestOf: 99}})
	const watchers = 20
	var watching sync.WaitGroup
	seen := make([][]int, watchers)
	for i := range watchers {
		watching.Go(func() {
			for e := range table.Watch(t.Context(), i) {
				seen[i] = append(seen[i], e.Seq)
			}
		})
	}
	for table.State().Seq < 400 {
		if err := act(t, table, "9a 8a 7b 6c resign:1"); err != nil {
			t.Fatal(err)
		}
		if err := act(t, table, "begin"); err != nil {
			break
		}
	}
	last := table.State().Seq
	table.Close()
	watching.Wait()
	for i, seqs := range seen {
		if len(seqs) != last-i {
			t.Errorf("watcher %d saw %d events, want %d", i, len(seqs), last-i)
		}
		for j, seq := range seqs {
			if seq != i+j+1 {
				t.Fatalf("watcher %d: got event %d at index %d", i, seq, j)
			}
		}
	}
	if _, err := table.Begin(t.Context()); !errors.Is(err, errClosed) {
		t.Errorf("an act at a closed table: %v", err)
	}
}

// TestEventJSON checks the JSON in which events are stored.
func TestEventJSON(t *testing.T) {
	tests := []struct {
		setup  Setup
		script string
		want   []string
	}{
		{Setup{Rules: digit.Divisibility, Names: [2]string{"Ada", ""}, Terms: Terms{TurnTime: time.Minute, OnTimeout: Random}, FreeUndo: true}, "begin 1R undo:1 4R 3R resign:2", []string{
			`{"seq":1,"kind":"opened","setup":{"rules":"divisibility","names":["Ada",""],"turn_time":60000000000,"on_timeout":"random","free_undo":true}}`,
			`{"seq":2,"kind":"began"}`,
			`{"seq":3,"kind":"moved","move":"1R"}`,
			`{"seq":4,"kind":"undone"}`,
			`{"seq":5,"kind":"moved","move":"4R"}`,
			`{"seq":6,"kind":"moved","seat":1,"move":"3R"}`,
			`{"seq":7,"kind":"resigned","seat":1}`,
		}},
		{Setup{Rules: digit.Highest, Open: [2]bool{false, true}, First: Two, Terms: Terms{BestOf: 1, Hints: true}, Listed: true}, "sit:2=Ben begin 9a undo:2 refuse:1 nohints:1 hints:1 leave:1 replace:2=casual back:1 leave:1 claim:2 again:1 refuse-again:2", []string{
			`{"seq":1,"kind":"opened","setup":{"rules":"highest","names":["",""],"first":1,"best_of":1,"hints":true,"open":[false,true],"listed":true}}`,
			`{"seq":2,"kind":"seated","seat":1,"name":"Ben"}`,
			`{"seq":3,"kind":"began"}`,
			`{"seq":4,"kind":"moved","seat":1,"move":"9a"}`,
			`{"seq":5,"kind":"undo-asked","seat":1}`,
			`{"seq":6,"kind":"undo-refused"}`,
			`{"seq":7,"kind":"hints-ended"}`,
			`{"seq":8,"kind":"hints-agreed"}`,
			`{"seq":9,"kind":"left"}`,
			`{"seq":10,"kind":"replaced","level":"casual"}`,
			`{"seq":11,"kind":"back"}`,
			`{"seq":12,"kind":"left"}`,
			`{"seq":13,"kind":"claimed","seat":1}`,
			`{"seq":14,"kind":"rematch-asked"}`,
			`{"seq":15,"kind":"rematch-refused","seat":1}`,
		}},
		{Setup{Rules: digit.Highest, Levels: [2]string{"novice", "perfect"}}, "", []string{
			`{"seq":1,"kind":"opened","setup":{"rules":"highest","names":["",""],"levels":["novice","perfect"]}}`,
		}},
	}
	for _, tt := range tests {
		table := newTable(t, tt.setup)
		if err := act(t, table, tt.script); err != nil {
			t.Fatal(err)
		}
		table.Close()
		var got []string
		for e := range table.Watch(t.Context(), 0) {
			e.At = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			text, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, strings.Replace(string(text), `"at":"2026-01-02T03:04:05Z",`, "", 1))
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (- want, + got):\n%s", tt.script, d)
		}
	}
}

// TestWatchGivenUp checks that a watch ends when its context does, even without new events.
func TestWatchGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := open(t, adaBen)
		ctx, giveUp := context.WithTimeout(t.Context(), time.Minute)
		defer giveUp()
		seen := 0
		for range table.Watch(ctx, 0) {
			seen++
		}
		if seen != 2 || ctx.Err() == nil {
			t.Errorf("the watch ended after %d events: %v", seen, ctx.Err())
		}
	})
}

// TestWatchAhead checks a watcher who has already seen, on another server, events that this server
// does not know yet.
func TestWatchAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(Memory)
		table, err := Open(t.Context(), "t", adaBen, store, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		if err := act(t, table, "begin 9a 8a 1b"); err != nil { // five events
			t.Fatal(err)
		}
		lagging := &laggingStore{store, 3}
		other, err := Resume(t.Context(), "t", lagging, nil)
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var seen []int
		var watching sync.WaitGroup
		watching.Go(func() {
			for e, s := range other.Watch(t.Context(), 5) {
				if s.Seq != e.Seq {
					t.Errorf("event %d with state %d", e.Seq, s.Seq)
				}
				mu.Lock()
				seen = append(seen, e.Seq)
				mu.Unlock()
			}
		})
		for _, tt := range []struct {
			script string
			known  int
			want   []int
		}{{"", 4, nil}, {"", 5, nil}, {"2b 3c", 6, []int{6}}, {"4c", 8, []int{6, 7, 8}}} {
			if err := act(t, table, tt.script); err != nil {
				t.Fatal(err)
			}
			lagging.known = tt.known
			for range 2 {
				if err := other.Refresh(t.Context()); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
			}
			mu.Lock()
			if !slices.Equal(seen, tt.want) {
				t.Errorf("when %d events are known, %v are seen, want %v", tt.known, seen, tt.want)
			}
			mu.Unlock()
		}
		other.Close()
		watching.Wait()
	})
}

// laggingStore is a store that shows only the first events of another store.
type laggingStore struct {
	*Memory
	known int
}

func (l *laggingStore) Events(ctx context.Context, table string, after int) ([]Event, error) {
	events, err := l.Memory.Events(ctx, table, 0)
	events = events[:min(l.known, len(events))]
	return events[min(after, len(events)):], err
}

// TestStates checks that a late watcher gets the same states as one who watched in time, even at a
// table that was resumed.
func TestStates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(downStore)
		first, err := Open(t.Context(), "t", Setup{Rules: digit.Highest, Terms: Terms{TurnTime: time.Minute}}, store, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := act(t, first, "begin 9a"); err != nil {
			t.Fatal(err)
		}
		first.Close()
		store.time = time.Hour
		advance(time.Hour)
		table, err := Resume(t.Context(), "t", store, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		states := []State{table.State()}
		for _, word := range []string{"undo:1", "hints:2", "refuse:2", "8a", "1b", "undo:1", "undo:2"} {
			advance(time.Second)
			if err := act(t, table, word); err != nil {
				t.Fatal(err)
			}
			states = append(states, table.State())
		}
		for after := range states {
			steps, _ := table.Since(states[0].Seq - 1 + after)
			for i, want := range states[after:] {
				if d := diff(want, steps[i].After); d != "" {
					t.Errorf("event %d of those after %d (- in time, + late):\n%s", want.Seq, after, d)
				}
			}
		}
	})
}

// TestPages reads a long log from every event: pages follow each other without gaps, and each is
// computed from a state at most one page earlier.
func TestPages(t *testing.T) {
	w := newWalk(t, rand.New(rand.NewPCG(7, 1)))
	for seed := uint64(8); w.setup.TurnTime > 0; seed++ {
		w = newWalk(t, rand.New(rand.NewPCG(seed, 1)))
	}
	took, refused := map[Kind]int{}, map[Kind]int{}
	timed := func() bool {
		_, timed := w.states[len(w.states)-1].Deadline()
		return timed
	}
	for len(w.log) < 3*mostSteps+10 || timed() { // no clock may run
		w.step(t, took, refused)
	}
	store := new(Memory)
	for i, e := range w.log {
		if err := store.Append(t.Context(), "t", e, w.states[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	resumed, err := Resume(t.Context(), "t", store, nil)
	if err != nil {
		t.Fatal(err)
	}
	grown := emptyTable("t", nil, nil)
	grown.closed = true // so that no clock starts
	for i, e := range w.log {
		grown.appendEvents(w.states[i+1], e)
	}
	grown.closed = false
	for name, table := range map[string]*Table{"resumed": resumed, "grown": grown} {
		for after := range w.log {
			if start := table.log.from(after).Seq; start > after || after-start >= mostSteps {
				t.Fatalf("%s: the page after event %d starts from the state of event %d", name, after, start)
			}
			steps, more := table.Since(after)
			if want := min(mostSteps, len(w.log)-after); len(steps) != want {
				t.Fatalf("%s: %d steps after event %d, want %d", name, len(steps), after, want)
			}
			select {
			case <-more:
				if after+len(steps) == len(w.log) {
					t.Errorf("%s: after event %d: more is announced, but these were all steps", name, after)
				}
			default:
				if after+len(steps) < len(w.log) {
					t.Errorf("%s: after event %d: no more is announced, but there are more steps", name, after)
				}
			}
			for i, s := range steps[:min(2, len(steps))] {
				if d := diff(w.states[after+i+1], s.After); d != "" || s.Event.Seq != after+i+1 {
					t.Fatalf("%s: event %d as one of those after %d:\n%s", name, s.Event.Seq, after, d)
				}
			}
		}
		table.Close()
		var past, watched []int
		for s := range table.Past(5) {
			if past = append(past, s.Event.Seq); len(past) == 2*mostSteps {
				break
			}
		}
		for e := range table.Watch(t.Context(), 5) { // also of a table that is closed
			watched = append(watched, e.Seq)
		}
		if len(watched) != len(w.log)-5 || !slices.Equal(past, watched[:2*mostSteps]) || watched[len(watched)-1] != len(w.log) {
			t.Errorf("%s: past are %v, watched %v", name, past, watched)
		}
	}
}

// TestLast finds the last event of given kinds, or without kinds the last that matters to a move,
// up to a number.
func TestLast(t *testing.T) {
	table := open(t, adaBen)
	if err := act(t, table, "9a hints:1 8a hints:2"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		upTo  int
		kinds []Kind
		want  int
	}{
		{6, []Kind{Moved}, 5}, {4, []Kind{Moved}, 3}, {3, []Kind{Began, Moved}, 3}, {2, []Kind{Moved}, 0},
		{99, []Kind{HintsAgreed}, 6}, {-1, []Kind{Opened}, 0}, {9, nil, 5}, {4, nil, 3}, {1, nil, 0},
	} {
		if e, ok := table.Last(tt.upTo, tt.kinds...); e.Seq != tt.want || ok != (tt.want > 0) {
			t.Errorf("the last of %v up to %d is %d, %v, want %d", tt.kinds, tt.upTo, e.Seq, ok, tt.want)
		}
	}
}
