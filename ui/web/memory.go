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

// softMemory is the memory in bytes up to which garbage is collected less often under load.
const softMemory = 384 << 20

// SaveMemory keeps the memory of the server small until ctx is done, unless GOGC and GOMEMLIMIT are
// set. Garbage may take half as much as the memory in use, so that idle tables cost little. While
// that makes the collector run more than twice a second, garbage may take more, up to softMemory in
// all or twice the memory in use.
func SaveMemory(ctx context.Context, tables func() int) {
	paced, limited := os.Getenv("GOGC") == "", os.Getenv("GOMEMLIMIT") == ""
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	boost, collected := 1.0, collections()
	for most, last := 0, 0; ; {
		live := liveMemory()
		boost = boostFor(boost, collections()-collected)
		collected = collections()
		percent := int(boost * float64(percentFor(live)))
		if paced && max(percent-last, last-percent) > last/10 { // because a change stops the world
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

// percentFor returns how much garbage there may be, in percent of the bytes in use.
func percentFor(inUse int64) int {
	const least, most = 50, 1000 // nearly nothing is in use in a server that has just started
	return int(min(max(least, worthCollecting*100/max(1, inUse)-100), most))
}

// boostFor returns the factor of garbage allowed after a second with some collections.
func boostFor(boost float64, collections int64) float64 {
	const most = 8
	if collections > 2 {
		return min(most, boost*float64(collections)/2)
	}
	if collections < 2 {
		return max(1, boost*0.8)
	}
	return boost
}

// liveMemory returns the bytes in use after the last collection.
func liveMemory() int64 { return sample("/gc/heap/live:bytes") + sample("/gc/scan/stack:bytes") }

// collections returns the number of garbage collections.
func collections() int64 { return sample("/gc/cycles/total:gc-cycles") }

// sample returns a metric of the runtime, or 0 if there is none of that name.
func sample(name string) int64 {
	samples := []runtimemetrics.Sample{{Name: name}}
	runtimemetrics.Read(samples)
	if v := samples[0].Value; v.Kind() == runtimemetrics.KindUint64 {
		return int64(v.Uint64())
	}
	return 0
}

// release returns memory to the system when fewer than half of the tables are left in memory. It
// returns the number of tables to compare with next time.
func release(most, tables int) int {
	const many = 50 // the garbage of fewer tables is not worth a stop
	if most = max(most, tables); most >= many && tables < most/2 {
		debug.FreeOSMemory()
		return tables
	}
	return most
}
