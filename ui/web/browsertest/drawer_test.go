package browsertest_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestDrawer opens the rules during a game: the turn and the clock stay in sight, the focus moves
// to the rules and back, and the table accepts moves meanwhile.
func TestDrawer(t *testing.T) { atBoth(t, nightly, drawer) }

func drawer(t *testing.T, srv *testServer) {
	d := srv.seat(t, params{"rules": "dilemma", "turn_time": "10m"})
	ada := d.players[0]
	for _, size := range [][2]int64{{390, 844}, {320, 568}, {844, 390}, {1280, 800}} {
		ada.size(size[0], size[1])
		ada.click("#rules-link")
		ada.sees("#drawer .example")
		ada.reads("#drawer", "multiple of 7")
		ada.until("for each picture to cover the one before",
			`() => [...document.querySelectorAll('#drawer .shot')].every(e => getComputedStyle(e).isolation === 'isolate')`)
		ada.until("to be in the drawer", `() => document.activeElement.closest('#drawer') !== null`)
		parts := []string{"#turn", "#drawer [data-act=close]"}
		if srv.site == nil { // the offline site has no clocks
			parts = append(parts, "#clock")
		}
		for _, part := range parts {
			ada.until("for "+part+" to be in sight", `s => {
				const e = document.querySelector(s), b = e.getBoundingClientRect()
				const at = document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2)
				return b.top >= 0 && b.bottom <= innerHeight && e.contains(at)
			}`, part)
		}
		if nightly || size[0] == 320 || size[0] == 1280 {
			ada.axe("with the rules open", false)
		}
		if size[0] < 500 {
			eval[bool](ada, `() => { document.querySelector('#drawer [data-act=close]').click(); return true }`)
		} else {
			ada.press(kb.Escape)
		}
		ada.until("for the focus to be back", `() => !document.querySelector('#drawer').open &&
			document.activeElement.id === 'rules-link'`)
	}
	ada.click("#rules-link")
	ada.sees("#drawer .example")
	if srv.site != nil {
		return // there, the boards of two players are as wide as the page
	}
	d.play("7a 3b") // on a wide screen the table is next to the rules
	if !ada.there("#drawer .example") {
		t.Error("a move closed the rules")
	}
}

// TestFirstVisit checks that a new visitor sees three steps that fit on the page, and never sees
// them again after dismissing them.
func TestFirstVisit(t *testing.T) { atBoth(t, nightly, firstVisit) }

func firstVisit(t *testing.T, srv *testServer) {
	ada := srv.visit(t, "Ada")
	ada.size(390, 844)
	against := [2]string{"human", "casual"}
	srv.game(t, ada, params{"rules": "dilemma", "seats": against}, "")
	ada.until("to be connected", live)
	const fits = `() => document.querySelectorAll('.tip').length === 3 &&
		[...document.querySelectorAll('.tip, #acts, #pool, #move .board')].every(e => {
		const b = e.getBoundingClientRect()
		return b.height > 0 && b.top >= 0 && b.bottom <= innerHeight
	}) && document.documentElement.scrollHeight <= innerHeight`
	ada.until("to see the three steps and the whole table", fits)
	ada.until("for the steps in order, next to the instruction", `() => {
		const top = e => e.getBoundingClientRect().top
		const tips = [...document.querySelectorAll('.tip')].sort((a, b) => top(a) - top(b))
		return tips.map(e => e.firstElementChild.textContent).join('') === '123' &&
			document.querySelector('#more').checkVisibility()
	}`)
	ada.axe("with the steps", false)
	ada.click("[data-act=steps]")
	ada.until("for the steps to go",
		`() => ![...document.querySelectorAll('.tip, #steps')].some(e => e.checkVisibility())`)
	ada.until("for the instruction to stay", isVisible, "#more")
	srv.game(t, ada, params{"rules": "sevens", "seats": against}, "")
	ada.until("to be connected", live)
	if ada.there(".tip") {
		t.Error("the steps are shown again")
	}
}

// TestCalls checks that the page notifies a player who is looking elsewhere of their turn, but only
// after the player has enabled it.
func TestCalls(t *testing.T) {
	t.Parallel()
	d := sharedServer(t).seat(t, params{"rules": "dilemma"})
	ada := d.players[0]
	eval[bool](ada, `() => {
		window.calls = []
		navigator.vibrate = n => calls.push('buzz')
		window.Notification = class {
			static permission = 'granted'
			static requestPermission = async () => 'granted'
			constructor(text) { calls.push(text) }
		}
		Object.defineProperty(document, 'hidden', {get: () => true})
		return true
	}`)
	d.play("7a 3b")
	if calls := eval[[]string](ada, `() => calls`); len(calls) > 0 {
		t.Errorf("the page notifies before that is enabled: %v", calls)
	}
	ada.click("#menu > summary")
	ada.click("#settings summary")
	ada.click("#set-buzz")
	ada.click("#set-notice")
	ada.click("#menu > summary")
	eval[bool](ada, `() => { calls.length = 0; return true }`)
	d.play("1c 4c")
	ada.until("for the notification", `() => calls.join() === 'buzz,Your turn'`)
}

// TestComputerPauses checks that a player sees their own move at least half a second before the
// computer's answer, even if the answer is ready earlier.
func TestComputerPauses(t *testing.T) { atBoth(t, nightly, computerPauses) }

func computerPauses(t *testing.T, srv *testServer) {
	ada := srv.visit(t, "Ada")
	srv.game(t, ada, params{"rules": "dilemma", "seats": [2]string{"human", "beginner"}}, "")
	ada.until("to be connected", live)
	eval[bool](ada, `() => {
		window.states = []
		new MutationObserver(() => {
			const filled = [1, 2].map(n => document.querySelectorAll('#board-' + n + ' .full').length).join('')
			if (states.at(-1)?.filled !== filled) states.push({filled, at: performance.now()})
		}).observe(document.querySelector('#table'), {subtree: true, childList: true, attributes: true})
		return true
	}`)
	ada.click("[data-digit=\"5\"]")
	ada.click("[data-spot=b]")
	ada.until("for the answer", `() => states.some(s => s.filled === '11')`)
	type state struct {
		Filled string
		At     float64
	}
	states := eval[[]state](ada,
		`() => states.map(s => ({Filled: s.filled, At: s.at})).filter(s => s.Filled !== '00')`)
	if len(states) != 2 || states[0].Filled != "10" || states[1].At-states[0].At < 500 {
		t.Errorf("the page showed %+v, want the own move and the answer at least 500 ms later", states)
	}
}
