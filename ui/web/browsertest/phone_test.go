package browsertest_test

import (
	"testing"
)

// TestSamePhone lets two players share a phone: the middle turns to the player to move, the boards
// stay in place, and 6 and 9 are marked.
func TestSamePhone(t *testing.T) { atBoth(t, true, samePhone) }

func samePhone(t *testing.T, srv *testServer) {
	v := srv.visit(t, "Ada")
	v.open("/help")
	v.size(390, 844)
	eval[bool](v, `() => {
		const form = document.createElement('form')
		form.method = 'post'
		form.action = '/tables'
		const fields = {go: 'dilemma', opponent: 'phone', name: 'Ada', other_name: 'Ben'}
		for (const [name, value] of Object.entries(fields)) {
			form.append(Object.assign(document.createElement('input'), {name, value}))
		}
		document.body.append(form)
		form.submit()
		return true
	}`)
	v.until("to be connected", live)
	d := srv.duel(t, "", "dilemma", v, v)
	boards := eval[map[string]string](v, boardPlaces)
	see := func(head string, turned bool) {
		t.Helper()
		v.reads("#turn", head)
		v.until("for the middle to turn", `turned => {
			const mid = document.querySelector('.mid')
			return mid.matches('.turned') === turned &&
				getComputedStyle(mid).rotate === (turned ? '180deg' : 'none')
		}`, turned)
		marked := eval[string](v,
			`() => [...document.querySelectorAll('.bar69')].map(e => e.textContent).sort().join('')`)
		if marked != "69" {
			t.Errorf("got marked digits %s, want 69", marked)
		}
		for part, is := range eval[map[string]string](v, boardPlaces) {
			if !near(boards[part], is) {
				t.Errorf("%s moved from %s to %s", part, boards[part], is)
			}
		}
		if high := eval[int](v, `() => document.documentElement.scrollHeight - innerHeight`); high > 0 {
			t.Errorf("the page is %d pixels too high", high)
		}
	}
	see("Ada, your turn", false)
	v.axe("lower player", true)
	v.choose(d.parse("7a")[0])
	see("Ben, your turn", true)
	v.axe("upper player", false)
	v.choose(d.parse("3b")[0])
	see("Ada, your turn", false)
	v.click("#acts [data-act=undo]")
	see("Ben, your turn", true)
	v.click(".flat")
	v.until("for nothing to be turned", `() => [...document.querySelectorAll('.turned, #board-2')]
		.every(e => getComputedStyle(e).rotate === 'none')`)
	v.choose(d.parse("3b")[0])
	v.reads("#turn", "Ada, your turn")
	for _, size := range [][2]int64{{320, 568}, {844, 390}, {1280, 800}, {390, 844}} {
		v.size(size[0], size[1])
		v.fits(size[0])
		if high := eval[int](v, `() => document.documentElement.scrollHeight - innerHeight`); high > 0 {
			t.Errorf("%v: the page is %d pixels too high", size, high)
		}
		v.largeTargets(true)
	}
	for _, move := range []struct{ text, head string }{
		{"1c", "Ben, your turn"}, {"2a", "Ada, your turn"}, {"9b", "Ada wins"},
	} {
		v.choose(d.parse(move.text)[0])
		v.reads("#turn", move.head)
	}
	v.reads(".acts .main small", "Ben starts")
	v.axe("at the end", true)
	v.click("#acts [data-act=rematch]")
	v.reads("#turn", "Ben, your turn")
}
