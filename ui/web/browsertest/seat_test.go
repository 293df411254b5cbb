package browsertest_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// TestInvitation opens an invitation in the browser of its author and in two others. The first of
// these to sit down gets the seat; the other one, and later visitors, see a notice and can watch.
func TestInvitation(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	ada, ben, eve := srv.visit(t, "Ada"), srv.visit(t, "Ben"), srv.visit(t, "Eve")
	ada.open("/new?book=dilemma&against=friend")
	ada.write("#name", "Ada")
	ada.click("#new button.main")
	ada.reads("#turn", "Send this link to a friend")
	id, invitation := strings.TrimPrefix(ada.path(), "/t/"), ada.linkPath("#invite-link")

	ada.open(invitation)
	ada.reads("#alert", "This is your own invitation. You keep your seat")
	ada.reload()
	if alert := ada.text("#alert"); alert != "" {
		t.Errorf("Ada sees the notice again after a reload: %s", alert)
	}
	for _, v := range []*visitor{ben, eve} {
		v.open(invitation)
		v.reads("#turn", "Ada invites you")
	}
	ben.write("#sit-name", "Ben")
	ben.click("[data-act=sit]")
	eve.reads("#turn", "Ada's turn") // the stream has removed the form
	eve.reads("#alert", "Someone else has this seat. You can watch.")
	if alert := ben.text("#alert"); alert != "" {
		t.Errorf("Ben has the seat but sees the notice %s", alert)
	}
	eve.open(invitation)
	eve.reads("#alert", "Ben has this seat. You can watch.")

	d := srv.duel(t, id, "dilemma", ada, ben)
	d.watcher = eve
	d.allShow()
	d.play("7a 3b")
	ben.open(invitation) // he used it himself
	d.play("1c 5a")
	for _, form := range []string{"#move", "#acts [data-act=undo]", "#resign"} {
		if eve.there(form) {
			t.Errorf("the second visitor has %s", form)
		}
	}
}

// TestMoveSeat continues on another device with the player's own link, which logs out the first
// device while its page is open.
func TestMoveSeat(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	d := srv.meet(t, "dilemma")
	ada := d.players[0]
	phone := srv.visit(t, "Ada")
	phone.open(ada.linkPath("#my-link"))
	phone.until("to be connected", live)
	phone.reads("#turn", "Ada's turn")
	phone.click("[data-act=take]")
	phone.reads("#turn", "Your turn")
	d.players[0], d.watcher = phone, ada // the first device can only watch now
	ada.reads("#turn", "Ada's turn")
	if ada.there("#move .tile") {
		t.Error("the first device can still move")
	}
	ada.open("/t/" + d.id)
	ada.reads("#alert", "You are logged out of this seat")
	d.play("7a 3b 1c")
}

// TestTwoTabs plays from two tabs of one browser, and from a browser that lost its cookies.
func TestTwoTabs(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	d := srv.meet(t, "dilemma")
	ada, ben := d.players[0], d.players[1]
	own := ben.linkPath("#my-link")
	tab := ben.tab(t)
	tab.open("/t/" + d.id) // the public link, but the browser knows the seat
	tab.until("to be connected", live)
	d.watcher = tab
	d.play("7a 3b")
	d.players[1], d.watcher = tab, ben
	d.play("1c 5a")

	ben.call("no cookies", callStep(network.ClearBrowserCookies, cdp.Empty{}))
	for _, v := range []*visitor{ben, tab} {
		v.open("/t/" + d.id)
		v.reads("#turn", "Ada's turn")
		if v.there("#my-link") {
			t.Error("a browser without cookies has a seat")
		}
	}
	ben.open(own)
	ben.click("[data-act=take]")
	d.players[1], d.watcher = ben, tab
	ada.reads(`[data-here="2"]`, "here")
	d.play("4b 2c")
}

// TestOwnTab checks that two tabs of one browser that look for any opponent are not paired.
func TestOwnTab(t *testing.T) {
	t.Parallel()
	srv := newTestServer(t, 0)
	ada, ben := srv.visit(t, "Ada"), srv.visit(t, "Ben")
	ask := func(v *visitor) string {
		v.open("/new?book=reverse&against=anyone")
		v.write("#name", v.name)
		v.click("#new button.main")
		v.until("to be at a table", `() => location.pathname.startsWith('/t/')`)
		return v.path()
	}
	first := ask(ada)
	tab := ada.tab(t)
	if second := ask(tab); second == first {
		t.Fatal("two tabs of one browser are paired")
	}
	tab.reads("#turn", "Waiting for anyone to join")
	tab.open("/lobby")
	tab.reads("#open-"+strings.TrimPrefix(first, "/t/"), "Back to your table")
	if ask(ben) != first {
		t.Errorf("Ben is at %s, but Ada waits at %s", ben.path(), first)
	}
}

// tab opens another tab of the same browser, with the same cookies.
func (v *visitor) tab(t *testing.T) *visitor {
	t.Helper()
	same := chromedp.WithExistingBrowserContext(chromedp.FromContext(v.ctx).BrowserContextID)
	ctx, cancel := chromedp.NewContext(v.ctx, same)
	other := &visitor{t: t, address: v.address, name: v.name, ctx: ctx, close: sync.OnceFunc(cancel)}
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		t.Fatal(err)
	}
	other.listen()
	other.focus(true)
	other.size(1280, 800)
	t.Cleanup(func() {
		other.check()
		other.close()
	})
	return other
}
