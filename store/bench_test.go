package store

import (
	"fmt"
	"sync/atomic"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// BenchmarkAppend plays games at many tables at the same time.
func BenchmarkAppend(b *testing.B) {
	for _, clock := range []string{"untimed", "timed"} {
		for _, at := range kinds {
			b.Run(at.name+"/"+clock, func(b *testing.B) {
				benchmarkAppend(b, openAt(b, at.where(b), Config{}), clock == "timed")
			})
		}
	}
}

func benchmarkAppend(b *testing.B, d *DB, timed bool) {
	setup := match.Setup{Rules: digit.Dilemma}
	if timed {
		setup.TurnTime = match.MaxTurnTime
	}
	game := script(b, setup, "began; 1 7a; 2 3b; 1 1c; 2 5a; 1 4b; 2 2c")
	var tables, events atomic.Int64
	b.SetParallelism(128)
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			table := fmt.Sprintf("%08x", uint32(tables.Add(1)*2654435761))
			for i, s := range game {
				if i > 0 && !pb.Next() {
					return
				}
				if err := d.Append(b.Context(), table, s.Event, s.After); err != nil {
					b.Error(err)
					return
				}
				events.Add(1)
			}
		}
	})
	b.StopTimer()
	kept, commits := d.Writes()
	if kept != events.Load() {
		b.Errorf("%d events were stored, want %d", kept, events.Load())
	}
	b.ReportMetric(float64(kept)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(kept)/float64(commits), "events/commit")
}
