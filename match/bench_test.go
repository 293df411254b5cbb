package match

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"digitduel/digit"
)

// game begins and plays a whole game at a table, in seven events.
func game(tb testing.TB, table *Table) {
	s, err := table.Begin(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	for _, m := range []digit.Move{
		{Digit: 9, Spot: 'a'}, {Digit: 8, Spot: 'a'}, {Digit: 1, Spot: 'b'}, {Digit: 2, Spot: 'b'},
		{Digit: 3, Spot: 'c'}, {Digit: 4, Spot: 'c'},
	} {
		if s, err = table.Play(tb.Context(), s.Turn(), m, s.Seq); err != nil {
			tb.Fatal(err)
		}
	}
	if s.Result.Reason != digit.ByHigher {
		tb.Fatal(summary(s))
	}
}

// BenchmarkPlay plays a series of ten games at a new table, with a clock and with watchers.
func BenchmarkPlay(b *testing.B) {
	for _, watchers := range []int{0, 1, 100} {
		b.Run(fmt.Sprintf("watchers=%d", watchers), func(b *testing.B) {
			events := 0
			for b.Loop() {
				setup := Setup{Rules: digit.Highest, Terms: Terms{BestOf: 99, TurnTime: time.Hour}}
				table, err := Open(b.Context(), "t", setup, new(Memory), nil)
				if err != nil {
					b.Fatal(err)
				}
				var seen atomic.Int64
				var watching sync.WaitGroup
				for range watchers {
					watching.Go(func() {
						for range table.Watch(b.Context(), 0) {
							seen.Add(1)
						}
					})
				}
				for range 10 {
					game(b, table)
				}
				table.Close()
				watching.Wait()
				if events = table.State().Seq; int(seen.Load()) != watchers*events {
					b.Fatalf("%d watchers saw %d of %d events", watchers, seen.Load(), events)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*events), "ns/event")
		})
	}
}

// BenchmarkSince reads a series of 98 games from its start, as a late watcher does, and its last
// events.
func BenchmarkSince(b *testing.B) {
	table, err := Open(b.Context(), "t", Setup{Rules: digit.Highest, Terms: Terms{BestOf: 99}}, new(Memory), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer table.Close()
	for range 98 {
		game(b, table)
	}
	for _, missing := range []int{687, 2, 1} {
		b.Run(fmt.Sprintf("missing=%d", missing), func(b *testing.B) {
			for b.Loop() {
				seen, last := 0, State{}
				for step := range table.Past(687 - missing) {
					seen, last = seen+1, step.After
				}
				if seen != missing || last.Seq != 687 {
					b.Fatal(seen, last.Seq)
				}
			}
		})
	}
}

// BenchmarkWatchers adds watchers to one table; each reads the number of watchers on every change.
func BenchmarkWatchers(b *testing.B) {
	for _, many := range []int{500, 5000} {
		b.Run(fmt.Sprintf("watchers=%d", many), func(b *testing.B) {
			var updates atomic.Int64
			for b.Loop() {
				hall := NewHall(new(Memory), HallConfig{})
				v, err := hall.Open(b.Context(), "t", adaBen)
				if err != nil {
					b.Fatal(err)
				}
				ctx, leave := context.WithCancel(b.Context())
				var coming, watching sync.WaitGroup
				for range many {
					coming.Add(1)
					watching.Go(func() {
						defer v.StayToWatch()()
						for first := true; ; first = false {
							_, changed := v.Presence()
							updates.Add(1)
							if first {
								coming.Done()
							}
							select {
							case <-changed:
							case <-ctx.Done():
								return
							}
						}
					})
					runtime.Gosched() // lets earlier visitors read the change
				}
				coming.Wait()
				if p, _ := v.Presence(); p.Watchers != many {
					b.Fatalf("%+v", p)
				}
				leave()
				watching.Wait()
				hall.Close()
			}
			b.ReportMetric(float64(updates.Load())/float64(b.N*many), "looks/watcher")
		})
	}
}

// BenchmarkRound checks every table of a large hall, as the hall does each second.
func BenchmarkRound(b *testing.B) {
	hall := NewHall(new(discardStore), HallConfig{Host: func(context.Context, *Table) error { return nil }})
	defer hall.Close()
	const tables = 20_000
	for i := range tables {
		v, err := hall.Open(b.Context(), fmt.Sprint(i), adaBen)
		if err != nil {
			b.Fatal(err)
		}
		game(b, v.Table)
		v.StayToWatch()
	}
	for b.Loop() {
		if todo := hall.round(time.Now()); len(todo) > 0 || hall.Len() != tables {
			b.Fatal(len(todo), hall.Len())
		}
	}
}

// discardStore is a store that keeps nothing, to measure only the memory of the hall itself.
type discardStore struct{ Memory }

func (*discardStore) Append(context.Context, string, Event, State) error { return nil }

// TestTableMemory limits the memory that a table with a running clock takes in a hall.
func TestTableMemory(t *testing.T) {
	t.Logf("a State has %d bytes, an Event %d, a Table %d, a room %d",
		unsafe.Sizeof(State{}), unsafe.Sizeof(Event{}), unsafe.Sizeof(Table{}), unsafe.Sizeof(room{}))
	const tables = 300
	for _, tt := range []struct{ games, most int }{{0, 2000}, {1, 3500}, {20, 40000}} {
		hall := NewHall(new(discardStore), HallConfig{})
		before := heap()
		events := 0
		for i := range tables {
			v, err := hall.Open(t.Context(), fmt.Sprint(i), Setup{
				Rules: digit.Highest, Terms: Terms{BestOf: 99, TurnTime: time.Hour}, Names: [2]string{"Ada", "Ben"},
			})
			if err != nil {
				t.Fatal(err)
			}
			for range tt.games {
				game(t, v.Table)
			}
			events = v.Table.State().Seq
		}
		each := (heap() - before) / tables
		t.Logf("%d bytes for a table with %d games, %d events", each, tt.games, events)
		if each > tt.most {
			t.Errorf("a table with %d games takes %d bytes, more than %d", tt.games, each, tt.most)
		}
		hall.Close()
	}
}

// heap returns the number of bytes in use on the heap.
func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
