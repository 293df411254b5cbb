package browsertest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestWeight loads the page of a table for the first time, and counts the bytes that come over the network.
func TestWeight(t *testing.T) {
	t.Parallel()
	const most = 60_000
	h := openHouse(t, time.Minute)
	id, tokens := h.table(t, order{"rules": "dilemma"})
	v := h.visit(t, "Ada")
	v.open("/t/" + id + "/seat/" + tokens[0])
	v.until("to be connected", live)
	var sum float64
	var files []string
	v.wait("for all files", func() (bool, string) {
		v.mu.Lock()
		defer v.mu.Unlock()
		sum, files = 0, nil
		for request, size := range v.finished {
			sum += size
			files = append(files, fmt.Sprintf("%6.0f %s", size, v.urls[request]))
		}
		return len(v.finished) >= len(v.urls)-1, fmt.Sprint(v.urls) // the stream is never finished
	})
	slices.Sort(files)
	t.Logf("%.0f bytes\n%s", sum, strings.Join(files, "\n"))
	if sum > most {
		t.Errorf("the page takes %.0f bytes, and %d are allowed", sum, most)
	}
	if len(files) < 5 {
		t.Errorf("only %d files were counted", len(files))
	}
}
