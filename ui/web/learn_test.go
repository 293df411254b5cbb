package web

import (
	"strings"
	"testing"
)

// TestLearn takes every lesson without script: each is won and then marked as done, and a wrong
// move stays on its step.
func TestLearn(t *testing.T) {
	h := newTestServer(t)
	b := h.browser(t)
	for i, tt := range []struct{ book, moves, end, next string }{
		{"dilemma", "7a 1c 9b", "You win! 791=7×113", "Next: Sevens"},
		{"sevens", "2 8 7=728", "You win! 728=7×104", "Next: Highest"},
		{"highest", "9a 5c", "You win! 925 > 768", "Next: Divisibility"},
		{"divisibility", "5R 2R 3L", "You win! 352=11×32", "Next: Reverse"},
		{"reverse", "1a 9c", "You win! 189 < 342", "All lessons"},
	} {
		if got := strings.Count(b.get("/learn").text, "✓ done"); got != i {
			t.Errorf("%d lessons are done, want %d", got, i)
		}
		b.get("/learn/" + tt.book)
		b.get("/learn/" + tt.book + "?step=0&digit=0&spot=b")
		if !strings.HasSuffix(b.path, "step=0") {
			t.Errorf("%s: a wrong move leads to %s", tt.book, b.path)
		}
		for move := range strings.FieldsSeq(tt.moves) {
			spot, call, calls := strings.Cut(move[1:], "=")
			choices := []string{"digit=" + move[:1], "spot=" + spot}
			if calls {
				choices = append(choices, "call"+move[:1]+"="+call)
			}
			b.press("button[id=play]", choices...)
		}
		if got := b.textOf("div[id=answer]"); !strings.HasPrefix(got, tt.end) {
			t.Errorf("%s ends with %q", tt.book, got)
		}
		if got := b.textOf("div[id=acts]"); !strings.HasSuffix(got, tt.next) {
			t.Errorf("after %s the page offers %q", tt.book, got)
		}
		if b.press("button[data-act=start]"); !strings.HasPrefix(b.path, "/t/") {
			t.Errorf("%s: playing leads to %s", tt.book, b.path)
		}
	}
	for path, want := range map[string]int{"/learn/chess": 404, "/learn/dilemma?step=4": 422,
		"/learn/dilemma?step=x": 422, "/learn/dilemma?step=-1": 422} {
		if got := h.browser(t).get(path); got.status != want {
			t.Errorf("%s is %d, want %d", path, got.status, want)
		}
	}
}
