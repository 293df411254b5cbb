package browsertest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// recordAnnouncements starts to record the text that a screen reader would announce.
func (v *visitor) recordAnnouncements() {
	v.t.Helper()
	eval[bool](v, `() => {
		window.said = []
		const say = document.querySelector('#say')
		const record = changes => changes.forEach(c => c.addedNodes.forEach(n => window.said.push(n.textContent)))
		new MutationObserver(record).observe(say, {childList: true})
		return say.getAttribute('aria-live') === 'polite' || say.role === 'log' || say.role === 'status'
	}`)
}

// announcements returns the text recorded since recordAnnouncements.
func (v *visitor) announcements() []string { return eval[[]string](v, `() => window.said`) }

// TestAnnouncements checks that every move is announced, with its player and its result.
func TestAnnouncements(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	d := srv.seat(t, params{"rules": "dilemma"})
	d.watch()
	for _, v := range d.visitors() {
		v.until("to be connected", live)
		v.recordAnnouncements()
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
			v := d.visitors()[j]
			v.wait("for the announcement of move "+test.move, func() (bool, string) {
				heard := v.announcements()
				return len(heard) > i, strings.Join(heard, "|")
			})
			if diff := cmp.Diff(want, v.announcements()[i]); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", v.name, test.move, diff)
			}
		}
	}
}

// TestAnnounceComputer checks that both moves are announced when the computer answers at once.
func TestAnnounceComputer(t *testing.T) { atBoth(t, nightly, announceComputer) }

func announceComputer(t *testing.T, srv *testServer) {
	ada := srv.visit(t, "Ada")
	srv.game(t, ada, params{
		"rules": "dilemma", "names": [2]string{"Ada", "Robot"},
		"seats": [2]string{"human", "perfect"},
	}, "")
	ada.until("to be connected", live)
	ada.recordAnnouncements()
	ada.click(`[data-digit="7"]`)
	ada.click(`[data-spot="a"]`)
	ada.wait("for the announcement of both moves", func() (bool, string) {
		heard := strings.Join(ada.announcements(), "|")
		both := strings.Contains(heard, "You put 7 on the left") && strings.Contains(heard, "The computer put")
		return both, heard
	})
}
