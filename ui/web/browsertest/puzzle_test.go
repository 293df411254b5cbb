package browsertest_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestPuzzleFits answers the puzzle of each book, and a mistake of a game, wrongly on phones. On a usual one nothing is to be scrolled; on
// a small one what is to be pressed, and then the answer, is in sight.
func TestPuzzleFits(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	id, tokens := h.table(t, order{"rules": "dilemma"})
	for i, move := range strings.Fields("1a 0b 3b 6a 4c 7c") {
		h.post(t, "/api/tables/"+id+"/moves", tokens[i%2], order{"move": move}, &struct{}{})
	}
	paths := []string{"/t/" + id + "/games/1/retry"}
	for day := range 5 {
		paths = append(paths, fmt.Sprintf("/puzzle?day=2025-03-%02d", 1+day))
	}
	v := h.visit(t, "Ada")
	for _, path := range paths {
		for _, small := range []bool{false, true} {
			v.size(390, 844)
			if small {
				v.size(320, 568)
			}
			v.open(path)
			v.inSight(path, small, "#ask", "#pool", "#board-1", "#board-2", "#play")
			v.click("#move label.tile")
			v.inSight(path+" picked", small, "#pool", "#board-1", "#play")
			v.click("#move .target label")
			v.inSight(path+" placed", small, "#pool", "#board-1", "#play")
			v.submit("#play")
			v.reads("#answer", ".")
			v.inSight(path+" answered", small, "#answer", "#pool", "#board-1", "#acts > *")
			v.picture(fmt.Sprintf("%s small %v", path, small))
		}
	}
}

// inSight complains of what is not wholly in the window or is covered, and unless the screen is small, of a page that scrolls.
func (v *visitor) inSight(when string, small bool, selectors ...string) {
	v.t.Helper()
	for _, s := range selectors {
		if why := ask[string](v, hidden, s); why != "" {
			v.t.Errorf("%s: %s %s", when, s, why)
		}
	}
	if over := ask[int](v, `() => document.documentElement.scrollHeight - innerHeight`); over > 0 && !small {
		v.t.Errorf("%s: the page is %d pixels too high", when, over)
	}
}

// hidden says how an element is not in sight, or nothing.
const hidden = `s => {
	const e = document.querySelector(s)
	if (!e || !e.checkVisibility()) return 'is not there'
	const b = e.getBoundingClientRect()
	if (b.top < -1 || b.bottom > innerHeight + 1) return 'is at ' + b.top + ' to ' + b.bottom + ' of ' + innerHeight
	for (const y of [b.top + 4, b.bottom - 4]) {
		const at = document.elementFromPoint(b.x + b.width / 2, y)
		if (!at || !e.contains(at) && !at.contains(e)) return 'is covered by ' + (at ? at.outerHTML.slice(0, 100) : 'nothing')
	}
	return ''
}`

// TestPuzzles solves a random puzzle and finds the days of a month.
func TestPuzzles(t *testing.T) {
	t.Parallel()
	v := atTown(t).visit(t, "Ada")
	v.open("/puzzle/all")
	ask[bool](v, `() => { document.querySelector('#book').value = 'highest'; document.querySelector('#level').value = 'casual'; return true }`)
	v.submit("#random button")
	v.reads("#ask", "Only one of your")
	v.reads("#streak", "computer levels")
	v.click("#move label.tile")
	v.click("#move .target label")
	v.submit("#play")
	v.submit("#acts [data-act=again]")
	v.reads("#ask", "Only one of your")
	v.open("/puzzle")
	v.click("#move label.tile")
	v.click("#move .target label")
	v.submit("#play")
	v.open("/puzzle/all")
	if got := ask[[]string](v, `() => [...document.querySelectorAll('.days .done')].map(e => e.getAttribute('aria-current'))`); len(got) != 1 || got[0] != "date" {
		t.Errorf("the days that are marked are %v", got)
	}
}
