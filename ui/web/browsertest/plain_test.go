package browsertest_test

import (
	"slices"
	"testing"
)

// TestPlain plays without script: a whole game against the computer, by forms alone.
func TestPlain(t *testing.T) { atBoth(t, nightly, plain) }

func plain(t *testing.T, h *testServer) {
	ada := h.visit(t, "Ada")
	ada.script(false)
	ada.open("/")
	ada.set("#name", "Ada", "computer", "")
	ada.submit("button[value=dilemma]")
	turns := 0
	for ; !ada.there("#felt.over"); turns++ {
		for !ada.there("#move label.tile") && !ada.there("#felt.over") {
			ada.reload() // which the page would do by itself a little later
		}
		if ada.there("#move label.tile") {
			ada.click("#move label.tile")
			ada.click("#move .target label")
			ada.submit("#play")
		}
	}
	if turns < 2 {
		t.Errorf("the game was over after %d turns", turns)
	}
	if end := ada.text("#turn"); !slices.Contains([]string{"You win!", "Not this time", "Draw"}, end) {
		t.Errorf("the game ends with %q", end)
	}
	if ask[bool](ada, `() => document.documentElement.matches('.js')`) {
		t.Error("script ran")
	}
	ada.submit("#acts [data-act=rematch]")
	ada.wait("for the next game", func() (bool, string) {
		ada.reload()
		return ada.there("#move label.tile"), ada.text("#status")
	})
}

// TestPlainFriend plays without script against somebody with script. The page looks again by itself.
func TestPlainFriend(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	ada, ben := h.visit(t, "Ada"), h.visit(t, "Ben")
	ada.script(false)
	id, tokens := h.table(t, order{"rules": "dilemma", "first": 2})
	d := h.duel(t, id, "dilemma", ada, ben)
	d.starter = 1
	for i, v := range d.players {
		v.open("/t/" + id + "/seat/" + tokens[i])
	}
	d.play("7a")
	m := d.parse("3b")[0]
	ada.click(digitOf(m))
	ada.click(spotOf(m))
	ada.submit("#play")
	d.moves = append(d.moves, m)
	d.agree()
	ada.click("#menu > summary")
	ada.click("#resign summary")
	ada.submit("[data-act=resign]")
	ben.reads("#status", "Ada resigned.")
	ada.reads("#turn", "Not this time")
}

// submit clicks on what leads to another page, and waits for that.
func (v *visitor) submit(selector string) {
	v.t.Helper()
	v.mark()
	v.click(selector)
	v.until("for the next page", `() => !window.marked && document.readyState === 'complete'`)
}
