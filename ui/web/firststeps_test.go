package web

import (
	"net/url"
	"strings"
	"testing"
)

// TestFirstSteps plays without script: the steps are shown before the first move, and not once they are put away.
func TestFirstSteps(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		sit := func(b *browser, table *table) *browser { return b.get("/t/" + table.id + "/seat/" + table.tokens[0]) }
		told := func(b *browser) bool { return b.page.one("form[id=steps]") != nil }
		first, second := h.open(`{"rules":"dilemma"}`), h.open(`{"rules":"dilemma"}`)

		ada := sit(h.browser(t), first)
		if !told(ada) || !strings.Contains(ada.textOf("p[id=goal]"), "1 Be the first to make one") {
			t.Errorf("in the first game there is %q", ada.textOf("[id=table]"))
		}
		if ada.get("/t/" + first.id); !told(ada) {
			t.Error("the steps do not stay for the first game")
		}
		ada.press("button[id=play]", "digit=7", "spot=a")
		first.play("2:5a")
		if ada.get("/t/" + first.id); told(ada) {
			t.Error("the steps are shown in the second turn")
		}
		if sit(ada, second); told(ada) {
			t.Error("the steps are told at a second table")
		}

		ben := sit(h.browser(t), second)
		if ben.press("button[data-act=steps]"); told(ben) || ben.id() != second.id || ben.page.one("form[id=move]") == nil {
			t.Errorf("the steps cannot be put away: %d %s", ben.status, ben.path)
		}
		if ben.get("/t/" + second.id); told(ben) {
			t.Error("the steps come back")
		}
		if b := h.browser(t).post("/t/..%2Fx/steps", url.Values{}); b.status != 404 {
			t.Errorf("at no table: %d", b.status)
		}
	})
}
