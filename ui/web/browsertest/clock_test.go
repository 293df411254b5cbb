package browsertest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestClock lets Ada's time run out. All pages show the clock and the end of the game, and Ada
// hears each warning once.
func TestClock(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	id, tokens := srv.newTable(t, params{
		"rules": "dilemma", "turn_time": "24s",
		"seats": [2]string{"human", "anyone"}, "names": [2]string{"Ada", ""},
	})
	ada, ben, eve := srv.visit(t, "Ada"), srv.visit(t, "Ben"), srv.visit(t, "Eve")
	ada.open("/t/" + id + "/seat/" + tokens[0])
	ada.until("to be connected", live)
	ada.recordAnnouncements()
	ben.open("/t/" + id)
	eve.open("/t/" + id)
	ben.write("#sit-name", "Ben")
	ben.click("[data-act=sit]") // which starts the clock
	all := []*visitor{ada, ben, eve}
	for _, v := range all {
		v.until("for the clock to run", `() => {
			window.clocks ??= new Set()
			window.clocks.add(document.querySelector('#clock').textContent)
			return [...window.clocks].every(c => /^0:[0-2]\d$/.test(c)) && window.clocks.size > 1
		}`)
	}
	ben.reads("#turn", "You win")
	for _, v := range all {
		v.until("for the end", `() => /time ran out/.test(document.querySelector('#status').textContent) &&
			!document.querySelector('#clock')`)
	}
	warnings := slices.DeleteFunc(ada.announcements(), func(s string) bool {
		return !strings.Contains(s, "seconds left")
	})
	if diff := cmp.Diff([]string{"10 seconds left.", "5 seconds left."}, warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// TestClockByChance checks that a random move is played when the time runs out.
func TestClockByChance(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	d := srv.seat(t, params{"rules": "dilemma", "turn_time": "8s", "on_timeout": "random"})
	for _, v := range d.players {
		v.until("for a random move", `() => document.querySelectorAll('#moves li').length > 0`)
		v.reads("#say", "so a random digit was played")
	}
}
