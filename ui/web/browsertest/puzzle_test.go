package browsertest_test

import (
	"fmt"
	"testing"
	"time"

	"digitduel/coach"
	"digitduel/digit"
)

// TestPuzzleFits answers the puzzle of each book, and the mistake of a game, on the smallest phones
// without scrolling.
func TestPuzzleFits(t *testing.T) { atBoth(t, nightly, puzzleFits) }

func puzzleFits(t *testing.T, srv *testServer) {
	v := srv.visit(t, "Ada")
	for i, size := range [][2]int64{{320, 568}, {844, 390}} {
		v.size(size[0], size[1])
		d := srv.game(t, v, params{"rules": "dilemma"}, "1a 0b 3b 6a 4c 7c")
		paths := []string{"/t/" + d.id + "/games/1/retry"}
		for day := range 5 { // other days for each size, since a puzzle can be solved only once
			paths = append(paths, fmt.Sprintf("/puzzle?day=2025-03-%02d", 1+day+5*i))
		}
		for _, path := range paths {
			when := fmt.Sprint(path, " ", size)
			v.open(path)
			v.inSight(when, false, "#turn", "#pool", "#board-1", "#board-2", "[data-act=show]")
			v.click("#move label.tile")
			v.inSight(when+" picked", false, "#turn", "#pool", "#board-1", "#board-2")
			if v.there("#move .call:not(.typed)") {
				v.click("#move .call[data-calls]:not([hidden]) .chip")
			}
			v.click("#move .target label")
			v.inSight(when+" placed", false, "#turn", "#pool", "#play", "[data-act=change]")
			v.submit("#play")
			v.sees(".quiz.wrong, .quiz.solved")
			v.inSight(when+" answered", false, "#turn", "#board-1", "#board-2", "#acts")
			v.screenshot(when)
		}
	}
}

// inSight checks that elements are completely in the window and not covered and, unless small is
// set, that the page does not scroll.
func (v *visitor) inSight(when string, small bool, selectors ...string) {
	v.t.Helper()
	for _, s := range selectors {
		if why := eval[string](v, hidden, s); why != "" {
			v.t.Errorf("%s: %s %s", when, s, why)
		}
	}
	over := eval[int](v, `() => document.documentElement.scrollHeight - innerHeight`)
	if over > 0 && !small {
		v.t.Errorf("%s: the page is %d pixels too high", when, over)
	}
}

// hidden returns the reason why an element is not in sight, or "".
const hidden = `s => {
	const e = document.querySelector(s)
	if (!e || !e.checkVisibility()) return 'is not there'
	const b = e.getBoundingClientRect()
	if (b.top < -1 || b.bottom > innerHeight + 1) {
		return 'is at ' + b.top + ' to ' + b.bottom + ' of ' + innerHeight
	}
	for (const y of [b.top + 4, b.bottom - 4]) {
		const at = document.elementFromPoint(b.x + b.width / 2, y)
		if (!at || !e.contains(at) && !at.contains(e)) {
			return 'is covered by ' + (at ? at.outerHTML.slice(0, 100) : 'nothing')
		}
	}
	return ''
}`

// TestPuzzleChoice chooses a move, changes it, and tries a wrong one: the reply is shown as a ghost
// until the next choice.
func TestPuzzleChoice(t *testing.T) { atBoth(t, nightly, puzzleChoice) }

func puzzleChoice(t *testing.T, srv *testServer) {
	v := srv.visit(t, "Ada")
	v.open("/puzzle?book=dilemma&at=__9/7__")
	v.reads("#answer", "Find it Only one of your 16 moves wins.")
	v.reads("#board-1", "You")
	v.reads("#board-2", "Player 2")
	v.click(`[data-digit="6"]`)
	v.reads("#message", "Tap a place for 6.")
	v.click(`[data-spot="a"]`)
	v.reads("#answer", "6 on the left? Or tap another place.")
	v.reads("#play", "Try 6 on the left")
	v.click("[data-act=change]")
	v.reads("#answer", "Find it Only one of your 16 moves wins.")
	v.click(`[data-digit="3"]`)
	v.click(`[data-spot="b"]`)
	v.submit("#play")
	v.reads("#answer", "Not 3 in the middle Player 2 puts 5 in the middle, stops 539 and threatens 756.")
	v.reads("#board-2", "would put 5 here")
	got := eval[string](v, `() => document.querySelector('.ghost.cell').innerText +
		getComputedStyle(document.querySelector('[data-was]'), '::after').content`)
	if got != `5"3"` {
		t.Errorf("the reply and the tried move are %s", got)
	}
	v.axe("a wrong try", false)
	v.click(`[data-digit="6"]`)
	v.reads("#board-2", "moves after you")
	if v.there(".wrong") {
		t.Error("the ghost is still shown after the next choice")
	}
	v.click(`[data-spot="a"]`)
	v.submit("#play")
	v.reads("#answer", "Right! You threaten 609. Player 2 must take 0; then 2 in the middle wins.")
	v.reads("#board-1 .turn", "second try")
	v.axe("solved", false)
}

// TestPuzzleStreak solves today's puzzle at the first try: the digit is on the board, and the
// streak is one day, also after a reload.
func TestPuzzleStreak(t *testing.T) { atBoth(t, nightly, puzzleStreak) }

func puzzleStreak(t *testing.T, srv *testServer) {
	today := coach.DayOf(time.Now())
	solution, err := solver.Solve(t.Context(), coach.DailyBook(today).Rules)
	if err != nil {
		t.Fatal(err)
	}
	z, _ := coach.Daily(solution, today)
	v := srv.visit(t, "Ada")
	v.open("/puzzle")
	v.click(fmt.Sprintf(`[data-digit="%v"]`, z.Move.Digit))
	if z.Move.Spot != digit.InHand {
		v.click(fmt.Sprintf(`[data-spot="%v"]`, z.Move.Spot))
	}
	if z.Move.Call != (digit.Number{}) {
		v.click(fmt.Sprintf(`[data-calls="%v"] [data-call="%v"]`, z.Move.Digit, z.Move.Call))
	}
	v.submit("#play")
	for _, path := range []string{"", "/puzzle", "/puzzle"} {
		if path != "" {
			v.open(path)
		}
		v.reads("#streak", "1 day running")
		v.reads(".last .well", z.Move.Digit.String())
	}
	v.reads("[data-left]", "min")
	v.open("/puzzle/all")
	v.reads(".figures", "1")
	got := eval[[]string](v, `() => [...document.querySelectorAll('.calendar .solved')]
		.map(e => e.getAttribute('aria-current'))`)
	if len(got) != 1 || got[0] != "date" {
		t.Errorf("the solved days are %v, want only today", got)
	}
}

// TestPuzzles asks for random puzzles and shows the solution.
func TestPuzzles(t *testing.T) { atBoth(t, nightly, puzzles) }

func puzzles(t *testing.T, srv *testServer) {
	v := srv.visit(t, "Ada")
	v.open("/puzzle/all")
	v.click("#random summary")
	eval[bool](v, `() => {
		document.querySelector('#book').value = 'highest'
		document.querySelector('#level').value = 'casual'
		return true
	}`)
	v.submit("#random button")
	v.reads("#answer", "Only one of your")
	v.submit("[data-act=show]")
	v.reads("#answer", "It was")
	v.submit("#acts [data-act=again]")
	v.reads("#answer", "Only one of your")
}
