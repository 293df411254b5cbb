package browsertest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestWeight loads the page of a table for the first time, and counts the bytes that come over the network.
func TestWeight(t *testing.T) {
	t.Parallel()
	const most = 40_000
	h := atTown(t)
	id, tokens := h.table(t, order{"rules": "dilemma"})
	v := visitAnew(t, h.address, "Ada")
	v.open("/t/" + id + "/seat/" + tokens[0])
	v.until("to be connected", live)
	var sum float64
	var files []string
	v.wait("for all files", func() (bool, string) {
		v.mu.Lock()
		defer v.mu.Unlock()
		sum, files = 0, nil
		whole := len(v.files) >= 5 // of many more
		for _, f := range v.files {
			sum += f.size
			files = append(files, fmt.Sprintf("%6.0f %s", f.size, f.url))
			whole = whole && f.url != "" && (f.size > 0 || strings.Contains(f.url, "/live")) // the stream has no end
		}
		return whole, strings.Join(files, "\n")
	})
	slices.Sort(files)
	t.Logf("%.0f bytes\n%s", sum, strings.Join(files, "\n"))
	if sum > most {
		t.Errorf("the page takes %.0f bytes, and %d are allowed", sum, most)
	}
}
