package load

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestHistogram compares quantiles with those of the sorted durations.
func TestHistogram(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	shapes := map[string]func() time.Duration{
		"short":   func() time.Duration { return time.Duration(rng.IntN(128)) },
		"even":    func() time.Duration { return time.Duration(rng.IntN(int(time.Second))) },
		"long":    func() time.Duration { return time.Duration(math.Exp(rng.Float64() * 43)) },
		"skewed":  func() time.Duration { return time.Duration(rng.ExpFloat64() * float64(time.Millisecond)) },
		"same":    func() time.Duration { return 12345678 },
		"longest": func() time.Duration { return math.MaxInt64 },
	}
	for name, draw := range shapes {
		for _, n := range []int{1, 2, 10, 9999} {
			h := new(histogram)
			all := make([]time.Duration, n)
			for i := range all {
				all[i] = draw()
				h.add(all[i])
			}
			slices.Sort(all)
			for _, part := range []float64{0, 0.01, 0.5, 0.9, 0.99, 1} {
				got, want := h.quantile(part), all[max(0, int(math.Ceil(part*float64(n)))-1)]
				if got < want || float64(got-want) > float64(want)/64 {
					t.Errorf("%s: quantile %v of %d is %d, want %d", name, part, n, got, want)
				}
			}
			if got := h.quantile(1); got != all[n-1] {
				t.Errorf("%s: the longest of %d is %d, want %d", name, n, got, all[n-1])
			}
		}
	}
}

// TestBuckets walks over the ends of all buckets: they meet, and none is empty.
func TestBuckets(t *testing.T) {
	h := new(histogram)
	for i := range h.buckets {
		top := topOf(i)
		if bucketOf(top) != i {
			t.Fatalf("the top of bucket %d, %d, is in bucket %d", i, top, bucketOf(top))
		}
		if top < math.MaxInt64 && bucketOf(top+1) != i+1 {
			t.Fatalf("%d is in bucket %d, just above bucket %d", top+1, bucketOf(top+1), i)
		}
	}
	if last := len(h.buckets) - 1; topOf(last) != math.MaxInt64 {
		t.Errorf("the last bucket ends at %d", topOf(last))
	}
	h.add(-time.Second) // a clock that was set back
	if got := h.quantile(1); got != 0 || bucketOf(0) != 0 {
		t.Errorf("less than nothing counts as %d", got)
	}
	if got := new(histogram).quantile(0.5); got != 0 {
		t.Errorf("the median of nothing is %d", got)
	}
}

func TestHistogramRace(t *testing.T) {
	h := new(histogram)
	var adding sync.WaitGroup
	for i := range 4 {
		adding.Go(func() {
			for j := range 1000 {
				h.add(time.Duration(1000*i + j))
			}
		})
	}
	adding.Wait()
	if got := h.quantile(1); got != 3999 {
		t.Errorf("the longest is %d", got)
	}
	total := uint32(0)
	for i := range h.buckets {
		total += h.buckets[i].Load()
	}
	if total != 4000 {
		t.Errorf("%d were counted", total)
	}
}
