package browsertest_test

import (
	"cmp"
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
	long  bool   // it need not fit any screen whole
	late  bool   // somebody else took the seat before
	ready int    // the seat that is ready for the next game; 0: none
	plain bool   // without script
	press string // what is to be in sight; empty: what can be done
}

// byLink is a table for a friend, who has not come yet.
func byLink(rules string) order {
	return order{"rules": rules, "seats": [2]string{"human", "friend"}, "names": [2]string{"Ada", ""}}
}

var stands = []stand{
	{name: "dilemma, first", order: order{"rules": "dilemma"}, seat: 1, ring: "7", small: true},
	{name: "dilemma, picked", order: order{"rules": "dilemma"}, line: "7a 5a", seat: 1, ring: "7", pick: "2", small: true},
	{name: "dilemma, theirs", order: order{"rules": "dilemma"}, line: "7a", seat: 1, ring: "7", small: true},
	{name: "dilemma, watched", order: order{"rules": "dilemma"}, line: "7a 5a", ring: "7", small: true},
	{name: "dilemma, hint", order: order{"rules": "dilemma", "hints": true}, line: "7a 5a", seat: 1, ring: "7", more: "?hint=1", pick: "2", small: true},
	{name: "dilemma, clock", order: order{"rules": "dilemma", "best_of": 3, "turn_time": "10m"}, line: "7a 5a", seat: 1, ring: "7", pick: "2"},
	{name: "dilemma, may swap", order: order{"rules": "dilemma", "swap": true, "pair": true}, line: "7a", seat: 2, ring: "7", pick: "2", small: true, press: "#acts, #swap button"},
	{name: "highest, may swap", order: order{"rules": "highest", "swap": true}, line: "1a", seat: 2, ring: "▲", pick: "2", small: true, press: "#acts, #swap button"},
	{name: "divisibility, may swap", order: order{"rules": "divisibility target=33", "swap": true}, line: "1R", seat: 2, ring: "33", pick: "2", small: true, press: "#acts, #swap button"},
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
	{name: "sevens, first", order: order{"rules": "sevens"}, seat: 1, ring: "7!", small: true},
	{name: "sevens, call", order: order{"rules": "sevens"}, line: "1 5 2 8", seat: 1, ring: "7!", pick: "7", small: true},
	{name: "sevens, won", order: order{"rules": "sevens"}, line: "1 5 2 8 7=217", seat: 1, ring: "7!", small: true},
	{name: "sevens, called wrong", order: order{"rules": "sevens"}, line: "1 5 2 8 7=127", seat: 1, ring: "7!", small: true},
	{name: "dilemma, picked, no script", order: order{"rules": "dilemma"}, line: "7a 5a", seat: 1, ring: "7", pick: "2", plain: true},
	{name: "divisibility, picked, no script", order: order{"rules": "divisibility target=13"}, line: "4R 2R 8R", seat: 2, ring: "13", pick: "7", plain: true},
	{name: "sevens, call, no script", order: order{"rules": "sevens"}, line: "1 5 2 8", seat: 1, ring: "7!", pick: "7", plain: true},
	{name: "divisibility, long numbers", order: order{"rules": "divisibility target=13"}, line: "4R 2R 8R 1R 5R 9R 3R", seat: 2, ring: "13", pick: "6"},
	{name: "waiting", order: byLink("dilemma"), seat: 1, ring: "7", long: true, press: "#invite-link, [data-copy=invite-link]"},
	{name: "invited", order: byLink("dilemma"), seat: 2, ring: "7", small: true, press: "#sit-name, [data-act=sit]"},
	{name: "invited to sevens", order: byLink("sevens"), seat: 2, ring: "7!", press: "#sit-name, [data-act=sit]"},
	{name: "invited to divisibility", order: byLink("divisibility target=13"), seat: 2, ring: "13", press: "#sit-name, [data-act=sit]"},
	{name: "came late", order: byLink("dilemma"), seat: 2, late: true, ring: "7", press: "#alert p"},
	{name: "public link", order: byLink("reverse"), ring: "▼", small: true, press: "#more"},
	{name: "countdown", order: order{"rules": "dilemma", "best_of": 3}, line: "7a 5a 2b 3b 1c", seat: 2, ready: 1, ring: "7", small: true, press: "#next p, #acts"},
	{name: "countdown, ready", order: order{"rules": "dilemma", "best_of": 3}, line: "7a 5a 2b 3b 1c", seat: 1, ready: 1, ring: "7", small: true, press: "#next p, #acts"},
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
func (h *testServer) stand(t *testing.T, v *visitor, s stand) {
	t.Helper()
	id, tokens := h.table(t, s.order)
	moves := strings.Fields(s.line)
	for i, move := range moves {
		h.post(t, "/api/tables/"+id+"/moves", tokens[i%2], order{"move": move}, &struct{}{})
	}
	if s.late {
		h.post(t, "/api/tables/"+id+"/seats", tokens[s.seat-1], order{"name": "Ben"}, &struct{}{})
	}
	if s.ready > 0 {
		h.post(t, "/api/tables/"+id+"/acts", tokens[s.ready-1], order{"act": "next"}, &struct{}{})
	}
	v.script(!s.plain)
	if s.seat > 0 {
		v.open("/t/" + id + "/seat/" + tokens[s.seat-1])
	}
	if s.seat == 0 || s.more != "" || s.press != "" { // otherwise the link led there
		v.open("/t/" + id + s.more)
	}
	if !s.plain {
		v.until("to be connected", live)
	}
	by := 150 // pixels from above
	if s.press != "" && s.ready == 0 {
		by = 210 // for who invites, or what came of a link, is said first
	}
	for _, screen := range screens {
		v.size(screen[0], screen[1])
		before := ask[map[string]string](v, placesNow)
		if s.pick != "" {
			ask[bool](v, `d => { const pick = document.getElementById('digit-' + d); pick.checked = true; pick.dispatchEvent(new Event('change', {bubbles: true})); return true }`, s.pick)
		}
		for _, wrong := range ask[[]string](v, broken, order{
			"ring": s.ring, "by": by, "moves": len(moves), "pick": s.pick, "small": s.small, "long": s.long, "press": cmp.Or(s.press, "#acts"),
		}) {
			t.Errorf("%dx%d: %s", screen[0], screen[1], wrong)
		}
		if s.pick != "" {
			after := ask[map[string]string](v, placesNow)
			for place, was := range before {
				if is := after[place]; is != was {
					t.Errorf("%dx%d: picking %s moved %s from %s to %s",
						screen[0], screen[1], s.pick, place, was, is)
				}
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
	if (!ring || scrollY + ring.getBoundingClientRect().bottom > want.by) wrong.push('the ring ends at ' + ring?.getBoundingClientRect().bottom)
	if (!seen(document.querySelector('.goal small'))) wrong.push('the tie-break is hidden')
	if (ring?.textContent !== want.ring) wrong.push('the ring says ' + ring?.textContent)
	if (page.scrollWidth > innerWidth) wrong.push('the page is ' + page.scrollWidth + ' wide')
	const at = ring.getBoundingClientRect(), hit = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2)
	if (!hit?.contains(ring) && !ring.contains(hit)) wrong.push('the ring is covered by ' + hit?.outerHTML.slice(0, 90))
	if (page.scrollHeight > innerHeight && !want.long && (!tiny || want.small)) wrong.push('the page is ' + (page.scrollHeight - innerHeight) + ' too high')
	const press = all(want.press)
	if (!press.length) wrong.push('there is no ' + want.press)
	for (const e of press) if (!inside(e.getBoundingClientRect()) && (e.id !== 'acts' || e.childElementCount)) wrong.push(e.outerHTML.slice(0, 90) + ' is out of sight: ' + JSON.stringify(e.getBoundingClientRect()))
	for (const e of all('.full .well').filter(seen)) {
		const text = document.createRange()
		text.selectNodeContents(e)
		if (text.getBoundingClientRect().width > e.clientWidth + 1) wrong.push('a digit is cut: ' + e.outerHTML.slice(0, 90))
	}
	const tells = all('#felt .status').filter(seen)
	if (tells.length !== 1 || !tells[0].innerText.trim()) wrong.push(tells.length + ' lines say whose turn it is')
	const over = document.querySelector('#felt.over')
	const last = all('.board .last').length
	if (last !== (want.moves ? 1 : 0) && document.querySelector('.board')) wrong.push(last + ' last moves are marked')
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
		const first = all('.foot button, .foot a.button').filter(seen)[0], head = document.querySelector('#status h2')
		const begun = document.querySelector('#next') // which has the button
		if (!begun && !/^(Play again|Next game)/.test(first?.innerText.trim())) wrong.push('the first button is ' + first?.innerText)
		if (/lose|lost/i.test(head.innerText)) wrong.push('the headline is ' + head.innerText)
		const probe = document.createElement('i')
		probe.style.color = 'var(--loss)'
		head.append(probe)
		if (getComputedStyle(head).color === getComputedStyle(probe).color) wrong.push('the headline is red')
		probe.remove()
	}
	return wrong
}`
