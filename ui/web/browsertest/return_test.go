package browsertest_test

import (
	"testing"
)

// TestReturn leaves the table in mid-game in every way a browser has, and comes back.
func TestReturn(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	d := h.meet(t, "dilemma")
	ada, ben := d.players[0], d.players[1]
	d.play("7a")

	ben.reload()
	d.agree()
	d.play("3b")

	link := ada.link("#my-link")
	ada.leave()
	ben.reads(`[data-here="1"]`, "not here now")
	ada = h.visit(t, "Ada elsewhere")
	ada.open(link)
	ada.click("[data-act=take]")
	d.players[0] = ada
	d.agree()
	reads := func(v *visitor, text string) {
		t.Helper()
		v.until("to read "+text, `text => document.querySelector('[data-here="2"]').textContent === text`, text)
	}
	d.play("1c")

	ben.open("/rules/dilemma")
	reads(ada, "not here now")
	ben.history(-1)
	reads(ada, "here")
	d.play("5a")

	ben.history(1)
	ben.until("to be back at the rules", `() => location.pathname === '/rules/dilemma'`)
	reads(ada, "not here now")
	ada.choose(d.parse("4b")[0])
	d.moves = append(d.moves, d.parse("4b")...)
	d.shows(ada)
	ben.history(-1)
	reads(ada, "here")
	d.play("2c")
}

// TestKept does with a page what browsers do that keep it as it is while somebody is elsewhere. Chromium does not keep this one.
func TestKept(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	d := h.seat(t, order{"rules": "dilemma"})
	ada, ben := d.players[0], d.players[1]
	ben.mark()
	ask[bool](ben, `() => dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))`)
	ada.reads(`[data-here="2"]`, "not here now")
	m := d.parse("7a")
	ada.choose(m[0])
	d.moves = m
	d.shows(ada)
	if got := ask[sight](ben, shown); len(got.Moves) != 0 {
		t.Errorf("Ben, who is elsewhere, sees %q", got.Moves)
	}
	ask[bool](ben, `() => dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))`)
	d.agree()
	ben.same()
	d.play("3b")
}

// history goes back or forward in the history of the browser, as its buttons do.
func (v *visitor) history(by int) {
	v.t.Helper()
	ask[bool](v, `by => { setTimeout(() => history.go(by)); return true }`, by)
}
