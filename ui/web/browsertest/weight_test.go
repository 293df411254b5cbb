package browsertest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestWeight limits the bytes that the first visit to a table loads over the network.
func TestWeight(t *testing.T) {
	t.Parallel()
	const most = 40_000
	srv := sharedServer(t)
	id, tokens := srv.newTable(t, params{"rules": "dilemma"})
	v := freshVisitor(t, srv.address, "Ada")
	v.open("/t/" + id + "/seat/" + tokens[0])
	v.until("to be connected", live)
	var sum float64
	var files []string
	v.wait("for all files", func() (bool, string) {
		v.mu.Lock()
		defer v.mu.Unlock()
		sum, files = 0, nil
		whole := len(v.files) >= 5 // it loads many more
		for _, f := range v.files {
			sum += f.size
			files = append(files, fmt.Sprintf("%6.0f %s", f.size, f.url))
			endless := strings.Contains(f.url, "/live") // the stream of events
			whole = whole && f.url != "" && (f.size > 0 || endless)
		}
		return whole, strings.Join(files, "\n")
	})
	slices.Sort(files)
	t.Logf("%.0f bytes\n%s", sum, strings.Join(files, "\n"))
	if sum > most {
		t.Errorf("the page loads %.0f bytes, want at most %d", sum, most)
	}
}
