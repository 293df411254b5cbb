package browsertest_test

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
)

// TestOffline takes Ben's connection away while Ada moves, with and without his browser knowing. His page says so, and catches
// up without being loaded anew.
func TestOffline(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	line := h.line(t)
	ada, ben := h.visit(t, "Ada"), visitAnew(t, line.address, "Ben")
	ben.excuse("net::ERR_")
	d := h.seatThem(t, order{"rules": "dilemma"}, ada, ben)
	d.play("7a 3b")
	ben.mark()

	ben.network(false)
	line.cut()
	ben.reads("#net", "Offline")
	ben.sees("#net")
	ada.choose(d.parse("1c")[0])
	d.moves = append(d.moves, d.parse("1c")...)
	d.shows(ada)
	if got := ask[sight](ben, shown); len(got.Moves) != 2 {
		t.Errorf("Ben, who is offline, sees %q", got.Moves)
	}
	line.mend()
	ben.network(true)
	d.agree()
	ben.until("the notice to go", `() => document.querySelector('#net').hidden`)

	// A move that is made without a connection is sent when there is one.
	line.cut()
	ben.reads("#net", "Offline")
	ben.choose(d.parse("5a")[0])
	ben.reads("#more", "Your move is kept")
	line.mend()
	d.moves = append(d.moves, d.parse("5a")...)
	d.agree()
	ben.until("the notices to go", `() => document.querySelector('#net').hidden && !document.querySelector('#more')?.textContent.includes('kept')`)
	ben.same()
}

// TestRestart stops the server and starts it again at the same port and with the same database.
func TestRestart(t *testing.T) {
	t.Parallel()
	h := openHouse(t, time.Minute)
	d := h.seat(t, order{"rules": "dilemma"})
	d.watch()
	d.play("7a 3b")
	for _, v := range d.everybody() {
		v.excuse("net::ERR_") // however the connection ends
		v.mark()
	}
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	for _, v := range d.everybody() {
		v.reads("#net", "Offline")
	}
	if err := h.start(); err != nil {
		t.Fatal(err)
	}
	for _, v := range d.everybody() {
		v.until("to be connected again", live)
	}
	d.play("1c 5a")
	for _, v := range d.everybody() {
		v.same()
	}
}

// TestFrozen freezes a page as a phone does with one in the background.
func TestFrozen(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	d := h.seat(t, order{"rules": "dilemma"})
	ada, ben := d.players[0], d.players[1]
	ben.mark()
	ask[bool](ben, `() => { document.addEventListener('freeze', () => { window.froze = true }); return true }`)
	ben.focus(false) // what is in front is not frozen
	ben.state(page.SetWebLifecycleStateStateFrozen)
	ada.choose(d.parse("7a")[0])
	d.moves = d.parse("7a")
	d.shows(ada)
	ben.state(page.SetWebLifecycleStateStateActive)
	ben.focus(true)
	d.agree()
	ben.same()
	if !ask[bool](ben, `() => window.froze === true`) {
		t.Error("the page was not frozen")
	}
	d.play("3b")
}

// network tells the browser that there is no network, or that there is one again. What is open stays open.
func (v *visitor) network(there bool) {
	v.t.Helper()
	v.call("network",
		callOf(network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{
			{Offline: !there, DownloadThroughput: -1, UploadThroughput: -1}}}),
		callOf(network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: !there, DownloadThroughput: -1, UploadThroughput: -1}))
}

// mark marks the page, and same checks that it is still that one and was not loaded anew.
func (v *visitor) mark() {
	v.t.Helper()
	ask[bool](v, `() => window.marked = true`)
}

func (v *visitor) same() {
	v.t.Helper()
	if !ask[bool](v, `() => window.marked === true`) {
		v.t.Errorf("%s: the page was loaded anew", v.name)
	}
}
