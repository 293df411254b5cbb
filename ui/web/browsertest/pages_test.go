package browsertest_test

import (
	"fmt"
	"strings"
	"testing"
)

// An exhibit is a page in a state that is worth a look.
type exhibit struct {
	name  string
	path  string
	token string // of the seat whose link is followed first; empty: whoever looks has none
	do    func(v *visitor)
	table bool // the page is that of a table, on which what is pressed is large
}

// gallery sets up tables in all their states, and returns every page there is.
func gallery(t *testing.T, h *testServer) []exhibit {
	t.Helper()
	moves := func(id string, tokens [2]string, line string) {
		t.Helper()
		for i, move := range strings.Fields(line) {
			h.post(t, "/api/tables/"+id+"/moves", tokens[i%2], order{"move": move}, &struct{}{})
		}
	}
	finished, f := h.table(t, order{"rules": "dilemma", "best_of": 3})
	moves(finished, f, "7a 3b 1c 5a 4b 2c")
	playing, p := h.table(t, order{"rules": "dilemma", "best_of": 3, "turn_time": "10m"})
	moves(playing, p, "7a 3b")
	over, o := h.table(t, order{"rules": "dilemma"})
	moves(over, o, "7a 3b 1c 5a 4b 2c")
	ends, e := h.table(t, order{"rules": "divisibility"})
	moves(ends, e, "4R 3R 5L 1R")
	hand, c := h.table(t, order{"rules": "sevens"})
	moves(hand, c, "7 3 2 4")
	agreed, a := h.table(t, order{"rules": "sevens", "auto_call": true, "best_of": 3, "targets": "7,11,13", "turn_time": "10m", "on_timeout": "random"})
	moves(agreed, a, "7 3 2 4")
	hex, x := h.table(t, order{"rules": "dilemma pool=0-f width=4"})
	hints, n := h.table(t, order{"rules": "dilemma", "hints": true, "seats": [2]string{"human", "casual"}})
	listed, w := h.table(t, order{"rules": "highest", "names": [2]string{"Ada", ""}, "seats": [2]string{"human", "anyone"}})
	names, m := h.table(t, order{"rules": "dilemma", "best_of": 3, "names": [2]string{"<img src=x onerror=a()>", strings.Repeat("W", 24)}})
	moves(names, m, "7a 3b")
	h.visit(t, "Host").open("/t/" + listed + "/seat/" + w[0]) // the lobby lists nobody who is not there
	running, _ := h.table(t, order{"rules": "reverse", "names": [2]string{"Cleo", ""}, "seats": [2]string{"human", "anyone"}})
	h.post(t, "/api/tables/"+running+"/seats", "", order{"name": "Dan"}, &struct{}{})
	undo, u := h.table(t, order{"rules": "dilemma"})
	moves(undo, u, "7a 3b")
	h.post(t, "/api/tables/"+undo+"/acts", u[0], order{"act": "undo"}, &struct{}{})
	return []exhibit{
		{name: "home", path: "/"},
		{name: "sheet", path: "/", do: (*visitor).openSheet},
		{name: "settings refused", path: "/", do: func(v *visitor) {
			v.openSheet()
			v.write("#name", strings.Repeat("x", 25))
			v.submit("#sheet .main")
			v.reads("#alert", "too long")
		}},
		{name: "your games", path: "/yours"},
		{name: "new table", path: "/new?book=sevens"},
		{name: "new table with options", path: "/new?rules=dilemma+target%3D11"},
		{name: "new table refused", path: "/new?rules=dilemma+target%3D11", do: func(v *visitor) {
			v.write("[name=target]", "12345")
			v.submit("#new button.main")
			v.reads("#alert", "12345")
		}},
		{name: "waiting", path: "/t/" + listed, token: w[0], table: true},
		{name: "invited", path: "/t/" + listed, table: true},
		{name: "playing", path: "/t/" + playing, token: p[0], table: true},
		{name: "chosen", path: "/t/" + playing, token: p[0], table: true, do: func(v *visitor) { v.click(`[data-digit="1"]`) }},
		{name: "waiting for the other", path: "/t/" + playing, token: p[1], table: true},
		{name: "watching", path: "/t/" + playing, table: true},
		{name: "ends", path: "/t/" + ends, token: e[0], table: true},
		{name: "hand with calls", path: "/t/" + hand, token: c[0], table: true, do: func(v *visitor) { v.click(`[data-digit="1"]`) }},
		{name: "hand that is called for", path: "/t/" + agreed, token: a[0], table: true},
		{name: "sixteen digits", path: "/t/" + hex, token: x[0], table: true},
		{name: "hint", path: "/t/" + hints + "?hint=1", token: n[0], table: true, do: func(v *visitor) {
			v.click("#hint-move summary")
			v.click(`[data-digit="1"]`)
		}},
		{name: "odd names", path: "/t/" + names, token: m[0], table: true, do: func(v *visitor) { v.reads("#board-1", "<img src=x onerror=a()>") }},
		{name: "undo asked", path: "/t/" + undo, token: u[1], table: true},
		{name: "refused", path: "/t/" + playing, token: p[0], table: true, do: func(v *visitor) {
			ask[bool](v, `() => { document.querySelector('[name=digit]').value = '7'; return true }`)
			v.click("#move label.tile")
			v.click("#move .target label")
			v.reads("#alert", "7")
		}},
		{name: "finished", path: "/t/" + finished, token: f[0], table: true, do: func(v *visitor) {
			v.click("#menu > summary")
			v.click("#share summary")
		}},
		{name: "finished and watched", path: "/t/" + over, table: true},
		{name: "review of one game", path: "/t/" + over + "/games/1"},
		{name: "review", path: "/t/" + finished + "/games/1"},
		{name: "replay", path: "/t/" + finished + "/games/1?ply=3"},
		{name: "lobby", path: "/lobby", do: func(v *visitor) { v.sees("[data-act=join]") }},
		{name: "games", path: "/games"},
		{name: "rulebooks", path: "/rules"},
		{name: "rules", path: "/rules/sevens", do: func(v *visitor) { v.click("details summary") }},
		{name: "puzzle", path: "/puzzle?day=2025-03-01", table: true},
		{name: "puzzle answered", path: "/puzzle?day=2025-03-01", table: true, do: func(v *visitor) {
			v.click("#move label.tile")
			v.click("#move .target label")
			v.submit("#play")
			v.reads("#answer", ".")
		}},
		{name: "puzzle of no day", path: "/puzzle?book=dilemma&at=3_0/7__", table: true},
		{name: "puzzles", path: "/puzzle/all"},
		{name: "lessons", path: "/learn"},
		{name: "lesson", path: "/learn/sevens?step=2", table: true},
		{name: "mistakes", path: "/t/" + finished + "/games/1/retry", table: true},
		{name: "help", path: "/help"},
		{name: "missing", path: "/missing"},
	}
}

// TestPages looks at every page on screens of all sizes, light and dark: it fits, what can be
// pressed is large enough, and axe-core finds nothing to complain about. Without DUEL_NIGHTLY,
// axe-core, which takes longest, sees every other page only on the smallest screen, light, and the
// rest only on the largest, dark.
func TestPages(t *testing.T) {
	t.Parallel()
	h := atTown(t)
	lanes := make([][]exhibit, 3) // each of which has a browser, and the last one no seat
	for i, e := range gallery(t, h) {
		lane := i % 3
		switch {
		case e.token != "":
			lane = i % 2
		case e.table:
			lane = 2
		}
		lanes[lane] = append(lanes[lane], e)
	}
	for i, lane := range lanes {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			v := h.visit(t, "Visitor")
			v.excuse("/missing", "422")
			for n, e := range lane {
				t.Run(e.name, func(t *testing.T) { v.lend(t).look(e, n%2 == 0) })
			}
		})
	}
}

// look looks at an exhibit in every way. small says on which screen axe-core sees it.
func (v *visitor) look(e exhibit, small bool) {
	v.t.Helper()
	v.size(1280, 800)
	table, more, _ := strings.Cut(e.path, "?")
	if e.token != "" {
		v.open(table + "/seat/" + e.token) // which leads to the table
	}
	if e.token == "" || more != "" {
		v.open(e.path)
	}
	if e.do != nil {
		e.do(v)
	}
	for _, width := range []int64{320, 390, 768, 1280} {
		v.size(width, 800)
		v.fits(width)
		v.large(e.table)
		for _, scheme := range []string{"light", "dark"} {
			light := scheme == "light"
			checked := nightly && (width == 320 || width == 1280) ||
				small && light && width == 320 || !small && !light && width == 1280
			if !checked && !artifacts() {
				continue
			}
			v.scheme(scheme)
			if checked {
				v.axe(fmt.Sprintf("%d %s", width, scheme), nightly && !light)
			}
			v.picture(fmt.Sprintf("%s %d %s", e.name, width, scheme))
		}
	}
}

// fits checks that nothing sticks out of the window to the right.
func (v *visitor) fits(width int64) {
	v.t.Helper()
	if wide := ask[[]string](v, tooWide); len(wide) > 0 {
		v.t.Errorf("%d: %s", width, strings.Join(wide, "\n\t"))
	}
}

// tooWide lists what is cut off sideways. What moves is measured where it comes to rest.
const tooWide = `() => {
	for (const motion of document.getAnimations()) motion.finish()
	const page = document.documentElement
	if (page.scrollWidth <= innerWidth) return []
	const out = [...document.body.querySelectorAll('*')].filter(e => e.getBoundingClientRect().right > innerWidth && !e.closest('.vh'))
	return ['the page is ' + page.scrollWidth + ' wide', ...out.slice(0, 5).map(e => e.outerHTML.slice(0, 100))]
}`

// large checks that a finger can hit what there is to press: on a table 44 pixels, elsewhere 24, except for links in a text.
func (v *visitor) large(table bool) {
	v.t.Helper()
	for _, small := range ask[[]string](v, tooSmall, table) {
		v.t.Errorf("too small: %s", small)
	}
}

const tooSmall = `table => {
	const things = 'a[href], button, summary, select, input:not([type=hidden])'
	return [...document.querySelectorAll(things)].filter(e => e.checkVisibility({visibilityProperty: true}) && !e.matches('.skip')).map(e => {
		const hit = e.closest('label') ?? e, {width, height} = hit.getBoundingClientRect()
		if (e.localName === 'a' && getComputedStyle(e).display === 'inline' && !e.closest('.list')) return ''
		const least = table && e.closest('#table') || e.closest('.list') ? 44 : 24
		if (width + .01 >= least && height + .01 >= least) return ''
		return width.toFixed(1) + ' by ' + height.toFixed(1) + ' in a window of ' + innerWidth + ': ' + hit.outerHTML.slice(0, 150)
	}).filter(s => s)
}`

// TestComplaints shows that what is wrong with a page is noticed.
func TestComplaints(t *testing.T) {
	t.Parallel()
	v := atTown(t).visit(t, "Ada")
	for _, test := range []struct{ plant, style, complaint string }{
		{`<pre>` + strings.Repeat("wide", 100) + `</pre>`, "", "the page is"},
		{`<button>x</button>`, "width: 20px; height: 20px; min-height: 0; padding: 0", "20.0 by 20.0"},
	} {
		v.plant(test.plant, test.style)
		got := append(ask[[]string](v, tooWide), ask[[]string](v, tooSmall, false)...)
		if all := strings.Join(got, "\n"); !strings.Contains(all, test.complaint) {
			t.Errorf("%s: complaints: %q", test.plant, all)
		}
	}
}

// plant opens a page on a small screen with an element in it that does not belong there.
func (v *visitor) plant(html, style string) {
	v.t.Helper()
	v.open("/help")
	v.size(320, 800)
	ask[bool](v, `(html, style) => {
		const main = document.querySelector('main')
		main.insertAdjacentHTML('beforeend', html)
		main.lastElementChild.style = style
		return true
	}`, html, style)
}
