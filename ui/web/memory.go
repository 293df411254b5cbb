package web

import (
	"context"
	"os"
	"runtime/debug"
	runtimemetrics "runtime/metrics"
	"time"
)

// worthCollecting is the size of the heap in bytes, garbage included, below which garbage is not
// collected. Most memory that a request takes is free after its answer, so a few players soon take
// as much again.
const worthCollecting = 50 << 20

// softMemory is the memory in bytes beyond which garbage is collected more often.
const softMemory = 240 << 20

// SaveMemory keeps the memory of the server small until ctx is done, unless GOGC and GOMEMLIMIT are
// set. Garbage may take half as much as the memory in use, so that idle tables cost little, or up
// to worthCollecting in all. The whole stays below softMemory, or a quarter above the memory in
// use.
func SaveMemory(ctx context.Context) {
	paced, limited := os.Getenv("GOGC") == "", os.Getenv("GOMEMLIMIT") == ""
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for last := 0; ; {
		live := sample("/gc/heap/live:bytes") + sample("/gc/scan/stack:bytes")
		percent := percentFor(live)
		if paced && max(percent-last, last-percent) > last/10 { // because a change stops the world
			debug.SetGCPercent(percent)
			last = percent
		}
		if limited {
			debug.SetMemoryLimit(max(softMemory, live+live/4))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// percentFor returns how much garbage there may be, in percent of the bytes in use.
func percentFor(inUse int64) int {
	const least, most = 50, 1000 // nearly nothing is in use in a server that has just started
	return int(min(max(least, worthCollecting*100/max(1, inUse)-100), most))
}

// sample returns a metric of the runtime, or 0 if there is none of that name.
func sample(name string) int64 {
	samples := []runtimemetrics.Sample{{Name: name}}
	runtimemetrics.Read(samples)
	if v := samples[0].Value; v.Kind() == runtimemetrics.KindUint64 {
		return int64(v.Uint64())
	}
	return 0
}
