package browsertest_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestPublish: two who met by a link publish their game, each sees what the other wants as it comes, and the list has the game only then.
func TestPublish(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	d := h.meet(t, "dilemma")
	ada, ben := d.players[0], d.players[1]
	d.play("7a 5a 2b 3b 1c")
	listed := func() bool {
		other := h.visit(t, "Cyd")
		other.open("/games")
		return strings.Contains(ask[string](other, `() => document.querySelector('main').innerHTML`), d.id)
	}
	for _, v := range []*visitor{ada, ben} {
		v.size(390, 844)
		v.click("#menu > summary")
		v.inSight("the end", false, "#menu [data-act=publish]")
		v.axe("private", false)
		v.press(kb.Escape)
	}
	ada.click("#menu > summary")
	ada.click("#menu [data-act=publish]")
	ada.reads("#publish", "They become public when")
	ben.reads("#publish.wish", "wants to publish the games you played here")
	ben.inSight("asked", true, "#publish")
	ben.axe("asked to publish", false)
	if listed() {
		t.Error("a game is listed that one player published")
	}
	ben.click("#publish [data-act=publish]")
	for _, v := range []*visitor{ada, ben} {
		v.reads("#publish", "Public: anyone can find it.")
	}
	if !listed() {
		t.Error("a game that both published is not listed")
	}
}
