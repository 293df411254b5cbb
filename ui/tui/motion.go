package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/match"
)

// A travel is how far a digit is on its way from the pool to its place. A player's own digit stands there before it is played, and has none.
type travel uint8

const (
	landed   travel = iota // the digit is in its place
	taken                  // it is gone from the pool
	expected               // its place is marked
)

// travelStep is how long each step takes.
const travelStep = 60 * time.Millisecond

// travel returns how far the last move is.
func (t *table) travel(m *Model) travel {
	since := m.now.Sub(t.moved)
	switch {
	case !m.motion() || t.look != live || since >= 2*travelStep:
		return landed
	case since < travelStep:
		return taken
	default:
		return expected
	}
}

// travels sends the digit of somebody else on its way, and draws the screen anew at each step.
func (t *table) travels(m *Model, e match.Event) tea.Cmd {
	if e.Kind != match.Moved || t.here(e.Seat) || !m.motion() {
		return nil
	}
	t.moved = m.now
	draw := func(time.Time) tea.Msg { return later(func(*Model) tea.Cmd { return nil }) }
	return tea.Batch(m.world.Tick(travelStep, draw), m.world.Tick(2*travelStep, draw))
}

// complete ends what moves on the screen.
func (m *Model) complete() {
	if t, ok := m.onScreen().(*table); ok {
		t.moved = time.Time{}
	}
}

// ring rings once in a turn of a person here when its last seconds begin.
func (t *table) ring(m *Model) tea.Cmd {
	left, timed := t.timeLeft(m)
	if !timed || !t.state.Playing() || !t.here(t.state.Turn()) || left > hurryFrom || t.state.Setup.TurnTime <= hurryFrom || t.rang == len(t.state.Moves)+1 {
		return nil
	}
	t.rang = len(t.state.Moves) + 1
	return tea.Raw("\a")
}
