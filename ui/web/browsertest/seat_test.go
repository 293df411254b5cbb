package browsertest_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// TestInvitation opens one invitation in the browser of whoever made it and in two others. The first of them who sits down has the
// seat; the other one is told and watches, and so does whoever comes later.
func TestInvitation(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	ada, ben, eve := h.visit(t, "Ada"), h.visit(t, "Ben"), h.visit(t, "Eve")
	ada.open("/new?book=dilemma&against=friend")
	ada.write("#name", "Ada")
	ada.click("#new button.main")
	ada.reads("#turn", "Send this link to a friend")
	id, invitation := strings.TrimPrefix(ada.path(), "/t/"), ada.link("#invite-link")

	ada.open(invitation)
	ada.reads("#alert", "This is your own invitation. You keep your seat")
	ada.reload()
	if told := ada.text("#alert"); told != "" {
		t.Errorf("Ada, who is back, is told again: %s", told)
	}
	for _, v := range []*visitor{ben, eve} {
		v.open(invitation)
		v.reads("#turn", "Ada invites you")
	}
	ben.write("#sit-name", "Ben")
	ben.click("[data-act=sit]")
	eve.reads("#turn", "Ada's turn") // the stream has taken the form away
	eve.reads("#alert", "Someone else has this seat. You can watch.")
	if told := ben.text("#alert"); told != "" {
		t.Errorf("Ben, who has the seat, is told %s", told)
	}
	eve.open(invitation)
	eve.reads("#alert", "Ben has this seat. You can watch.")

	d := h.duel(t, id, "dilemma", ada, ben)
	d.watcher = eve
	d.agree()
	d.play("7a 3b")
	ben.open(invitation) // which is used, by himself
	d.play("1c 5a")
	for _, form := range []string{"#move", "#acts [data-act=undo]", "#resign"} {
		if eve.there(form) {
			t.Errorf("who came second has %s", form)
		}
	}
}

// TestMoveSeat continues on another device by the own link, which logs out the first one while its page is open.
func TestMoveSeat(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	d := h.meet(t, "dilemma")
	ada := d.players[0]
	phone := h.visit(t, "Ada")
	phone.open(ada.link("#my-link"))
	phone.until("to be connected", live)
	phone.reads("#turn", "Ada's turn")
	phone.click("[data-act=take]")
	phone.reads("#turn", "Your turn")
	d.players[0], d.watcher = phone, ada // from now on all that it does
	ada.reads("#turn", "Ada's turn")
	if ada.there("#move .tile") {
		t.Error("the device that the seat was moved from can move")
	}
	ada.open("/t/" + d.id)
	ada.reads("#alert", "You are logged out of this seat")
	d.play("7a 3b 1c")
}

// TestTwoTabs plays from two tabs of one browser, and from a browser that has lost its cookies.
func TestTwoTabs(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	d := h.meet(t, "dilemma")
	ada, ben := d.players[0], d.players[1]
	own := ben.link("#my-link")
	tab := ben.tab(t)
	tab.open("/t/" + d.id) // the link for everybody, but the browser knows the seat
	tab.until("to be connected", live)
	d.watcher = tab
	d.play("7a 3b")
	d.players[1], d.watcher = tab, ben
	d.play("1c 5a")

	ben.call("no cookies", callOf(network.ClearBrowserCookies, cdp.Empty{}))
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

// TestOwnTab asks for anybody in two tabs of one browser, which do not meet.
func TestOwnTab(t *testing.T) {
	t.Parallel()
	h := openHouse(t, 0)
	ada, ben := h.visit(t, "Ada"), h.visit(t, "Ben")
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
		t.Fatal("a browser was seated opposite itself")
	}
	tab.reads("#turn", "Waiting for anyone to join")
	tab.open("/lobby")
	tab.reads("#open-"+strings.TrimPrefix(first, "/t/"), "Back to your table")
	if ask(ben) != first {
		t.Errorf("Ben is at %s, and Ada waits at %s", ben.path(), first)
	}
}

// tab opens another tab of the same browser, with the same cookies.
func (v *visitor) tab(t *testing.T) *visitor {
	t.Helper()
	ctx, cancel := chromedp.NewContext(v.ctx, chromedp.WithExistingBrowserContext(chromedp.FromContext(v.ctx).BrowserContextID))
	other := &visitor{t: t, address: v.address, name: v.name, ctx: ctx, leave: sync.OnceFunc(cancel)}
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		t.Fatal(err)
	}
	other.listen()
	other.focus(true)
	other.size(1280, 800)
	t.Cleanup(func() {
		other.check()
		other.leave()
	})
	return other
}
