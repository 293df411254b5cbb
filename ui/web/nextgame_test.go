package web

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestNextWhileReading checks that a player who reads the review of the last game, even without
// script, sees that the opponent is ready and when the next game has started.
func TestNextWhileReading(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		ada, ben := h.pair(t, "dilemma", "best_of=3", "turn_time=15s")
		table, review := "/t/"+ada.id(), "/t/"+ada.id()+"/games/1"
		expect := func(b *browser, selector, want string) {
			t.Helper()
			got := b.get(review).textOf(selector)
			if !strings.Contains(got, want) || want == "" && got != "" {
				t.Errorf("%s is %q, want %q", selector, got, want)
			}
		}
		ada.get(table).press("button[data-act=resign]")
		expect(ada, "[id=table-status]", "")
		if !strings.Contains(ada.text, `http-equiv="refresh" content="10;url=`+review) {
			t.Error("without script, the review does not reload itself")
		}
		ben.get(table).press("button[data-act=next]")
		time.Sleep(20 * time.Second)
		expect(ada, "[id=table-status]",
			"Ben is ready for the next game. Are you? Next game in 0:10 Next game")
		for _, path := range []string{table, review} { // Ben is ready and needs no button
			for reader, wants := range map[*browser]bool{ada: true, ben: false} {
				if got := reader.get(path).page.one("button[data-act=next]") != nil; got != wants {
					t.Errorf("%s offers the next game: %v, want %v", path, got, wants)
				}
			}
		}
		if watcher := h.browser(t).get(review); watcher.page.one("[id=table-status]") != nil {
			t.Error("a watcher sees the state of the table too")
		}
		time.Sleep(11 * time.Second)
		synctest.Wait()
		expect(ada, "[id=table-status]", "The next game has started. To the table")
		if got := ben.get(table).textOf("[id=clock]"); got != "0:15" {
			t.Errorf("the clock of the first turn shows %s, want 0:15", got)
		}
	})
}
