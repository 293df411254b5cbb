package browsertest_test

import (
	"testing"
)

// TestReturn leaves a table during the game and comes back, by reload, link, and history.
func TestReturn(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	d := srv.meet(t, "dilemma")
	ada, ben := d.players[0], d.players[1]
	d.play("7a")

	ben.reload()
	d.allShow()
	d.play("3b")

	link := ada.linkPath("#my-link")
	ada.close()
	ben.reads(`[data-here="1"]`, "not here now")
	ada = srv.visit(t, "Ada elsewhere")
	ada.open(link)
	ada.click("[data-act=take]")
	d.players[0] = ada
	d.allShow()
	reads := func(v *visitor, text string) {
		t.Helper()
		v.until("to read "+text,
			`text => document.querySelector('[data-here="2"]').textContent === text`, text)
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

// TestKept sends a page the events of the back/forward cache, which some browsers use for it.
// Chromium does not.
func TestKept(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	d := srv.seat(t, params{"rules": "dilemma"})
	ada, ben := d.players[0], d.players[1]
	ben.markPage()
	eval[bool](ben, `() => dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))`)
	ada.reads(`[data-here="2"]`, "not here now")
	m := d.parse("7a")
	ada.choose(m[0])
	d.moves = m
	d.shows(ada)
	if got := eval[view](ben, readView); len(got.Moves) != 0 {
		t.Errorf("Ben has left the page but sees %q", got.Moves)
	}
	eval[bool](ben, `() => dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))`)
	d.allShow()
	ben.checkSamePage()
	d.play("3b")
}

// history goes back or forward in the browser's history.
func (v *visitor) history(by int) {
	v.t.Helper()
	eval[bool](v, `by => { setTimeout(() => history.go(by)); return true }`, by)
}
