package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A toss shows the coin that decides who starts. The game begins after it, so that no clock runs
// meanwhile.
type toss struct {
	table *table
	began time.Time
	over  bool
}

// How long a coin flies, and how long its result is shown.
const (
	flight = 1200 * time.Millisecond
	rest   = 2800 * time.Millisecond
)

func (t *toss) flying(m *Model) bool { return m.motion() && m.now.Sub(t.began) < flight }

func (t *toss) moving(m *Model) bool { return m.motion() }

// upkeep begins the game when the result has been shown.
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

// starts describes the result of the toss.
func (t *toss) starts() rulebook.Said {
	s := t.table.state.Setup
	return rulebook.Begins(t.table.pair.seats(), digit.Side(s.First), 1, s.Length(), true)
}

func (t *toss) keys(m *Model) []binding {
	return []binding{on(t.end, "begin", "enter", "space", "esc", "q")}
}

// coins are the pictures of a flying coin.
var coins = []string{"( 1 )", " (|) ", "( 2 )", " (|) "}

func (t *toss) draw(m *Model, c *canvas) {
	in := c.drawer(4, "Coin toss")
	s := t.table.state.Setup
	if t.flying(m) {
		c.centre(in.x, in.y, in.w, even.bold(), coins[int(m.now.Sub(t.began)/tickTime)%len(coins)])
		c.centre(
			in.x, in.y+1, in.w, muted,
			fmt.Sprintf("1: %s   2: %s", s.Name(match.One), s.Name(match.Two)))
		return
	}
	c.centre(in.x, in.y, in.w, seatTone(s.First).bold(), fmt.Sprintf("( %d )", s.First+1))
	c.centre(in.x, in.y+1, in.w, strong, t.starts().Short)
	c.button(in.x+(in.w-14)/2, in.y+3, "Enter: begin", true, t.end)
}
