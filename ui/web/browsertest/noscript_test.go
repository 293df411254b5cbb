package browsertest_test

import (
	"slices"
	"testing"
)

// TestPlain plays a whole game against the computer without script.
func TestPlain(t *testing.T) { atBoth(t, nightly, plain) }

func plain(t *testing.T, srv *testServer) {
	ada := srv.visit(t, "Ada")
	ada.script(false)
	ada.open("/")
	ada.set("#name", "Ada", "computer", "")
	ada.submit("button[value=dilemma]")
	turns := 0
	for ; !ada.there("#felt.over"); turns++ {
		for !ada.there("#move label.tile") && !ada.there("#felt.over") {
			ada.reload() // the page would do so by itself, but later
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
		t.Errorf("the headline at the end is %q", end)
	}
	if eval[bool](ada, `() => document.documentElement.matches('.js')`) {
		t.Error("a script ran")
	}
	ada.submit("#acts [data-act=rematch]")
	ada.wait("for the next game", func() (bool, string) {
		ada.reload()
		return ada.there("#move label.tile"), ada.text("#status")
	})
}

// TestPlainFriend plays without script against a player with script. The page reloads itself.
func TestPlainFriend(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	ada, ben := srv.visit(t, "Ada"), srv.visit(t, "Ben")
	ada.script(false)
	id, tokens := srv.newTable(t, params{"rules": "dilemma", "first": 2})
	d := srv.duel(t, id, "dilemma", ada, ben)
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
	d.allShow()
	ada.click("#menu > summary")
	ada.click("#resign summary")
	ada.submit("[data-act=resign]")
	ben.reads("#status", "Ada resigned.")
	ada.reads("#turn", "Not this time")
}

// submit clicks an element that leads to another page, and waits for that page.
func (v *visitor) submit(selector string) {
	v.t.Helper()
	v.markPage()
	v.click(selector)
	v.until("for the next page", `() => !window.marked && document.readyState === 'complete'`)
}
