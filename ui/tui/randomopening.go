package tui

import (
	"cmp"
	"fmt"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A beginning describes how the first game at a table begins.
type beginning struct {
	first    match.Seat
	openings match.Openings
	moves    []digit.Move   // played at once for both seats
	swapped  bool           // the first of them was taken over
	score    rulebook.Score // of the games before it, if it is a rematch
}

// begunWith returns the beginning of a game that continues a record.
func begunWith(rec digit.Record, played match.Played) beginning {
	given := rec.Given()
	b := beginning{
		first: played.Opener(), moves: append([]digit.Move{}, rec.Moves[given:]...),
		swapped: played.Swapped,
	}
	if given > 0 {
		b.openings = match.OpeningsOf(rec.Moves[:given])
	}
	return b
}

// maySwap reports whether a person here may take over the first move now.
func (t *table) maySwap() bool {
	return t.state.MaySwap() && t.here(t.state.Turn()) && t.look == live && !t.sent &&
		!t.state.Asking
}

// swap takes over the first move.
func (t *table) swap(m *Model) {
	t.sent = true
	t.acts(t.state.Turn(), match.Swap)(m)
}

// swapKey returns the key that takes over the first move. No board uses it.
func (t *table) swapKey() binding {
	return t.command(t.swap, match.Swap).ranked(moveRank)
}

// asksSwap asks whether to take over the first move.
func (t *table) asksSwap() string {
	return rulebook.AskSwap(t.pair.cast(), t.state.Side(t.state.Turn()), t.narrator().Back(0)).Long
}

// A randomOpening is the page that draws the opening of a table, for which it solves the game.
type randomOpening struct {
	settings Settings
	begins   beginning
	study    *study
	busy     bool
	empty    bool // there is no such opening
}

func (l *randomOpening) upkeep(m *Model) {
	m.restudy(&l.study, l.settings.opening(book(l.settings.Book)))
	if !l.study.ready() || l.busy || l.empty || m.top() != page(l) {
		return
	}
	l.busy = true
	solution, rng := l.study.solution, m.rng()
	m.run(func() act {
		lot, ok := coach.LotOf(solution)
		return func(m *Model) {
			l.busy, l.empty = false, !ok
			if m.top() != page(l) || !ok {
				return
			}
			m.pop()
			l.begins.openings = match.OpeningsOf(lot.Draw(rng, match.MostOpenings)...)
			m.openTable(l.settings, l.begins)
		}
	})
}

func (l *randomOpening) moving(m *Model) bool { return m.top() == page(l) && l.status() == "" }

// status explains why there is no opening; it is empty during the draw.
func (l *randomOpening) status() string {
	switch {
	case l.empty:
		return fmt.Sprintf(
			"✗ No short openings of %s are even together.", rulebook.Title(l.study.rules))
	case l.study != nil && l.study.err != nil:
		return "✗ " + l.study.describe("")
	default:
		return ""
	}
}

// without plays a pair without an opening.
func (l *randomOpening) without(m *Model) {
	m.pop()
	l.settings.Lot = false
	m.openTable(l.settings, l.begins)
}

func (l *randomOpening) keys(m *Model) []binding {
	keys := []binding{m.help(), m.back()}
	if l.status() != "" {
		without := l.without
		keys = append([]binding{on(without, "play without", "enter")}, keys...)
	}
	return keys
}

func (l *randomOpening) draw(m *Model, c *canvas) {
	c.header("Random opening", rulebook.Title(book(l.settings.Book).Rules), "")
	b := c.middle(84)
	y := b.y + 1
	for _, line := range []string{l.progress(m), rulebook.Lot} {
		y += c.paragraph(b.x, y, b.w, b.y+b.h-y, style{}, line) + 1
	}
	if l.status() != "" {
		c.button(b.x, y, "A pair without", true, l.without)
	}
}

// progress describes the progress of the draw, or why it failed.
func (l *randomOpening) progress(m *Model) string {
	if why := l.status(); why != "" {
		return why + " Enter plays two games without an opening; Esc goes back."
	}
	return cmp.Or(l.study.describe(m.spin()), m.spin()+" drawing the opening")
}
