package browsertest_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// TestDrag plays by dragging digits to places, with the mouse and by touch on a phone.
func TestDrag(t *testing.T) { atBoth(t, nightly, drag) }

func drag(t *testing.T, srv *testServer) {
	for _, test := range []struct{ rules, line string }{
		{"dilemma", "7a 3b 1c 5a"},
		{"divisibility", "4R 3R 5L 1R"},
		{"sevens", "7 3"},
	} {
		t.Run(test.rules, func(t *testing.T) {
			d := srv.seat(t, params{"rules": test.rules})
			ben := d.players[1]
			ben.size(390, 844)
			touch := emulation.SetTouchEmulationEnabledParams{Enabled: true}
			ben.call("touch", callStep(emulation.SetTouchEmulationEnabled, touch))
			for _, m := range d.parse(test.line) {
				if v := d.turn(); v == ben {
					v.swipe(digitOf(m), spotOf(m))
				} else {
					v.drag(digitOf(m), spotOf(m))
				}
				d.moves = append(d.moves, m)
				d.allShow()
			}
		})
	}
}

// TestDragAside checks that a digit dropped outside all places is not played, and that the game
// continues.
func TestDragAside(t *testing.T) { atBoth(t, nightly, dragAside) }

func dragAside(t *testing.T, srv *testServer) {
	d := srv.seat(t, params{"rules": "dilemma"})
	ada := d.players[0]
	m := d.parse("7a")[0]
	ada.drag(digitOf(m), "#turn")
	if n := eval[int](ada, `() => document.querySelectorAll('.drag, label.over').length`); n != 0 {
		t.Errorf("%d elements still show the drag", n)
	}
	d.allShow()
	d.play("7a")
}
