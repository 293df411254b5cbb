package browsertest_test

import (
	"fmt"
	"strings"
	"testing"
)

// A pageCase is a page in a certain state.
type pageCase struct {
	name  string
	path  string
	token string // of the visitor's seat; empty: no seat
	do    func(v *visitor)
	table bool // the page shows a table, on which touch targets are larger
}

// pageCases creates tables in all states, and returns all pages.
func pageCases(t *testing.T, srv *testServer) []pageCase {
	t.Helper()
	moves := func(id string, tokens [2]string, line string) {
		t.Helper()
		for i, move := range strings.Fields(line) {
			srv.post(t, "/api/tables/"+id+"/moves", tokens[i%2], params{"move": move}, &struct{}{})
		}
	}
	finished, f := srv.newTable(t, params{"rules": "dilemma", "best_of": 3})
	moves(finished, f, "7a 3b 1c 5a 4b 2c")
	playing, p := srv.newTable(t, params{"rules": "dilemma", "best_of": 3, "turn_time": "10m"})
	moves(playing, p, "7a 3b")
	over, o := srv.newTable(t, params{"rules": "dilemma"})
	moves(over, o, "7a 3b 1c 5a 4b 2c")
	ends, e := srv.newTable(t, params{"rules": "divisibility"})
	moves(ends, e, "4R 3R 5L 1R")
	hand, c := srv.newTable(t, params{"rules": "sevens"})
	moves(hand, c, "7 3 2 4")
	agreed, a := srv.newTable(t, params{
		"rules": "sevens", "auto_call": true, "best_of": 3, "targets": "7,11,13",
		"turn_time": "10m", "on_timeout": "random",
	})
	moves(agreed, a, "7 3 2 4")
	hex, x := srv.newTable(t, params{"rules": "dilemma pool=0-f width=4"})
	hints, n := srv.newTable(t, params{
		"rules": "dilemma", "hints": true, "seats": [2]string{"human", "casual"},
	})
	listed, w := srv.newTable(t, params{
		"rules": "highest", "names": [2]string{"Ada", ""}, "seats": [2]string{"human", "anyone"},
	})
	names, m := srv.newTable(t, params{
		"rules": "dilemma", "best_of": 3,
		"names": [2]string{"<img src=x onerror=a()>", strings.Repeat("W", 24)},
	})
	moves(names, m, "7a 3b")
	// The lobby lists only tables whose host is present.
	srv.visit(t, "Host").open("/t/" + listed + "/seat/" + w[0])
	running, _ := srv.newTable(t, params{
		"rules": "reverse", "names": [2]string{"Cleo", ""}, "seats": [2]string{"human", "anyone"},
	})
	srv.post(t, "/api/tables/"+running+"/seats", "", params{"name": "Dan"}, &struct{}{})
	undo, u := srv.newTable(t, params{"rules": "dilemma"})
	moves(undo, u, "7a 3b")
	srv.post(t, "/api/tables/"+undo+"/acts", u[0], params{"act": "undo"}, &struct{}{})
	return []pageCase{
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
		{name: "waiting for the opponent", path: "/t/" + playing, token: p[1], table: true},
		{name: "watching", path: "/t/" + playing, table: true},
		{name: "ends", path: "/t/" + ends, token: e[0], table: true},
		{name: "hand with calls", path: "/t/" + hand, token: c[0], table: true, do: func(v *visitor) { v.click(`[data-digit="1"]`) }},
		{name: "hand with automatic calls", path: "/t/" + agreed, token: a[0], table: true},
		{name: "sixteen digits", path: "/t/" + hex, token: x[0], table: true},
		{name: "hint", path: "/t/" + hints + "?hint=1", token: n[0], table: true, do: func(v *visitor) {
			v.click("#hint-move summary")
			v.click(`[data-digit="1"]`)
		}},
		{name: "odd names", path: "/t/" + names, token: m[0], table: true, do: func(v *visitor) { v.reads("#board-1", "<img src=x onerror=a()>") }},
		{name: "undo asked", path: "/t/" + undo, token: u[1], table: true},
		{name: "refused", path: "/t/" + playing, token: p[0], table: true, do: func(v *visitor) {
			eval[bool](v, `() => { document.querySelector('[name=digit]').value = '7'; return true }`)
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
		{name: "puzzle of a position", path: "/puzzle?book=dilemma&at=3_0/7__", table: true},
		{name: "puzzles", path: "/puzzle/all"},
		{name: "lessons", path: "/learn"},
		{name: "lesson", path: "/learn/sevens?step=2", table: true},
		{name: "mistakes", path: "/t/" + finished + "/games/1/retry", table: true},
		{name: "help", path: "/help"},
		{name: "missing", path: "/missing"},
	}
}

// TestPages checks every page on all screen sizes, in light and dark mode: it fits, touch targets
// are large enough, and axe-core finds no violations. Without DUEL_NIGHTLY, axe-core, which is
// slow, checks each page once: on the smallest screen in light mode or on the largest in dark mode.
func TestPages(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	lanes := make([][]pageCase, 3) // each has a visitor; the last one has no seats
	for i, e := range pageCases(t, srv) {
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
			v := srv.visit(t, "Visitor")
			v.allow("/missing", "422")
			for n, e := range lane {
				t.Run(e.name, func(t *testing.T) { v.forSubtest(t).checkPage(e, n%2 == 0) })
			}
		})
	}
}

// checkPage checks a page on all screens. small selects the screen on which axe-core runs.
func (v *visitor) checkPage(e pageCase, small bool) {
	v.t.Helper()
	v.size(1280, 800)
	table, more, _ := strings.Cut(e.path, "?")
	if e.token != "" {
		v.open(table + "/seat/" + e.token) // redirects to the table
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
		v.largeTargets(e.table)
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
			v.screenshot(fmt.Sprintf("%s %d %s", e.name, width, scheme))
		}
	}
}

// fits checks that the page does not overflow to the right.
func (v *visitor) fits(width int64) {
	v.t.Helper()
	if wide := eval[[]string](v, tooWide); len(wide) > 0 {
		v.t.Errorf("%d: %s", width, strings.Join(wide, "\n\t"))
	}
}

// tooWide lists elements that overflow to the right, after all animations.
const tooWide = `() => {
	for (const motion of document.getAnimations()) motion.finish()
	const page = document.documentElement
	if (page.scrollWidth <= innerWidth) return []
	const out = [...document.body.querySelectorAll('*')]
		.filter(e => e.getBoundingClientRect().right > innerWidth && !e.closest('.vh'))
	return ['the page is ' + page.scrollWidth + ' wide', ...out.slice(0, 5).map(e => e.outerHTML.slice(0, 100))]
}`

// largeTargets checks the size of touch targets: 44 pixels on a table and in lists, 24 elsewhere.
// Links within text may be smaller.
func (v *visitor) largeTargets(table bool) {
	v.t.Helper()
	for _, small := range eval[[]string](v, tooSmall, table) {
		v.t.Errorf("too small: %s", small)
	}
}

const tooSmall = `table => {
	const things = 'a[href], button, summary, select, input:not([type=hidden])'
	const shown = e => e.checkVisibility({visibilityProperty: true}) && !e.matches('.skip')
	return [...document.querySelectorAll(things)].filter(shown).map(e => {
		const hit = e.closest('label') ?? e, {width, height} = hit.getBoundingClientRect()
		if (e.localName === 'a' && getComputedStyle(e).display === 'inline' && !e.closest('.list')) return ''
		const least = table && e.closest('#table') || e.closest('.list') ? 44 : 24
		if (width + .01 >= least && height + .01 >= least) return ''
		return width.toFixed(1) + ' by ' + height.toFixed(1) + ' in a window of ' + innerWidth + ': ' +
			hit.outerHTML.slice(0, 150)
	}).filter(s => s)
}`

// TestComplaints checks that tooWide and tooSmall find problems.
func TestComplaints(t *testing.T) {
	t.Parallel()
	v := sharedServer(t).visit(t, "Ada")
	for _, test := range []struct{ html, style, want string }{
		{`<pre>` + strings.Repeat("wide", 100) + `</pre>`, "", "the page is"},
		{`<button>x</button>`, "width: 20px; height: 20px; min-height: 0; padding: 0", "20.0 by 20.0"},
	} {
		v.openWith(test.html, test.style)
		got := append(eval[[]string](v, tooWide), eval[[]string](v, tooSmall, false)...)
		if all := strings.Join(got, "\n"); !strings.Contains(all, test.want) {
			t.Errorf("%s: got problems %q, want %q", test.html, all, test.want)
		}
	}
}

// openWith opens a page on a small screen and adds an element to it.
func (v *visitor) openWith(html, style string) {
	v.t.Helper()
	v.open("/help")
	v.size(320, 800)
	eval[bool](v, `(html, style) => {
		const main = document.querySelector('main')
		main.insertAdjacentHTML('beforeend', html)
		main.lastElementChild.style = style
		return true
	}`, html, style)
}
