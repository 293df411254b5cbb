package browsertest_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"digitduel/digit"
)

// endings are complete games, with the headline that the first player sees.
var endings = []struct{ rules, line, head, starts string }{
	{"dilemma", "7a 3b 5c 9a 1b 8c", "Not this time", "Ben starts"},
	{"dilemma", "7a 3b 1c 2a 9b", "You win!", "Ben starts"},
	{"dilemma", "9b 1c 2c 4b 6a 0a", "Not this time", "Ben starts"},
	{"sevens", "2 1 8 5 7=728", "You win!", "Ben starts"},
	{"sevens", "2 1 4 8 9=249", "Not this time", "Ben starts"},
	{"highest", "7a 8a 1b 9b 4c 2c", "Not this time", "Ben starts"},
	{"divisibility target=33", "7R 1R 6L 3L 4L 9L 8L 5L 2R", "Not this time", "Ben starts"},
	{"divisibility target=11", "6R 1R 9L 4L 5R 7L 3R 8L 2R", "Draw", "Ben starts"},
	{"reverse", "1a 2a 3b 4b 5c 6c", "You win!", "Ben starts"},
	{"nines", "1 3 8 2 5 4", "", "Ben starts"},
	{"seesaw", "1a 2b 3b 4c 5c 6a", "", "Ben starts"},
	{"ducks", "1a 2b 3b 4c 5c 6a 7d 8d", "Not this time", "Ben starts"},
	{"tug", "3R 7R 6R 4R 2R 5R 1R 8L", "Not this time", "Ben starts"},
	{"marathon", "1R 2R 3R 4R 5R 6R 7R 8R 9R", "", "Ben starts"},
}

// TestEndings plays the last move of each game: on every screen the boards and buttons don't move,
// and the whole ending is in sight.
func TestEndings(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	for lane := range 2 {
		t.Run(fmt.Sprint(lane), func(t *testing.T) {
			t.Parallel()
			v := srv.visit(t, "Ada")
			for i, e := range endings {
				if i%2 != lane {
					continue
				}
				t.Run(e.rules+" "+e.line, func(t *testing.T) {
					v := v.forSubtest(t)
					rules, err := digit.ParseRules(e.rules)
					if err == nil { // the ending shows the better digit only if the game is solved
						_, err = solver.Solve(t.Context(), rules)
					}
					if err != nil {
						t.Fatal(err)
					}
					last := strings.LastIndexByte(e.line, ' ') + 1
					d := srv.game(t, v, params{"rules": e.rules}, e.line[:last])
					v.until("to be connected", live)
					sizes := append([][2]int64{{390, 664}}, screens...)
					before := map[[2]int64]map[string]string{}
					for _, size := range sizes {
						v.size(size[0], size[1])
						before[size] = eval[map[string]string](v, boardPlaces)
					}
					d.send(e.line[last:])
					v.until("for the end", `() => !!document.querySelector('#felt.over')`)
					for _, size := range sizes {
						v.size(size[0], size[1])
						for part, is := range eval[map[string]string](v, boardPlaces) {
							if was := before[size][part]; !near(was, is) {
								t.Errorf("%v: the last move shifted %s from %s to %s", size, part, was, is)
							}
						}
						for _, wrong := range eval[[]string](v, endProblems, e.starts) {
							t.Errorf("%v: %s", size, wrong)
						}
					}
					if head := v.text("#turn"); e.head != "" && head != e.head {
						t.Errorf("the headline is %q, want %q", head, e.head)
					}
					if nightly || i < 9 { // the books on the home page
						v.axe("at the end", false)
					}
				})
			}
		})
	}
}

// near reports whether two places differ by at most one pixel, which may be due to rounding.
func near(a, b string) bool {
	as, bs := strings.Fields(a), strings.Fields(b)
	for i := range as {
		x, _ := strconv.Atoi(as[i])
		y, _ := strconv.Atoi(bs[min(i, len(bs)-1)])
		if x-y < -1 || x-y > 1 {
			return false
		}
	}
	return len(as) == len(bs)
}

// boardPlaces returns the places of the boards and buttons, in pixels.
const boardPlaces = `() => Object.fromEntries(['#board-1', '#board-2', '.foot', '.call:not([data-calls])'].map(s => {
	const r = document.querySelector(s)?.getBoundingClientRect()
	return [s, r ? [r.x, r.y, r.width, r.height].map(n => Math.round(n)).join(' ') : '']
}))`

// endProblems returns the layout problems of the page of a finished game.
const endProblems = `starts => {
	for (const motion of document.getAnimations()) motion.finish()
	const wrong = [], all = s => [...document.querySelectorAll(s)].filter(e => e.checkVisibility())
	const inside = e => {
		const r = e.getBoundingClientRect()
		return r.top >= -.5 && r.left >= -.5 && r.bottom <= innerHeight + .5 && r.right <= innerWidth + .5
	}
	const page = document.documentElement
	if (page.scrollHeight > innerHeight) wrong.push('the page is ' + (page.scrollHeight - innerHeight) + ' too high')
	for (const e of all('.acts a, .acts button, .moment a, .goal small, .sum')) {
		if (!inside(e)) wrong.push(e.outerHTML.slice(0, 90) + ' is out of sight')
	}
	for (const e of all('.sum')) if (e.scrollWidth > e.clientWidth + 1) wrong.push('a sum is cut')
	const head = document.querySelector('#turn')
	if (head.getBoundingClientRect().height > 1.6 * parseFloat(getComputedStyle(head).fontSize)) {
		wrong.push('the headline has two lines')
	}
	if (!all('.goal small')[0]?.innerText.trim()) wrong.push('there is no tie-break')
	const next = document.querySelector('.acts .main small').innerText
	if (next !== starts) wrong.push('the button says ' + next + ', want ' + starts)
	if (all('.board .last').length !== 1) wrong.push(all('.board .last').length + ' moves are marked as the last')
	return wrong
}`

// TestMoment checks that the loser of a game sees the better digit, and can open that position.
func TestMoment(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	if _, err := solver.Solve(t.Context(), digit.Dilemma); err != nil {
		t.Fatal(err)
	}
	v := srv.visit(t, "Ada")
	srv.game(t, v, params{"rules": "dilemma"}, "7a 3b 5c 9a 1b 8c")
	v.reads("#turned", "Your second digit")
	v.reads("#turned", "1 instead of 5: then 721 and 791 both win.")
	got := eval[string](v, `() => [...document.querySelectorAll('#turned .row:last-child .cell')]
		.map(c => c.matches('.ghost') + c.innerText.replace(/\s/g, '')).join()`)
	if got != "false7,false,true51" && got != "false7,falseblank,true51" {
		t.Errorf("the loser's number is drawn as %s", got)
	}
	v.submit("[data-act=retry]")
	v.until("for the position",
		`() => location.pathname.endsWith('/retry') && location.search === '?ply=3'`)
}

// TestDrawnGame checks that a drawn game shows the equal remainders.
func TestDrawnGame(t *testing.T) { atBoth(t, nightly, drawnGame) }

func drawnGame(t *testing.T, srv *testServer) {
	v := srv.visit(t, "Ada")
	srv.game(t, v, params{"rules": "divisibility target=11"}, "6R 1R 9L 4L 5R 7L 3R 8L 2R")
	got := eval[string](v, `() => [...document.querySelectorAll('.left')].map(e => e.innerText).join()`)
	if want := fmt.Sprintf("%d,%d", 8741%11, 96532%11); got != want {
		t.Errorf("got remainders %s, want %s", got, want)
	}
	v.reads("#more", "96532 and 8741 are both 7 over a multiple of 11.")
}

// TestCallBox calls a number: no call is preselected, nothing is sent before the player confirms,
// and the layout does not shift.
func TestCallBox(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	d := srv.seat(t, params{"rules": "sevens"})
	ada := d.players[0]
	const places = `() => ['#pool', '.call', '.foot', '#board-1', '#board-2'].map(s => {
		const e = [...document.querySelectorAll(s)].find(e => e.checkVisibility()), r = e.getBoundingClientRect()
		return s + [r.x, r.y, r.width, r.height].map(n => Math.round(n))
	}).join(' ')`
	for _, size := range [][2]int64{{390, 844}, {320, 568}, {844, 390}, {1280, 800}} {
		ada.size(size[0], size[1])
		ada.until("for the steps to go",
			`() => { document.documentElement.classList.add('versed'); return true }`)
		want := eval[string](ada, places)
		same := func(when string) {
			t.Helper()
			if got := eval[string](ada, places); got != want {
				t.Errorf("%v, %s: places are %s, want %s", size, when, got, want)
			}
		}
		if size[0] == 390 {
			d.play("2 1")
			same("in the second turn")
			d.play("8 5")
		}
		same("before the last digit")
		ada.until("for the button to be idle",
			`() => document.querySelector('#play').innerText === 'Pick a digit'`)
		ada.click(`[data-digit="7"]`)
		same("with a digit")
		ada.click("#play")
		ada.press(kb.Enter)
		chosen := eval[int](ada, `() => document.querySelectorAll('.call input:checked').length`)
		if chosen != 0 {
			t.Errorf("%d calls are chosen, want none", chosen)
		}
		if text := ada.text("#play"); text != "Choose above" {
			t.Errorf("the button says %q", text)
		}
		ada.click(`[data-calls="7"] [data-call="no"]`)
		same("without a call")
		ada.reads("#turn", "No call?")
		ada.reads("#play", "Take 7, no call")
		ada.click(`[data-calls="7"] [data-call="728"]`)
		same("with a call")
		ada.reads("#turn", "Call 728?")
		ada.reads("#play", "Take 7, call 728")
		ada.axe("with a call", size[0] == 390)
		ada.press(kb.Escape)
	}
	if n := len(eval[view](ada, readView).Moves); n != 4 {
		t.Errorf("%d moves were made, want 4", n)
	}
	ada.click(`[data-digit="7"]`)
	ada.click(`[data-calls="7"] [data-call="728"]`)
	ada.click("#play")
	ada.reads("#turn", "You win!")
	ada.reads("#called .sel", "728")
}

// TestMenuCloses checks that a tap elsewhere, Escape and the menu's own commands close the menu of
// a table.
func TestMenuCloses(t *testing.T) { atBoth(t, nightly, menuCloses) }

func menuCloses(t *testing.T, srv *testServer) {
	d := srv.seat(t, params{"rules": "dilemma"})
	ada := d.players[0]
	ada.size(390, 844)
	const closed = `() => !document.querySelector('#menu').open`
	leaves := []func(){
		func() { ada.click("#board-1 .who") },
		func() { ada.press(kb.Escape) },
	}
	if srv.site == nil { // the offline site does not ask both players about hints
		leaves = append(leaves, func() { ada.click("#menu [data-act=hints]") })
	}
	for _, leave := range append(leaves, func() {
		ada.click("#resign summary")
		ada.click("[data-act=resign]")
	}) {
		ada.click("#menu > summary")
		ada.until("for the menu to open", `() => document.querySelector('#menu').open`)
		leave()
		ada.until("for the menu to close", closed)
	}
}
