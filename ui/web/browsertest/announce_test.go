package browsertest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hears keeps what is said from now on to whoever hears the page.
func (v *visitor) hears() {
	v.t.Helper()
	ask[bool](v, `() => {
		window.said = []
		const say = document.querySelector('#say')
		new MutationObserver(changes => changes.forEach(c => c.addedNodes.forEach(n => window.said.push(n.textContent)))).observe(say, {childList: true})
		return say.getAttribute('aria-live') === 'polite' || say.role === 'log' || say.role === 'status'
	}`)
}

func (v *visitor) heard() []string { return ask[[]string](v, `() => window.said`) }

// TestAnnouncements listens to a game: every move is told, with who made it and what came of it.
func TestAnnouncements(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	d := h.seat(t, order{"rules": "dilemma"})
	d.watch()
	for _, v := range d.everybody() {
		v.until("to be connected", live)
		v.hears()
	}
	for i, test := range []struct{ move, ada, ben, eve string }{
		{"7a", "You put 7 on the left. You have 7 blank blank.",
			"Ada put 7 on the left. Ada has 7 blank blank. Your turn. Pick a digit, then a place for it. Still in the pool: 0, 1, 2, 3, 4, 5, 6, 8, 9.",
			"Ada put 7 on the left. Ada has 7 blank blank."},
		{"3b", "Ben put 3 in the middle. Ben has blank 3 blank. " +
			"Your turn. Pick a digit, then a place for it. Still in the pool: 0, 1, 2, 4, 5, 6, 8, 9. Your number: left 7, middle blank, right blank.",
			"You put 3 in the middle. You have blank 3 blank.", "Ben put 3 in the middle. Ben has blank 3 blank."},
		{"1c", "You put 1 on the right. You have 7 blank 1.", "Ada put 1 on the right. Ada has 7 blank 1. " +
			"Your turn. Pick a digit, then a place for it. Still in the pool: 0, 2, 4, 5, 6, 8, 9. Your number: left blank, middle 3, right blank.",
			"Ada put 1 on the right. Ada has 7 blank 1."},
		{"5a", "Ben put 5 on the left. Ben has 5 3 blank. " +
			"Your turn. Pick your last digit. It goes in the middle. Still in the pool: 0, 2, 4, 6, 8, 9. Your number: left 7, middle blank, right 1.",
			"You put 5 on the left. You have 5 3 blank.", "Ben put 5 on the left. Ben has 5 3 blank."},
		{"2b", "You put 2 in the middle. 721 is 7 times 103. You win! " +
			"721 and 791 were both open, and Ben could stop only one.",
			"Ada put 2 in the middle. 721 is 7 times 103. Ada wins! " +
				"721 and 791 were both open, and you could stop only one.",
			"Ada put 2 in the middle. 721 is 7 times 103. Ada wins! " +
				"721 and 791 were both open, and Ben could stop only one."},
	} {
		d.play(test.move)
		for j, want := range []string{test.ada, test.ben, test.eve} {
			v := d.everybody()[j]
			v.wait("to hear of move "+test.move, func() (bool, string) {
				heard := v.heard()
				return len(heard) > i, strings.Join(heard, "|")
			})
			if diff := cmp.Diff(want, v.heard()[i]); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", v.name, test.move, diff)
			}
		}
	}
}

// TestAnnounceComputer hears both moves when the computer answers at once.
func TestAnnounceComputer(t *testing.T) { atBoth(t, nightly, announceComputer) }

func announceComputer(t *testing.T, h *testServer) {
	ada := h.visit(t, "Ada")
	h.game(t, ada, order{
		"rules": "dilemma", "names": [2]string{"Ada", "Robot"},
		"seats": [2]string{"human", "perfect"},
	}, "")
	ada.until("to be connected", live)
	ada.hears()
	ada.click(`[data-digit="7"]`)
	ada.click(`[data-spot="a"]`)
	ada.wait("to hear of both moves", func() (bool, string) {
		heard := strings.Join(ada.heard(), "|")
		return strings.Contains(heard, "You put 7 on the left") && strings.Contains(heard, "The computer put"), heard
	})
}
