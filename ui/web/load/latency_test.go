package load

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// TestLatency has quantiles of 1 to n milliseconds, in any order.
func TestLatency(t *testing.T) {
	for n, want := range map[int]Latency{
		0: {}, 1: {1, 1, 1, 1}, 2: {1, 2, 2, 2}, 10: {5, 9, 10, 10}, 1000: {500, 900, 990, 1000},
	} {
		var s stopwatch
		for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
			s.add(time.Duration(i+1) * time.Millisecond)
		}
		if got := s.latency(); got != want {
			t.Errorf("%d durations: %+v, want %+v", n, got, want)
		}
	}
	var s stopwatch
	s.add(-time.Second) // a clock that was set back
	if got := s.latency(); got != (Latency{}) {
		t.Errorf("less than nothing counts as %+v", got)
	}
}

func TestLatencyRace(t *testing.T) {
	var s stopwatch
	var adding sync.WaitGroup
	for i := range 4 {
		adding.Go(func() {
			for n := range 1000 {
				s.add(time.Duration(1000*i+n+1) * time.Microsecond)
			}
		})
	}
	adding.Wait()
	if got := s.latency(); got != (Latency{2, 3.6, 3.96, 4}) {
		t.Errorf("%+v", got)
	}
}
