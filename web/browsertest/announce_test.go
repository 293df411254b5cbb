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
		{"7a", "You put 7 on the left: 7 empty empty.", "Ada put 7 on the left: 7 empty empty. Your turn.", "Ada put 7 on the left: 7 empty empty."},
		{"3b", "Ben put 3 in the middle: empty 3 empty. Your turn.", "You put 3 in the middle: empty 3 empty.", "Ben put 3 in the middle: empty 3 empty."},
		{"1c", "You put 1 on the right: 7 empty 1.", "Ada put 1 on the right: 7 empty 1. Your turn.", "Ada put 1 on the right: 7 empty 1."},
		{"5a", "Ben put 5 on the left: 5 3 empty. Your turn.", "You put 5 on the left: 5 3 empty.", "Ben put 5 on the left: 5 3 empty."},
		{"2b", "You put 2 in the middle: 721. You win. 721 = 7·103, a multiple of 7.",
			"Ada put 2 in the middle: 721. Ada wins. 721 = 7·103, a multiple of 7.", "Ada put 2 in the middle: 721. Ada wins. 721 = 7·103, a multiple of 7."},
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
func TestAnnounceComputer(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	ada := h.visit(t, "Ada")
	id, tokens := h.table(t, order{"rules": "dilemma", "names": [2]string{"Ada", "Robot"}, "seats": [2]string{"human", "perfect"}})
	ada.open("/t/" + id + "/seat/" + tokens[0])
	ada.until("to be connected", live)
	ada.hears()
	ada.click(`[data-digit="7"]`)
	ada.click(`[data-spot="a"]`)
	ada.wait("to hear of both moves", func() (bool, string) {
		heard := strings.Join(ada.heard(), "|")
		return strings.Contains(heard, "You put 7 on the left") && strings.Contains(heard, "Robot put"), heard
	})
}
