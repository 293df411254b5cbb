package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A confirmation asks before something is done. The safe answer has the focus.
type confirmation struct {
	question string
	does, no string // the two answers
	do       act
	yes      bool // the focus is at what does it
}

func (q *confirmation) answer(m *Model, yes bool) tea.Cmd {
	m.pop()
	if yes {
		return q.do()
	}
	return nil
}

// focused returns the answer that has the focus.
func (q *confirmation) focused() string {
	if q.yes {
		return q.does
	}
	return q.no
}

func (q *confirmation) keys(m *Model) []binding {
	other := func() tea.Cmd { q.yes = !q.yes; return nil }
	return []binding{
		on(func() tea.Cmd { return q.answer(m, q.yes) }, lower(q.focused()), "enter"),
		on(other, "choose", "←→"), also(other, "left", "right", "tab", "shift+tab", "up", "down"),
		on(func() tea.Cmd { return q.answer(m, false) }, lower(q.no), "esc"),
		also(func() tea.Cmd { return q.answer(m, true) }, "y", "Y"), also(func() tea.Cmd { return q.answer(m, false) }, "n", "N"),
	}
}

func (q *confirmation) draw(m *Model, c *canvas) {
	in := c.drawer(4, "Please confirm")
	y := in.y + c.paragraph(in.x, in.y, in.w, 2, strong, q.question) + 1
	x := c.button(in.x, y, q.no, !q.yes, func() tea.Cmd { return q.answer(m, false) })
	c.button(x+2, y, q.does, q.yes, func() tea.Cmd { return q.answer(m, true) })
}

func (q *confirmation) say(*Model) []string {
	return []string{"Please confirm. " + q.question, "Enter: " + q.focused() + ". The arrow keys choose: " + q.does + ", or " + lower(q.no) + "."}
}

// A toss shows the coin that decides who starts. The game begins after it, so that no clock runs meanwhile.
type toss struct {
	table *table
	began time.Time
	over  bool
}

// How long a coin flies, and how long it is shown.
const (
	flight = 1200 * time.Millisecond
	rest   = 2800 * time.Millisecond
)

func (t *toss) flying(m *Model) bool { return m.motion() && m.now.Sub(t.began) < flight }

func (t *toss) moving(m *Model) bool { return m.motion() }

// upkeep begins the game when the coin has been seen.
func (t *toss) upkeep(m *Model) tea.Cmd {
	if m.motion() && m.now.Sub(t.began) >= rest {
		return t.end(m)
	}
	return nil
}

func (t *toss) end(m *Model) tea.Cmd {
	if t.over || m.top() != page(t) {
		return nil
	}
	t.over = true
	m.pop()
	return t.table.begin(m, beginning{})
}

// starts tells what the coin has decided.
func (t *toss) starts() rulebook.Said {
	s := t.table.state.Setup
	return rulebook.Begins(t.table.pair.seats(), digit.Side(s.First), 1, s.Length(), true)
}

func (t *toss) keys(m *Model) []binding {
	return []binding{on(func() tea.Cmd { return t.end(m) }, "begin", "enter", "space", "esc", "q")}
}

// coins are the pictures of a coin in flight.
var coins = []string{"( 1 )", " (|) ", "( 2 )", " (|) "}

func (t *toss) draw(m *Model, c *canvas) {
	in := c.drawer(4, "Coin toss")
	s := t.table.state.Setup
	if t.flying(m) {
		c.centre(in.x, in.y, in.w, even.bold(), coins[int(m.now.Sub(t.began)/tickTime)%len(coins)])
		c.centre(in.x, in.y+1, in.w, muted, fmt.Sprintf("1: %s   2: %s", s.Name(match.One), s.Name(match.Two)))
		return
	}
	c.centre(in.x, in.y, in.w, seatTone(s.First).bold(), fmt.Sprintf("( %d )", s.First+1))
	c.centre(in.x, in.y+1, in.w, strong, t.starts().Short)
	c.button(in.x+(in.w-14)/2, in.y+3, "Enter: begin", true, func() tea.Cmd { return t.end(m) })
}

func (t *toss) say(m *Model) []string {
	s := t.table.state.Setup
	if t.flying(m) {
		return []string{"Coin toss.", fmt.Sprintf("The coin is in the air. 1: %s, 2: %s.", s.Name(match.One), s.Name(match.Two))}
	}
	return []string{"Coin toss.", fmt.Sprintf("The coin shows %d. %s %s. Enter: begin.", s.First+1, t.starts().Short, t.starts().Spoken)}
}
