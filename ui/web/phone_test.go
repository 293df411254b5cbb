package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/match"
)

// samePhoneForm opens a table for Ada and Ben, who share a browser.
var samePhoneForm = url.Values{
	"go": {"dilemma"}, "opponent": {samePhone}, "name": {"Ada"}, "other_name": {"Ben"},
}

// TestSamePhone plays a game of two players who share a browser, with forms alone. The page is
// always that of the player to move, and an offer needs no answer.
func TestSamePhone(t *testing.T) {
	h := newTestServer(t)
	b := h.browser(t).post("/tables", samePhoneForm)
	if b.status != http.StatusOK {
		t.Fatalf("%d %s", b.status, b.text)
	}
	id := b.id()
	expect := func(selector, want string) {
		t.Helper()
		if got := b.get("/t/" + id).textOf(selector); !strings.Contains(got, want) {
			t.Errorf("%s is %q, want %q", selector, got, want)
		}
	}
	play := func(d, spot string) {
		t.Helper()
		b.get("/t/"+id).press("button[id=play]", "digit="+d, "spot="+spot)
	}
	expect("[id=turn]", "Ada, your turn")
	play("7", "a")
	expect("[id=turn]", "Ben, your turn")
	play("9", "b")
	b.get("/t/" + id).press("button[data-act=undo]")
	if s := h.state(id); len(s.Moves) != 1 || s.Asking {
		t.Errorf("after an undo, the moves are %v", s.Moves)
	}
	expect("[id=turn]", "Ben, your turn")
	play("3", "b")
	play("1", "c")
	play("2", "a")
	if b.page.one("[data-act=hint]") != nil || b.page.one("input[id=my-link]") != nil {
		t.Error("players who share a device have hints, or a link to their seat")
	}
	play("9", "b")
	expect("[id=turn]", "Ada wins")
	expect("[id=more]", "Ada made 791 = 7 × 113.")
	expect("button[data-act=rematch]", "Play again Ben starts")
	b.press("button[data-act=rematch]")
	if s := h.state(id); s.Game != 2 || s.Turn() != match.Two {
		t.Errorf("game %d, to move: %v", s.Game, s.Turn())
	}
	expect("[id=turn]", "Ben, your turn")
	b.press("button[data-act=resign]")
	expect("[id=turn]", "Ada wins")
	eve := h.browser(t).get("/t/" + id)
	if eve.page.one("form[id=acting]") != nil || eve.status != http.StatusOK {
		t.Errorf("a watcher can act, or gets %d", eve.status)
	}
}

// TestSamePhonePublishes checks that players who share a browser publish their games at once.
func TestSamePhonePublishes(t *testing.T) {
	h := newTestServer(t)
	b := h.browser(t).post("/tables", samePhoneForm)
	b.press("button[data-act=resign]").press("button[data-act=publish]")
	if s := h.state(b.id()); !s.Public(1) {
		t.Errorf("the game is not public: %+v", s.Shows)
	}
}

// TestSamePhoneLeaves checks that both players who share a browser leave when its page is closed.
func TestSamePhoneLeaves(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		b := h.browser(t).post("/tables", samePhoneForm)
		v, err := h.Hall.Visit(t.Context(), b.id())
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		l := h.listen(t, b, "/t/"+b.id()+"/live")
		for _, here := range [][2]bool{{true, true}, {}} {
			synctest.Wait()
			if p, _ := v.Presence(); p.Seats != here {
				t.Errorf("present: %v, want %v", p.Seats, here)
			}
			l.leave()
			time.Sleep(5 * time.Minute) // after loading a page, a player is present for a while
		}
	})
}

// TestActing checks which of two players who share a browser performs an act.
func TestActing(t *testing.T) {
	h := newTestServer(t)
	for _, test := range []struct {
		line string
		act  match.Act
		want match.Seat
	}{
		{"1:7a 2:3b", match.Resign, match.One},
		{"1:7a 2:3b", match.Undo, match.Two},
		{"1:7a 2:3b 2:undo", match.AgreeUndo, match.One},
		{"1:7a", match.Resign, match.Two},
	} {
		at := h.open(`{"rules":"dilemma"}`)
		for word := range strings.FieldsSeq(test.line) {
			at.say(word)
		}
		both := viewer{plays: true, both: true}
		if got := both.acting(h.state(at.id), test.act)[0].seat; got != test.want {
			t.Errorf("%s: %s is performed by %v, want %v", test.line, test.act, got, test.want)
		}
	}
}
