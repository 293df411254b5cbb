package load

import (
	"math"
	"slices"
	"sync"
	"time"
)

// A stopwatch collects durations. It is safe for concurrent use. The zero stopwatch is empty.
type stopwatch struct {
	mu  sync.Mutex
	all []time.Duration
}

func (s *stopwatch) add(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, max(d, 0))
}

// latency returns the quantiles for a report: the smallest durations that at least a half, nine
// tenths and so on do not exceed.
func (s *stopwatch) latency() Latency {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.Sort(s.all)
	ms := func(part float64) float64 {
		if len(s.all) == 0 {
			return 0
		}
		at := int(math.Ceil(part*float64(len(s.all)))) - 1
		return float64(s.all[at].Microseconds()) / 1000
	}
	return Latency{ms(0.5), ms(0.9), ms(0.99), ms(1)}
}
