package browsertest_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
)

// A tableCase is a table in a certain state, and the expected properties of its page.
type tableCase struct {
	name   string
	params params
	line   string // the moves so far
	seat   int    // of the visitor, from 1; 0: a watcher
	ring   string
	more   string // appended to the path
	pick   string // the picked digit
	small  bool   // the page fits the smallest phone; otherwise only press does
	long   bool   // the page need not fit any screen
	late   bool   // another player took the seat before
	ready  int    // the seat that is ready for the next game; 0: none
	plain  bool   // without script
	press  string // selects the elements that must be in sight; empty: #acts
}

// byLink returns the parameters of a table that waits for a friend.
func byLink(rules string) params {
	return params{"rules": rules, "seats": [2]string{"human", "friend"}, "names": [2]string{"Ada", ""}}
}

var tableCases = []tableCase{
	{name: "dilemma, first", params: params{"rules": "dilemma"}, seat: 1, ring: "7", small: true},
	{name: "dilemma, picked", params: params{"rules": "dilemma"}, line: "7a 5a", seat: 1, ring: "7", pick: "2", small: true},
	{name: "dilemma, theirs", params: params{"rules": "dilemma"}, line: "7a", seat: 1, ring: "7", small: true},
	{name: "dilemma, watched", params: params{"rules": "dilemma"}, line: "7a 5a", ring: "7", small: true},
	{name: "dilemma, hint", params: params{"rules": "dilemma", "hints": true}, line: "7a 5a", seat: 1, ring: "7", more: "?hint=1", pick: "2", small: true},
	{name: "dilemma, clock", params: params{"rules": "dilemma", "best_of": 3, "turn_time": "10m"}, line: "7a 5a", seat: 1, ring: "7", pick: "2"},
	{name: "dilemma, may swap", params: params{"rules": "dilemma", "swap": true, "pair": true}, line: "7a", seat: 2, ring: "7", pick: "2", small: true, press: "#acts, #swap button"},
	{name: "highest, may swap", params: params{"rules": "highest", "swap": true}, line: "1a", seat: 2, ring: "▲", pick: "2", small: true, press: "#acts, #swap button"},
	{name: "divisibility, may swap", params: params{"rules": "divisibility target=33", "swap": true}, line: "1R", seat: 2, ring: "33", pick: "2", small: true, press: "#acts, #swap button"},
	{name: "dilemma, won", params: params{"rules": "dilemma"}, line: "7a 5a 2b 3b 1c", seat: 1, ring: "7", small: true},
	{name: "dilemma, lost", params: params{"rules": "dilemma"}, line: "1a 0b 3b 6a 4c 7c", seat: 1, ring: "7", small: true},
	{name: "dilemma, next", params: params{"rules": "dilemma", "best_of": 3}, line: "7a 5a 2b 3b 1c", seat: 2, ring: "7", small: true},
	{name: "highest, picked", params: params{"rules": "highest"}, line: "9a 8a 7b", seat: 2, ring: "▲", pick: "6"},
	{name: "highest, won", params: params{"rules": "highest"}, line: "9a 8a 7b 6b 5c 4c", seat: 1, ring: "▲", small: true},
	{name: "reverse, watched", params: params{"rules": "reverse"}, line: "1a 2a 3b", ring: "▼"},
	{name: "reverse, lost", params: params{"rules": "reverse"}, line: "9a 8a 7b 6b 5c 4c", seat: 1, ring: "▼", small: true},
	{name: "divisibility, picked", params: params{"rules": "divisibility target=13"}, line: "4R 2R 8R", seat: 2, ring: "13", pick: "7"},
	{name: "divisibility, theirs", params: params{"rules": "divisibility"}, line: "4R 2R 5R", seat: 1, ring: "7"},
	{name: "divisibility, won", params: params{"rules": "divisibility"}, line: "7R", seat: 1, ring: "7", small: true},
	{name: "sevens, first", params: params{"rules": "sevens"}, seat: 1, ring: "7!", small: true},
	{name: "sevens, call", params: params{"rules": "sevens"}, line: "1 5 2 8", seat: 1, ring: "7!", pick: "7", small: true},
	{name: "sevens, won", params: params{"rules": "sevens"}, line: "1 5 2 8 7=217", seat: 1, ring: "7!", small: true},
	{name: "sevens, called wrong", params: params{"rules": "sevens"}, line: "1 5 2 8 7=127", seat: 1, ring: "7!", small: true},
	{name: "dilemma, picked, no script", params: params{"rules": "dilemma"}, line: "7a 5a", seat: 1, ring: "7", pick: "2", plain: true},
	{name: "divisibility, picked, no script", params: params{"rules": "divisibility target=13"}, line: "4R 2R 8R", seat: 2, ring: "13", pick: "7", plain: true},
	{name: "sevens, call, no script", params: params{"rules": "sevens"}, line: "1 5 2 8", seat: 1, ring: "7!", pick: "7", plain: true},
	{name: "divisibility, long numbers", params: params{"rules": "divisibility target=13"}, line: "4R 2R 8R 1R 5R 9R 3R", seat: 2, ring: "13", pick: "6"},
	{name: "waiting", params: byLink("dilemma"), seat: 1, ring: "7", long: true, press: "#invite-link, [data-copy=invite-link]"},
	{name: "invited", params: byLink("dilemma"), seat: 2, ring: "7", small: true, press: "#sit-name, [data-act=sit]"},
	{name: "invited to sevens", params: byLink("sevens"), seat: 2, ring: "7!", press: "#sit-name, [data-act=sit]"},
	{name: "invited to divisibility", params: byLink("divisibility target=13"), seat: 2, ring: "13", press: "#sit-name, [data-act=sit]"},
	{name: "came late", params: byLink("dilemma"), seat: 2, late: true, ring: "7", press: "#alert p"},
	{name: "public link", params: byLink("reverse"), ring: "▼", small: true, press: "#more"},
	{name: "countdown", params: params{"rules": "dilemma", "best_of": 3}, line: "7a 5a 2b 3b 1c", seat: 2, ready: 1, ring: "7", small: true, press: "#next p, #acts"},
	{name: "countdown, ready", params: params{"rules": "dilemma", "best_of": 3}, line: "7a 5a 2b 3b 1c", seat: 1, ready: 1, ring: "7", small: true, press: "#next p, #acts"},
	{name: "sixteen digits", params: params{"rules": "dilemma pool=0-f width=4"}, line: "ba 5a", seat: 1, ring: "7", pick: "2"},
}

// screens are a phone in both orientations, a desktop, and a small phone.
var screens = [][2]int64{{390, 844}, {844, 390}, {1280, 800}, {320, 568}}

// TestScreens checks tables on all screens: the goal is at the top, one line says what to do, all
// important elements are in sight, picking a digit shifts nothing, and the last move is marked.
func TestScreens(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	for lane := range 2 {
		t.Run(fmt.Sprint(lane), func(t *testing.T) {
			t.Parallel()
			v := srv.visit(t, "Visitor")
			for i, s := range tableCases {
				if i%2 == lane {
					t.Run(s.name, func(t *testing.T) { srv.checkTable(t, v.forSubtest(t), s) })
				}
			}
		})
	}
}

// checkTable creates a table and checks its page on all screens.
func (srv *testServer) checkTable(t *testing.T, v *visitor, s tableCase) {
	t.Helper()
	id, tokens := srv.newTable(t, s.params)
	moves := strings.Fields(s.line)
	for i, move := range moves {
		srv.post(t, "/api/tables/"+id+"/moves", tokens[i%2], params{"move": move}, &struct{}{})
	}
	if s.late {
		srv.post(t, "/api/tables/"+id+"/seats", tokens[s.seat-1], params{"name": "Ben"}, &struct{}{})
	}
	if s.ready > 0 {
		srv.post(t, "/api/tables/"+id+"/acts", tokens[s.ready-1], params{"act": "next"}, &struct{}{})
	}
	v.script(!s.plain)
	if s.seat > 0 {
		v.open("/t/" + id + "/seat/" + tokens[s.seat-1])
	}
	if s.seat == 0 || s.more != "" || s.press != "" { // otherwise the link to the seat led there
		v.open("/t/" + id + s.more)
	}
	if !s.plain {
		v.until("to be connected", live)
	}
	by := 150 // the ring must end above this pixel
	if s.press != "" && s.ready == 0 {
		by = 210 // a message about the invitation or the link comes first
	}
	for _, screen := range screens {
		v.size(screen[0], screen[1])
		before := eval[map[string]string](v, tablePlaces)
		if s.pick != "" {
			eval[bool](v, `d => {
				const pick = document.getElementById('digit-' + d)
				pick.checked = true
				pick.dispatchEvent(new Event('change', {bubbles: true}))
				return true
			}`, s.pick)
		}
		for _, wrong := range eval[[]string](v, tableProblems, params{
			"ring": s.ring, "by": by, "moves": len(moves), "pick": s.pick,
			"small": s.small, "long": s.long, "press": cmp.Or(s.press, "#acts"),
		}) {
			t.Errorf("%dx%d: %s", screen[0], screen[1], wrong)
		}
		if s.pick != "" {
			after := eval[map[string]string](v, tablePlaces)
			for place, was := range before {
				if is := after[place]; is != was {
					t.Errorf("%dx%d: picking %s moved %s from %s to %s",
						screen[0], screen[1], s.pick, place, was, is)
				}
			}
		}
		v.screenshot(fmt.Sprintf("%s %dx%d", s.name, screen[0], screen[1]))
		eval[bool](v, `() => { document.querySelector('#move')?.reset(); return true }`)
	}
}

// tablePlaces returns the places of the parts of a table.
const tablePlaces = `() => Object.fromEntries(['#pool', '#board-1', '#board-2', '#acts'].map(s => {
	const r = document.querySelector(s)?.getBoundingClientRect()
	return [s, r ? [r.x, r.y, r.width, r.height].map(n => n.toFixed(1)).join(' ') : '']
}))`

// tableProblems returns the layout problems of the page of a table.
const tableProblems = `want => {
	const wrong = [], all = s => [...document.querySelectorAll(s)]
	const seen = e => e.checkVisibility({visibilityProperty: true}) && !e.closest('.vh')
	const inside = r => r.top >= -.5 && r.left >= -.5 && r.bottom <= innerHeight + .5 && r.right <= innerWidth + .5
	const page = document.documentElement, tiny = innerWidth < 390
	const ring = document.querySelector('.goal .ring')
	if (!ring || scrollY + ring.getBoundingClientRect().bottom > want.by) {
		wrong.push('the ring ends at ' + ring?.getBoundingClientRect().bottom)
	}
	if (!seen(document.querySelector('.goal small'))) wrong.push('the tie-break is hidden')
	if (ring?.textContent !== want.ring) wrong.push('the ring says ' + ring?.textContent)
	if (page.scrollWidth > innerWidth) wrong.push('the page is ' + page.scrollWidth + ' wide')
	const at = ring.getBoundingClientRect()
	const hit = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2)
	if (!hit?.contains(ring) && !ring.contains(hit)) {
		wrong.push('the ring is covered by ' + hit?.outerHTML.slice(0, 90))
	}
	if (page.scrollHeight > innerHeight && !want.long && (!tiny || want.small)) {
		wrong.push('the page is ' + (page.scrollHeight - innerHeight) + ' too high')
	}
	const press = all(want.press)
	if (!press.length) wrong.push('there is no ' + want.press)
	for (const e of press) {
		const box = e.getBoundingClientRect()
		if (inside(box) || e.id === 'acts' && !e.childElementCount) continue
		wrong.push(e.outerHTML.slice(0, 90) + ' is out of sight: ' + JSON.stringify(box))
	}
	for (const e of all('.full .well').filter(seen)) {
		const text = document.createRange()
		text.selectNodeContents(e)
		if (text.getBoundingClientRect().width > e.clientWidth + 1) {
			wrong.push('a digit is cut: ' + e.outerHTML.slice(0, 90))
		}
	}
	const status = all('#felt .status').filter(seen)
	if (status.length !== 1 || !status[0].innerText.trim()) wrong.push(status.length + ' status lines')
	const over = document.querySelector('#felt.over')
	const last = all('.board .last').length
	if (last !== (want.moves ? 1 : 0) && document.querySelector('.board')) {
		wrong.push(last + ' moves are marked as the last')
	}
	for (const e of all('button, a, label, summary, select').filter(seen)) {
		const {width, height, right} = e.getBoundingClientRect()
		if (right < 0 || e.matches('.skip') || e.matches('label[for]')) continue
		if (width < 43.99 || height < 43.99) {
			wrong.push('too small: ' + width.toFixed(1) + ' by ' + height.toFixed(1) + ' ' + e.outerHTML.slice(0, 90))
		}
	}
	for (const e of all('.turn').filter(seen)) {
		if (e.getBoundingClientRect().height > 26) wrong.push('a sign has two lines: ' + e.innerText)
	}
	for (const e of all('.verdict').filter(seen)) {
		if (!/[a-z]{3}/.test(e.innerText)) wrong.push('a verdict says ' + e.innerText)
	}
	if (want.pick) for (const e of all('.target')) {
		const shows = getComputedStyle(e.querySelector('.well'), '::after').content
		if (shows !== JSON.stringify(want.pick)) wrong.push('a free place shows ' + shows)
		const makes = e.querySelector('.makes')
		const judged = e.querySelector('label .verdict') || !makes
		const words = judged ? want.pick : getComputedStyle(makes, '::after').content
		if (!words.includes(want.pick)) wrong.push('a free place makes ' + words)
	}
	if (over) {
		const first = all('.foot button, .foot a.button').filter(seen)[0]
		const head = document.querySelector('#status h2')
		const countdown = document.querySelector('#next') // which has the button
		if (!countdown && !/^(Play again|Next game)/.test(first?.innerText.trim())) {
			wrong.push('the first button is ' + first?.innerText)
		}
		if (/lose|lost/i.test(head.innerText)) wrong.push('the headline is ' + head.innerText)
		const probe = document.createElement('i')
		probe.style.color = 'var(--loss)'
		head.append(probe)
		if (getComputedStyle(head).color === getComputedStyle(probe).color) wrong.push('the headline is red')
		probe.remove()
	}
	return wrong
}`
