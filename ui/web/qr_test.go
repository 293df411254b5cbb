package web

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rsc.io/qr"
)

// TestCode decodes the paths of codes and compares every square.
func TestCode(t *testing.T) {
	for _, text := range []string{
		"7", "http://127.0.0.1:8080/t/abcdefghijkl/seat/8CBKmS8IBk91dUSm3Hvcp6Omwtyz-kBX",
		strings.Repeat("7", 500),
	} {
		c := codeOf(text)
		if c == nil {
			t.Fatalf("%.40s has no code", text)
		}
		dark := map[[2]int]bool{}
		rest := c.Path
		run := regexp.MustCompile(`^M(\d+) (\d+)h(\d+)v1h-(\d+)z`)
		for rest != "" {
			m := run.FindStringSubmatch(rest)
			if m == nil || m[3] != m[4] {
				t.Fatalf("the path continues with %.40s", rest)
			}
			x, _ := strconv.Atoi(m[1])
			y, _ := strconv.Atoi(m[2])
			n, _ := strconv.Atoi(m[3])
			for i := range n {
				dark[[2]int{x + i, y}] = true
			}
			rest = rest[len(m[0]):]
		}
		q, err := qr.Encode(text, qr.M)
		if err != nil {
			t.Fatal(err)
		}
		if c.Size != q.Size+2*quiet {
			t.Errorf("%.40s: the code has a side of %d, want %d", text, c.Size, q.Size+2*quiet)
		}
		for x := range c.Size {
			for y := range c.Size {
				if got, want := dark[[2]int{x, y}], q.Black(x-quiet, y-quiet); got != want {
					t.Fatalf("%.40s: the square at %d, %d is dark: %v, want %v",
						text, x, y, got, want)
				}
			}
		}
	}
	if codeOf(strings.Repeat("seven", 1000)) != nil {
		t.Error("a text that is too long has a code")
	}
}
