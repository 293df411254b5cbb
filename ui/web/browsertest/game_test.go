package browsertest_test

import (
	"fmt"
	"testing"
)

// TestGames plays a game of each main book between two players while a third visitor watches.
func TestGames(t *testing.T) { atBoth(t, nightly, games) }

func games(t *testing.T, srv *testServer) {
	for _, test := range []struct{ book, line, winner, why string }{
		{"dilemma", "7a 3b 1c 5a 4b 2c", "Ben", "532 = 7 × 76."},
		{"sevens", "7 3 2 4 1=721", "Ada", "721 = 7 × 103."},
		{"highest", "9a 8a 2c 7b 5b 6c", "Ada", "952 is higher than 876."},
		{"divisibility", "4R 3R 2R", "Ada", "42 = 7 × 6."},
		{"reverse", "1a 2a 3b 4b 5c 6c", "Ada", "135 is lower than 246."},
	} {
		t.Run(test.book, func(t *testing.T) {
			d := srv.meet(t, test.book)
			d.watch()
			d.allShow()
			d.play(test.line)
			for _, v := range d.visitors() {
				head := "Not this time"
				switch {
				case v == d.watcher || srv.site != nil:
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

// TestTableTalk checks the acts of players besides moving: undo, decline, rematch and resign.
func TestTableTalk(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	d := srv.meet(t, "dilemma")
	ada, ben := d.players[0], d.players[1]
	d.watch()
	d.play("7a 3b")
	sizes := append([][2]int64{{390, 664}}, screens...)
	// look calls see with the old and the new place of each part on all screens, and stores the
	// new.
	places := map[string]string{}
	look := func(v *visitor, see func(size [2]int64, part, was, is string)) {
		for _, size := range sizes {
			v.size(size[0], size[1])
			for part, is := range eval[map[string]string](v, boardPlaces) {
				key := fmt.Sprint(v.name, size, part)
				see(size, part, places[key], is)
				places[key] = is
			}
		}
	}
	keep := func() {
		for _, v := range d.visitors() {
			look(v, func([2]int64, string, string, string) {})
		}
	}
	// shows checks that a visitor sees the news, and that the news does not shift the layout.
	shows := func(v *visitor, at, news string) {
		t.Helper()
		v.reads(at, news)
		look(v, func(size [2]int64, part, was, is string) {
			if !near(was, is) {
				t.Errorf("%s, %v: %q moved %s from %s to %s", v.name, size, news, part, was, is)
			}
			if part == "#board-1" {
				v.screenshot(fmt.Sprintf("%s %s %dx%d", v.name, news, size[0], size[1]))
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
	d.allShow()

	ada.click("#acts [data-act=undo]")
	ben.click("#undo-asked [data-act=agree-undo]")
	d.moves = nil // Ada's move and the answer to it
	d.allShow()
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
	d.nextGame()
	d.allShow()
	ben.reads("#turn", "Your turn")
	d.play("7a 3b 1c 5a 4b 2c")
	ada.reads("#turn", "You win")
}

// TestSeries plays a best of three, in which the players take turns to start.
func TestSeries(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	d := srv.seat(t, params{"rules": "divisibility", "best_of": 3})
	d.watch()
	d.play("4R 3R 2R")
	d.players[1].click("[data-act=next]")
	for _, v := range d.visitors() {
		v.reads("#next", "Next game in 0:")
	}
	d.players[0].click("[data-act=next]")
	d.nextGame()
	d.allShow()
	for _, v := range d.visitors() {
		v.reads("#series", "1–0")
	}
	d.play("4R 3R 1R 5R")
	for _, v := range d.visitors() {
		v.reads("#note", "the series 2–0")
	}
}

// TestNextWhileReading checks that a player who reads the review of the last game sees that the
// opponent is ready for the next one, and is taken to the table when it starts.
func TestNextWhileReading(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	d := srv.seat(t, params{"rules": "divisibility", "best_of": 5})
	ada, ben := d.players[0], d.players[1]
	read := func(v *visitor) {
		v.click("[data-act=review]")
		v.until("for the review",
			`() => document.getElementById('table-status') && document.readyState === 'complete'`)
	}
	d.play("4R 3R 2R")
	read(ada)
	ben.click("[data-act=next]")
	ada.reads("#table-status", "Ben is ready for the next game.")
	ada.reads("#table-status", "Next game in 0:")
	ada.click("#table-status [data-act=next]")
	d.nextGame()
	d.allShow()
	d.play("4R 3R 2R")
	read(ben)
	ada.click("[data-act=next]")
	ben.reads("#table-status", "Ada is ready for the next game.")
	// Don't wait for the answer: the page may be replaced before.
	eval[bool](ben, `() => {
		const body = new URLSearchParams({ act: 'next' }), headers = { 'X-Requested-With': 'duel' }
		fetch(document.getElementById('next').action, { method: 'POST', body, headers })
		return true
	}`)
	d.nextGame()
	d.allShow()
}
