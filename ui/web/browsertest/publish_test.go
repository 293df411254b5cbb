package browsertest_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestPublish lets two players who met by a link publish their game. Each sees at once what the
// opponent wants, and the game is listed only after both have agreed.
func TestPublish(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	d := srv.meet(t, "dilemma")
	ada, ben := d.players[0], d.players[1]
	d.play("7a 5a 2b 3b 1c")
	listed := func() bool {
		other := srv.visit(t, "Cyd")
		other.open("/games")
		html := eval[string](other, `() => document.querySelector('main').innerHTML`)
		return strings.Contains(html, d.id)
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
		t.Error("the game is listed after one player agreed")
	}
	ben.click("#publish [data-act=publish]")
	for _, v := range []*visitor{ada, ben} {
		v.reads("#publish", "Public: anyone can find it.")
	}
	if !listed() {
		t.Error("the game is not listed after both players agreed")
	}
}
