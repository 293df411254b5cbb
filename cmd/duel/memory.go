package main

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// softMemory is how many bytes the program takes before it rather collects its garbage more often than takes more.
const softMemory = 384 << 20

// saveMemory keeps the memory of the server small until ctx is done, unless GOGC and GOMEMLIMIT say otherwise. Most of what a request
// needs is gone with its answer and what stays is small, so garbage may be up to three quarters of all memory; but only up to
// softMemory, or half of all memory where more than that is in use.
func saveMemory(ctx context.Context, tables func() int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(300)
	}
	limited := os.Getenv("GOMEMLIMIT") == ""
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	for most := 0; ; {
		if limited {
			debug.SetMemoryLimit(max(softMemory, 2*liveMemory()))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		most = release(most, tables())
	}
}

// liveMemory returns how many bytes were in use when garbage was last collected.
func liveMemory() int64 {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}}
	metrics.Read(samples)
	total := int64(0)
	for _, s := range samples {
		if s.Value.Kind() == metrics.KindUint64 {
			total += int64(s.Value.Uint64())
		}
	}
	return total
}

// release gives memory back to the system when most of the tables that there were have been put away. It returns how many there were.
func release(most, tables int) int {
	const many = 1000
	if most = max(most, tables); most >= many && tables < most/2 {
		debug.FreeOSMemory()
		return tables
	}
	return most
}
