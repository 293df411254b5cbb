package browsertest_test

import (
	"fmt"
	"strings"
	"testing"
)

// A stand is a table in a state, and what the page is to say of it.
type stand struct {
	name  string
	order order
	line  string // the moves that were made
	seat  int    // whose page it is, from 1; 0: of somebody who watches
	ring  string
	more  string // what is added to the address
	pick  string // the digit that is picked
	small bool   // it fits the smallest phone whole; elsewhere only what is pressed is in sight there
}

var stands = []stand{
	{name: "dilemma, first", order: order{"rules": "dilemma"}, seat: 1, ring: "7", small: true},
	{name: "dilemma, picked", order: order{"rules": "dilemma"}, line: "7a 5a", seat: 1, ring: "7", pick: "2", small: true},
	{name: "dilemma, theirs", order: order{"rules": "dilemma"}, line: "7a", seat: 1, ring: "7", small: true},
	{name: "dilemma, watched", order: order{"rules": "dilemma"}, line: "7a 5a", ring: "7", small: true},
	{name: "dilemma, hint", order: order{"rules": "dilemma", "hints": true}, line: "7a 5a", seat: 1, ring: "7", more: "?hint=1", pick: "2"},
	{name: "dilemma, clock", order: order{"rules": "dilemma", "best_of": 3, "turn_time": "10m"}, line: "7a 5a", seat: 1, ring: "7", pick: "2"},
	{name: "dilemma, won", order: order{"rules": "dilemma"}, line: "7a 5a 2b 3b 1c", seat: 1, ring: "7", small: true},
	{name: "dilemma, lost", order: order{"rules": "dilemma"}, line: "1a 0b 3b 6a 4c 7c", seat: 1, ring: "7", small: true},
	{name: "dilemma, next", order: order{"rules": "dilemma", "best_of": 3}, line: "7a 5a 2b 3b 1c", seat: 2, ring: "7", small: true},
	{name: "highest, picked", order: order{"rules": "highest"}, line: "9a 8a 7b", seat: 2, ring: "▲", pick: "6"},
	{name: "highest, won", order: order{"rules": "highest"}, line: "9a 8a 7b 6b 5c 4c", seat: 1, ring: "▲", small: true},
	{name: "reverse, watched", order: order{"rules": "reverse"}, line: "1a 2a 3b", ring: "▼"},
	{name: "reverse, lost", order: order{"rules": "reverse"}, line: "9a 8a 7b 6b 5c 4c", seat: 1, ring: "▼", small: true},
	{name: "divisibility, picked", order: order{"rules": "divisibility target=13"}, line: "4R 2R 8R", seat: 2, ring: "13", pick: "7"},
	{name: "divisibility, theirs", order: order{"rules": "divisibility"}, line: "4R 2R 5R", seat: 1, ring: "7"},
	{name: "divisibility, won", order: order{"rules": "divisibility"}, line: "7R", seat: 1, ring: "7", small: true},
	{name: "sevens, first", order: order{"rules": "sevens"}, seat: 1, ring: "7", small: true},
	{name: "sevens, call", order: order{"rules": "sevens"}, line: "1 5 2 8", seat: 1, ring: "7", pick: "7"},
	{name: "sevens, won", order: order{"rules": "sevens"}, line: "1 5 2 8 7=217", seat: 1, ring: "7", small: true},
	{name: "sevens, called wrong", order: order{"rules": "sevens"}, line: "1 5 2 8 7=127", seat: 1, ring: "7", small: true},
	{name: "sixteen digits", order: order{"rules": "dilemma pool=0-f width=4"}, line: "ba 5a", seat: 1, ring: "7", pick: "2"},
}

// screens are a phone upright, sideways and small, and a desk.
var screens = [][2]int64{{390, 844}, {844, 390}, {1280, 800}, {320, 568}}

// TestScreens measures what every table keeps on every screen: the goal above, one line that says what to do, all that matters in sight,
// nothing that moves when a digit is picked, and the last move marked.
func TestScreens(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	for lane := range 2 {
		t.Run(fmt.Sprint(lane), func(t *testing.T) {
			t.Parallel()
			v := h.visit(t, "Visitor")
			for i, s := range stands {
				if i%2 == lane {
					t.Run(s.name, func(t *testing.T) { h.stand(t, v.lend(t), s) })
				}
			}
		})
	}
}

// stand sets a table up and measures its page on all screens.
func (h *house) stand(t *testing.T, v *visitor, s stand) {
	t.Helper()
	id, tokens := h.table(t, s.order)
	moves := strings.Fields(s.line)
	for i, move := range moves {
		h.post(t, "/api/tables/"+id+"/moves", tokens[i%2], order{"move": move}, &struct{}{})
	}
	if s.seat > 0 {
		v.open("/t/" + id + "/seat/" + tokens[s.seat-1])
	}
	v.open("/t/" + id + s.more)
	v.until("to be connected", live)
	for _, screen := range screens {
		v.size(screen[0], screen[1])
		before := ask[map[string]string](v, placesNow)
		if s.pick != "" {
			ask[bool](v, `d => { const pick = document.getElementById('digit-' + d); pick.checked = true; pick.dispatchEvent(new Event('change', {bubbles: true})); return true }`, s.pick)
		}
		for _, wrong := range ask[[]string](v, broken, order{"ring": s.ring, "moves": len(moves), "pick": s.pick, "small": s.small}) {
			t.Errorf("%dx%d: %s", screen[0], screen[1], wrong)
		}
		for place, was := range before {
			if is := ask[map[string]string](v, placesNow)[place]; s.pick != "" && s.order["rules"] != "sevens" && is != was {
				t.Errorf("%dx%d: picking %s moved %s from %s to %s", screen[0], screen[1], s.pick, place, was, is)
			}
		}
		v.picture(fmt.Sprintf("%s %dx%d", s.name, screen[0], screen[1]))
		ask[bool](v, `() => { document.querySelector('#move')?.reset(); return true }`)
	}
}

// placesNow tells where the parts of a table are.
const placesNow = `() => Object.fromEntries(['#pool', '#board-1', '#board-2', '#acts'].map(s => {
	const r = document.querySelector(s)?.getBoundingClientRect()
	return [s, r ? [r.x, r.y, r.width, r.height].map(n => n.toFixed(1)).join(' ') : '']
}))`

// broken returns what a page of a table does not keep.
const broken = `want => {
	const wrong = [], all = s => [...document.querySelectorAll(s)], seen = e => e.checkVisibility({visibilityProperty: true}) && !e.closest('.vh')
	const inside = r => r.top >= -.5 && r.left >= -.5 && r.bottom <= innerHeight + .5 && r.right <= innerWidth + .5
	const page = document.documentElement, tiny = innerWidth < 390
	const ring = document.querySelector('.goal .ring')
	if (!ring || scrollY + ring.getBoundingClientRect().bottom > 150) wrong.push('the ring ends at ' + ring?.getBoundingClientRect().bottom)
	if (ring?.textContent !== want.ring) wrong.push('the ring says ' + ring?.textContent)
	if (page.scrollWidth > innerWidth) wrong.push('the page is ' + page.scrollWidth + ' wide')
	if (page.scrollHeight > innerHeight && (!tiny || want.small)) wrong.push('the page is ' + (page.scrollHeight - innerHeight) + ' too high')
	const acts = document.querySelector('#acts')
	if (acts.childElementCount && !inside(acts.getBoundingClientRect())) wrong.push('what is pressed is out of sight: ' + JSON.stringify(acts.getBoundingClientRect()))
	const tells = all('#felt .status').filter(seen)
	if (tells.length !== 1 || !tells[0].innerText.trim()) wrong.push(tells.length + ' lines say whose turn it is')
	const over = document.querySelector('#felt.over')
	const last = all('.board .last').length
	if (!over && last !== (want.moves ? 1 : 0)) wrong.push(last + ' last moves are marked')
	for (const e of all('button, a, label, summary, select').filter(seen)) {
		const {width, height, right} = e.getBoundingClientRect()
		if (right < 0 || e.matches('.skip') || e.matches('label[for]')) continue
		if (width < 43.99 || height < 43.99) wrong.push('too small: ' + width.toFixed(1) + ' by ' + height.toFixed(1) + ' ' + e.outerHTML.slice(0, 90))
	}
	for (const e of all('.turn').filter(seen)) if (e.getBoundingClientRect().height > 26) wrong.push('a sign has two lines: ' + e.innerText)
	for (const e of all('.verdict').filter(seen)) if (!/[a-z]{3}/.test(e.innerText)) wrong.push('a verdict says ' + e.innerText)
	if (want.pick) for (const e of all('.target')) {
		const shows = getComputedStyle(e.querySelector('.well'), '::after').content
		if (shows !== JSON.stringify(want.pick)) wrong.push('a free place shows ' + shows)
		const makes = e.querySelector('.makes')
		const words = e.querySelector('label .verdict') ? want.pick : makes ? getComputedStyle(makes, '::after').content : want.pick
		if (!words.includes(want.pick)) wrong.push('a free place makes ' + words)
	}
	if (over) {
		const first = acts.querySelector('button, a.button'), head = document.querySelector('#status h2')
		if (!['Play again', 'Next game'].includes(first?.innerText.trim())) wrong.push('the first button is ' + first?.innerText)
		if (/lose|lost/i.test(head.innerText)) wrong.push('the headline is ' + head.innerText)
		const probe = document.createElement('i')
		probe.style.color = 'var(--loss)'
		head.append(probe)
		if (getComputedStyle(head).color === getComputedStyle(probe).color) wrong.push('the headline is red')
		probe.remove()
	}
	return wrong
}`
