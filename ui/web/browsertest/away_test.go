package browsertest_test

import (
	"testing"
	"time"
)

// TestAway closes Ben's browser in mid-game. After a while Ada can take the win, or let the computer play on.
func TestAway(t *testing.T) {
	t.Parallel()
	h := openHouse(t, time.Second)
	t.Run("claim", func(t *testing.T) {
		d := h.seat(t, order{"rules": "dilemma"})
		ada := d.players[0]
		d.play("7a")
		d.players[1].leave()
		ada.reads("#left", "Ben has left.")
		ada.click("#left [data-act=claim]")
		ada.reads("#status", "Ben left.")
	})
	t.Run("replace", func(t *testing.T) {
		id, tokens := h.table(t, order{"rules": "dilemma"})
		ada, ben := h.visit(t, "Ada"), h.visit(t, "Ben")
		ada.open("/t/" + id + "/seat/" + tokens[0])
		ben.open("/t/" + id + "/seat/" + tokens[1])
		ben.until("to be connected", live)
		d := h.duel(t, id, "dilemma", ada, ben)
		d.play("7a")
		ben.leave()
		ada.click("#left [data-act=replace]")
		ada.reads(`[data-here="2"]`, "the computer plays on")
		ada.reads("#turn", "Your turn")

		// Who comes back plays on.
		ben = h.visit(t, "Ben again")
		ben.open("/t/" + id + "/seat/" + tokens[1])
		ben.until("to be connected", live)
		ada.reads("#say", "Ben is back.")
		ada.until("Ben to be here", `() => document.querySelector('[data-here="2"]').textContent === 'here'`)
		ada.click("#move label.tile")
		ada.click("#move .target label")
		ben.reads("#turn", "Your turn")
	})
}
