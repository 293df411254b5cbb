package main

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// worthCollecting is how many bytes are taken at least, in use or not, before garbage is collected. Most of what a request needs is gone with its
// answer, so what a few players have in use is soon there again as garbage.
const worthCollecting = 50 << 20

// softMemory is how many bytes the program takes before it rather collects its garbage more often than takes more.
const softMemory = 384 << 20

// saveMemory keeps the memory of the server small until ctx is done, unless GOGC and GOMEMLIMIT say otherwise: garbage is collected when
// it is 60 % of what is in use, and all is worthCollecting; but it is only up to softMemory, or half of all memory where more than that is in use.
func saveMemory(ctx context.Context, tables func() int) {
	paced, limited := os.Getenv("GOGC") == "", os.Getenv("GOMEMLIMIT") == ""
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for most, last := 0, 0; ; {
		live := liveMemory()
		if percent := percentFor(live); paced && max(percent-last, last-percent) > last/10 { // for a change stops the world
			debug.SetGCPercent(percent)
			last = percent
		}
		if limited {
			debug.SetMemoryLimit(max(softMemory, 2*live))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		most = release(most, tables())
	}
}

// percentFor returns how much garbage there may be in percent of the bytes that are in use.
func percentFor(inUse int64) int {
	const least, most = 60, 1000 // for in a server that has just begun nearly nothing is in use
	return int(min(max(least, worthCollecting*100/max(1, inUse)-100), most))
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
	const many = 50 // of fewer the garbage is not worth stopping for
	if most = max(most, tables); most >= many && tables < most/2 {
		debug.FreeOSMemory()
		return tables
	}
	return most
}
