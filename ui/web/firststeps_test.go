package web

import (
	"net/url"
	"strings"
	"testing"
)

// TestFirstSteps checks, without script, that the steps are shown before a visitor's first move,
// and no longer once they are dismissed.
func TestFirstSteps(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		sit := func(b *browser, table *table) *browser {
			return b.get("/t/" + table.id + "/seat/" + table.tokens[0])
		}
		shown := func(b *browser) bool { return b.page.one("form[id=steps]") != nil }
		first, second := h.open(`{"rules":"dilemma"}`), h.open(`{"rules":"dilemma"}`)

		ada := sit(h.browser(t), first)
		if !shown(ada) ||
			!strings.Contains(ada.textOf("p[id=goal]"), "1 Be the first to make one") {
			t.Errorf("the first game shows %q", ada.textOf("[id=table]"))
		}
		if ada.get("/t/" + first.id); !shown(ada) {
			t.Error("the steps are gone before the first move")
		}
		ada.press("button[id=play]", "digit=7", "spot=a")
		first.play("2:5a")
		if ada.get("/t/" + first.id); shown(ada) {
			t.Error("the steps are shown in the second turn")
		}
		if sit(ada, second); shown(ada) {
			t.Error("the steps are shown at a second table")
		}

		ben := sit(h.browser(t), second)
		ben.press("button[data-act=steps]")
		if shown(ben) || ben.id() != second.id || ben.page.one("form[id=move]") == nil {
			t.Errorf("the steps cannot be dismissed: %d %s", ben.status, ben.path)
		}
		if ben.get("/t/" + second.id); shown(ben) {
			t.Error("the steps come back")
		}
		if b := h.browser(t).post("/t/..%2Fx/steps", url.Values{}); b.status != 404 {
			t.Errorf("at no table: %d", b.status)
		}
	})
}
