package browsertest_test

import (
	"fmt"
	"testing"
)

// TestGames lets two people play each book to the end while a third one watches. Ada begins.
func TestGames(t *testing.T) { atBoth(t, nightly, games) }

func games(t *testing.T, h *testServer) {
	for _, test := range []struct{ book, line, winner, why string }{
		{"dilemma", "7a 3b 1c 5a 4b 2c", "Ben", "532 = 7 × 76."},
		{"sevens", "7 3 2 4 1=721", "Ada", "721 = 7 × 103."},
		{"highest", "9a 8a 2c 7b 5b 6c", "Ada", "952 is higher than 876."},
		{"divisibility", "4R 3R 2R", "Ada", "42 = 7 × 6."},
		{"reverse", "1a 2a 3b 4b 5c 6c", "Ada", "135 is lower than 246."},
	} {
		t.Run(test.book, func(t *testing.T) {
			d := h.meet(t, test.book)
			d.watch()
			d.agree()
			d.play(test.line)
			for _, v := range d.everybody() {
				head := "Not this time"
				switch {
				case v == d.watcher || h.site != nil:
					head = test.winner + " wins"
				case v.name == test.winner:
					head = "You win"
				}
				v.reads("#status", head)
				v.reads("#status", test.why)
			}
		})
	}
}

// TestTableTalk goes through what two people do beside moving: take back, refuse, play again, resign.
func TestTableTalk(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	d := h.meet(t, "dilemma")
	ada, ben := d.players[0], d.players[1]
	d.watch()
	d.play("7a 3b")
	sizes := append([][2]int64{{390, 664}}, screens...)
	// look visits all screens, and keeps where the parts of a page are.
	places := map[string]string{}
	look := func(v *visitor, see func(size [2]int64, part, was, is string)) {
		for _, size := range sizes {
			v.size(size[0], size[1])
			for part, is := range ask[map[string]string](v, boardsNow) {
				key := fmt.Sprint(v.name, size, part)
				see(size, part, places[key], is)
				places[key] = is
			}
		}
	}
	keep := func() {
		for _, v := range d.everybody() {
			look(v, func([2]int64, string, string, string) {})
		}
	}
	// shows checks that a visitor sees the news, and that they move nothing.
	shows := func(v *visitor, at, news string) {
		t.Helper()
		v.reads(at, news)
		look(v, func(size [2]int64, part, was, is string) {
			if !near(was, is) {
				t.Errorf("%s, %v: %q moved %s from %s to %s", v.name, size, news, part, was, is)
			}
			if part == "#board-1" {
				v.picture(fmt.Sprintf("%s %s %dx%d", v.name, news, size[0], size[1]))
			}
		})
	}
	keep()

	ada.click("#acts [data-act=undo]")
	shows(d.watcher, "#more", "Ada wants to take back a move.")
	ada.reads("#status", "You asked Ben to let you take back")
	ben.reads("#undo-asked", "Ada wants to take back")
	ben.click("#undo-asked [data-act=refuse-undo]")
	ada.reads("#say", "Ben said no")
	shows(ada, "#more", "Ben said no.")
	shows(ben, "#more", "You said no.")
	shows(d.watcher, "#more", "Ben said no.")
	d.agree()

	ada.click("#acts [data-act=undo]")
	ben.click("#undo-asked [data-act=agree-undo]")
	d.moves = nil // Ada's move and what followed it
	d.agree()
	d.play("9a 3b")

	ada.click("#menu > summary")
	ada.click("#resign summary")
	ada.click("[data-act=resign]")
	ben.reads("#turn", "You win")
	for _, v := range []*visitor{ben, d.watcher} {
		v.reads("#status", "Ada resigned.")
	}
	ada.reads("#turn", "Not this time")

	keep()
	ben.click("#acts [data-act=rematch]")
	ada.reads("#rematch-asked", "Ben wants a rematch.")
	ada.click("#rematch-asked [data-act=refuse-rematch]")
	ben.reads("#say", "Ada doesn't want a rematch.")
	shows(ben, "#note", "Ada doesn't want a rematch.")
	ben.click("#acts [data-act=rematch]")
	ada.click("#acts [data-act=rematch]")
	d.again()
	d.agree()
	ben.reads("#turn", "Your turn")
	d.play("7a 3b 1c 5a 4b 2c")
	ada.reads("#turn", "You win")
}

// TestSeries plays a best of three, in which the start alternates.
func TestSeries(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	d := h.seat(t, order{"rules": "divisibility", "best_of": 3})
	d.watch()
	d.play("4R 3R 2R")
	d.players[1].click("[data-act=next]")
	for _, v := range d.everybody() {
		v.reads("#next", "Next game in 0:")
	}
	d.players[0].click("[data-act=next]")
	d.again()
	d.agree()
	for _, v := range d.everybody() {
		v.reads("#series", "1–0")
	}
	d.play("4R 3R 1R 5R")
	for _, v := range d.everybody() {
		v.reads("#note", "the series 2–0")
	}
}

// TestNextWhileReading: whoever reads the review of the last game sees that the other player is ready for the next one, and is at the
// table when it begins.
func TestNextWhileReading(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	d := h.seat(t, order{"rules": "divisibility", "best_of": 5})
	ada, ben := d.players[0], d.players[1]
	read := func(v *visitor) {
		v.click("[data-act=review]")
		v.until("for the review", `() => document.getElementById('table-status') && document.readyState === 'complete'`)
	}
	d.play("4R 3R 2R")
	read(ada)
	ben.click("[data-act=next]")
	ada.reads("#table-status", "Ben is ready for the next game.")
	ada.reads("#table-status", "Next game in 0:")
	ada.click("#table-status [data-act=next]")
	d.again()
	d.agree()
	d.play("4R 3R 2R")
	read(ben)
	ada.click("[data-act=next]")
	ben.reads("#table-status", "Ada is ready for the next game.")
	// the page may be gone before the answer
	ask[bool](ben, `() => { fetch(document.getElementById('next').action, { method: 'POST', body: new URLSearchParams({ act: 'next' }), headers: { 'X-Requested-With': 'duel' } }); return true }`)
	d.again()
	d.agree()
}
