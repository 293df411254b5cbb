package browsertest_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// TestDrag plays by dragging digits to places, with the mouse and with a finger on a phone.
func TestDrag(t *testing.T) { atBoth(t, nightly, drag) }

func drag(t *testing.T, h *testServer) {
	for _, test := range []struct{ rules, line string }{
		{"dilemma", "7a 3b 1c 5a"},
		{"divisibility", "4R 3R 5L 1R"},
		{"sevens", "7 3"},
	} {
		t.Run(test.rules, func(t *testing.T) {
			d := h.seat(t, order{"rules": test.rules})
			ben := d.players[1]
			ben.size(390, 844)
			ben.call("touch", callOf(emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true}))
			for _, m := range d.parse(test.line) {
				if v := d.turn(); v == ben {
					v.swipe(digitOf(m), spotOf(m))
				} else {
					v.drag(digitOf(m), spotOf(m))
				}
				d.moves = append(d.moves, m)
				d.agree()
			}
		})
	}
}

// TestDragAside drops a digit where there is no place: nothing is played, and the game goes on.
func TestDragAside(t *testing.T) { atBoth(t, nightly, dragAside) }

func dragAside(t *testing.T, h *testServer) {
	d := h.seat(t, order{"rules": "dilemma"})
	ada := d.players[0]
	m := d.parse("7a")[0]
	ada.drag(digitOf(m), "#turn")
	if n := ask[int](ada, `() => document.querySelectorAll('.drag, label.over').length`); n != 0 {
		t.Errorf("%d things are left of the drag", n)
	}
	d.agree()
	d.play("7a")
}
