package web

import (
	"strings"
	"testing"
)

// TestHere shows a room how to join, and who plays: those whose tables anyone may find.
func TestHere(t *testing.T) {
	h := newTestServer(t)
	listed := h.open(`{"rules":"reverse","names":["Cleo",""],"seats":["human","anyone"]}`)
	listed.say("sit=Dan")
	private := h.open(`{"rules":"highest","names":["Eve","Fay"]}`)
	b := h.browser(t).get("/here")
	for _, want := range []string{`<p class="address">duel.example</p>`, `aria-label="The link as a QR code"`, "/t/" + listed.id, "Cleo", "Dan"} {
		if !strings.Contains(b.text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, not := range []string{private.id, "Eve", "--addr"} {
		if strings.Contains(b.text, not) {
			t.Errorf("the page tells %q", not)
		}
	}
}
