package web

import "testing"

func TestPercentFor(t *testing.T) {
	for _, test := range []struct {
		inUse int64 // MiB
		want  int
	}{{0, 1000}, {1, 1000}, {10, 400}, {25, 100}, {40, 50}, {1000, 50}} {
		if got := percentFor(test.inUse << 20); got != test.want {
			t.Errorf("%d MiB in use: %d %%, want %d", test.inUse, got, test.want)
		}
	}
}

// TestBoostFor holds that garbage may take more while it is collected often, and less again after.
func TestBoostFor(t *testing.T) {
	boost := 1.0
	for i, step := range []struct {
		collections int64
		want        float64
	}{{0, 1}, {2, 1}, {6, 3}, {2, 3}, {20, 8}, {2, 8}, {1, 6.4}, {0, 5.12}} {
		if boost = boostFor(boost, step.collections); boost < step.want-1e-9 || boost > step.want+1e-9 {
			t.Errorf("second %d, %d collections: %v, want %v", i, step.collections, boost, step.want)
		}
	}
}
