package browsertest_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestDrawer reads the rules over a table that goes on: whose turn it is and the clock stay in sight, the focus goes there and
// back, and the table takes a move meanwhile.
func TestDrawer(t *testing.T) { atBoth(t, nightly, drawer) }

func drawer(t *testing.T, h *testServer) {
	d := h.seat(t, order{"rules": "dilemma", "turn_time": "10m"})
	ada := d.players[0]
	for _, size := range [][2]int64{{390, 844}, {320, 568}, {844, 390}, {1280, 800}} {
		ada.size(size[0], size[1])
		ada.click("#rules-link")
		ada.sees("#drawer .example")
		ada.reads("#drawer", "multiple of 7")
		ada.until("each picture to cover the one before", `() => [...document.querySelectorAll('#drawer .shot')].every(e => getComputedStyle(e).isolation === 'isolate')`)
		ada.until("to be in the drawer", `() => document.activeElement.closest('#drawer') !== null`)
		parts := []string{"#turn", "#drawer [data-act=close]"}
		if h.site == nil { // where there are clocks
			parts = append(parts, "#clock")
		}
		for _, part := range parts {
			ada.until(part+" to be in sight", `s => {
				const e = document.querySelector(s), b = e.getBoundingClientRect()
				return b.top >= 0 && b.bottom <= innerHeight && e.contains(document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2))
			}`, part)
		}
		if nightly || size[0] == 320 || size[0] == 1280 {
			ada.axe("with the rules open", false)
		}
		if size[0] < 500 {
			ask[bool](ada, `() => { document.querySelector('#drawer [data-act=close]').click(); return true }`)
		} else {
			ada.press(kb.Escape)
		}
		ada.until("to be back", `() => !document.querySelector('#drawer').open && document.activeElement.id === 'rules-link'`)
	}
	ada.click("#rules-link")
	ada.sees("#drawer .example")
	if h.site != nil {
		return // the boards of two players are as wide as the page
	}
	d.play("7a 3b") // on a desk the table is next to it
	if !ada.there("#drawer .example") {
		t.Error("the rules were closed by a move")
	}
}

// TestFirstVisit shows somebody who was never here three steps, which take no room, and puts them away for good.
func TestFirstVisit(t *testing.T) { atBoth(t, nightly, firstVisit) }

func firstVisit(t *testing.T, h *testServer) {
	ada := h.visit(t, "Ada")
	ada.size(390, 844)
	against := [2]string{"human", "casual"}
	h.game(t, ada, order{"rules": "dilemma", "seats": against}, "")
	ada.until("to be connected", live)
	const fits = `() => document.querySelectorAll('.tip').length === 3 && [...document.querySelectorAll('.tip, #acts, #pool, #move .board')].every(e => {
		const b = e.getBoundingClientRect()
		return b.height > 0 && b.top >= 0 && b.bottom <= innerHeight
	}) && document.documentElement.scrollHeight <= innerHeight`
	ada.until("to see three steps and all else", fits)
	ada.until("them in order, next to the instruction", `() => [...document.querySelectorAll('.tip')].sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
		.map(e => e.firstElementChild.textContent).join('') === '123' && document.querySelector('#more').checkVisibility()`)
	ada.axe("with the steps", false)
	ada.click("[data-act=steps]")
	ada.until("to be rid of them", `() => ![...document.querySelectorAll('.tip, #steps')].some(e => e.checkVisibility())`)
	ada.until("what to do to be told as ever", isVisible, "#more")
	h.game(t, ada, order{"rules": "sevens", "seats": against}, "")
	ada.until("to be connected", live)
	if ada.there(".tip") {
		t.Error("the steps are told again")
	}
}

// TestCalls calls a player whose turn it is, and who does not look, only if that was asked for.
func TestCalls(t *testing.T) {
	t.Parallel()
	d := atTown(t).seat(t, order{"rules": "dilemma"})
	ada := d.players[0]
	ask[bool](ada, `() => {
		window.calls = []
		navigator.vibrate = n => calls.push('buzz')
		window.Notification = class { static permission = 'granted'; static requestPermission = async () => 'granted'; constructor(text) { calls.push(text) } }
		Object.defineProperty(document, 'hidden', {get: () => true})
		return true
	}`)
	d.play("7a 3b")
	if calls := ask[[]string](ada, `() => calls`); len(calls) > 0 {
		t.Errorf("nobody asked, and the page calls: %v", calls)
	}
	ada.click("#menu > summary")
	ada.click("#settings summary")
	ada.click("#set-buzz")
	ada.click("#set-notice")
	ada.click("#menu > summary")
	ask[bool](ada, `() => { calls.length = 0; return true }`)
	d.play("1c 4c")
	ada.until("to be called", `() => calls.join() === 'buzz,Your turn'`)
}

// TestComputerPauses sees one's own move before the computer's answer, which comes at least half a second later, though the
// computer had it long before.
func TestComputerPauses(t *testing.T) { atBoth(t, nightly, computerPauses) }

func computerPauses(t *testing.T, h *testServer) {
	ada := h.visit(t, "Ada")
	h.game(t, ada, order{"rules": "dilemma", "seats": [2]string{"human", "beginner"}}, "")
	ada.until("to be connected", live)
	ask[bool](ada, `() => {
		window.sights = []
		new MutationObserver(() => {
			const filled = [1, 2].map(n => document.querySelectorAll('#board-' + n + ' .full').length).join('')
			if (sights.at(-1)?.filled !== filled) sights.push({filled, at: performance.now()})
		}).observe(document.querySelector('#table'), {subtree: true, childList: true, attributes: true})
		return true
	}`)
	ada.click("[data-digit=\"5\"]")
	ada.click("[data-spot=b]")
	ada.until("for the answer", `() => sights.some(s => s.filled === '11')`)
	type sight struct {
		Filled string
		At     float64
	}
	sights := ask[[]sight](ada, `() => sights.map(s => ({Filled: s.filled, At: s.at})).filter(s => s.Filled !== '00')`)
	if len(sights) != 2 || sights[0].Filled != "10" || sights[1].At-sights[0].At < 500 {
		t.Errorf("what is seen: %+v", sights)
	}
}
