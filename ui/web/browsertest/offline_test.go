package browsertest_test

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
)

// TestOffline cuts Ben's connection while Ada moves, with and without notice to his browser. His
// page shows that it is offline, and catches up later without a reload.
func TestOffline(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	proxy := srv.newProxy(t)
	ada, ben := srv.visit(t, "Ada"), freshVisitor(t, proxy.address, "Ben")
	ben.allow("net::ERR_")
	d := srv.seatPlayers(t, params{"rules": "dilemma"}, ada, ben)
	d.play("7a 3b")
	ben.markPage()

	ben.network(false)
	proxy.cut()
	ben.reads("#net", "Offline")
	ben.sees("#net")
	ada.choose(d.parse("1c")[0])
	d.moves = append(d.moves, d.parse("1c")...)
	d.shows(ada)
	if got := eval[view](ben, readView); len(got.Moves) != 2 {
		t.Errorf("Ben is offline but sees %q", got.Moves)
	}
	proxy.restore()
	ben.network(true)
	d.allShow()
	ben.until("for the notice to go", `() => document.querySelector('#net').hidden`)

	// A move made offline is sent when the connection is back.
	proxy.cut()
	ben.reads("#net", "Offline")
	ben.choose(d.parse("5a")[0])
	ben.reads("#more", "Your move is kept")
	proxy.restore()
	d.moves = append(d.moves, d.parse("5a")...)
	d.allShow()
	ben.until("for the notices to go", `() => document.querySelector('#net').hidden &&
		!document.querySelector('#more')?.textContent.includes('kept')`)
	ben.checkSamePage()
}

// TestRestart restarts the server with the same port and database. Pages reconnect without a
// reload.
func TestRestart(t *testing.T) {
	t.Parallel()
	srv := newTestServer(t, time.Minute)
	d := srv.seat(t, params{"rules": "dilemma"})
	d.watch()
	d.play("7a 3b")
	for _, v := range d.visitors() {
		v.allow("net::ERR_") // however the connection ends
		v.markPage()
	}
	if err := srv.stop(); err != nil {
		t.Fatal(err)
	}
	for _, v := range d.visitors() {
		v.reads("#net", "Offline")
	}
	if err := srv.start(); err != nil {
		t.Fatal(err)
	}
	for _, v := range d.visitors() {
		v.until("to be connected again", live)
	}
	d.play("1c 5a")
	for _, v := range d.visitors() {
		v.checkSamePage()
	}
}

// TestFrozen freezes a page, as a phone does in the background. It catches up without a reload.
func TestFrozen(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	d := srv.seat(t, params{"rules": "dilemma"})
	ada, ben := d.players[0], d.players[1]
	ben.markPage()
	eval[bool](ben, `() => {
		document.addEventListener('freeze', () => { window.froze = true })
		return true
	}`)
	ben.focus(false) // the page in front cannot be frozen
	ben.setLifecycle(page.SetWebLifecycleStateStateFrozen)
	ada.choose(d.parse("7a")[0])
	d.moves = d.parse("7a")
	d.shows(ada)
	ben.setLifecycle(page.SetWebLifecycleStateStateActive)
	ben.focus(true)
	d.allShow()
	ben.checkSamePage()
	if !eval[bool](ben, `() => window.froze === true`) {
		t.Error("the page was not frozen")
	}
	d.play("3b")
}

// network turns the browser's network on or off. Open connections stay open.
func (v *visitor) network(on bool) {
	v.t.Helper()
	v.call("network",
		callStep(network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{
				{Offline: !on, DownloadThroughput: -1, UploadThroughput: -1}}}),
		callStep(network.OverrideNetworkState, network.OverrideNetworkStateParams{
			Offline: !on, DownloadThroughput: -1, UploadThroughput: -1}))
}

// markPage marks the page, so that checkSamePage can check that it was not reloaded.
func (v *visitor) markPage() {
	v.t.Helper()
	eval[bool](v, `() => window.marked = true`)
}

func (v *visitor) checkSamePage() {
	v.t.Helper()
	if !eval[bool](v, `() => window.marked === true`) {
		v.t.Errorf("%s: the page was reloaded", v.name)
	}
}
