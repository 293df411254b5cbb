package browsertest_test

import (
	"testing"
	"time"
)

// TestAway closes Ben's browser during a game. After the grace period, Ada can claim the win or let
// the computer play for Ben.
func TestAway(t *testing.T) {
	t.Parallel()
	srv := newTestServer(t, time.Second)
	t.Run("claim", func(t *testing.T) {
		d := srv.seat(t, params{"rules": "dilemma"})
		ada := d.players[0]
		d.play("7a")
		d.players[1].close()
		ada.reads("#left", "Ben has left.")
		ada.click("#left [data-act=claim]")
		ada.reads("#status", "Ben left.")
	})
	t.Run("replace", func(t *testing.T) {
		id, tokens := srv.newTable(t, params{"rules": "dilemma"})
		ada, ben := srv.visit(t, "Ada"), srv.visit(t, "Ben")
		ada.open("/t/" + id + "/seat/" + tokens[0])
		ben.open("/t/" + id + "/seat/" + tokens[1])
		ben.until("to be connected", live)
		d := srv.duel(t, id, "dilemma", ada, ben)
		d.play("7a")
		ben.close()
		ada.click("#left [data-act=replace]")
		ada.reads(`[data-here="2"]`, "the computer plays on")
		ada.reads("#turn", "Your turn")

		// A player who comes back takes over again.
		ben = srv.visit(t, "Ben again")
		ben.open("/t/" + id + "/seat/" + tokens[1])
		ben.until("to be connected", live)
		ada.reads("#say", "Ben is back.")
		ada.until("for Ben to be here",
			`() => document.querySelector('[data-here="2"]').textContent === 'here'`)
		ada.click("#move label.tile")
		ada.click("#move .target label")
		ben.reads("#turn", "Your turn")
	})
}
