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
