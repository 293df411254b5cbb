package tui

import (
	"time"

	"digitduel/match"
)

// A travel is a step of a digit's way from the pool to its place. A player's own digit is shown in
// its place before it is played, and does not travel.
type travel uint8

const (
	landed   travel = iota // the digit is in its place
	taken                  // it has left the pool
	expected               // its place is marked
)

// travelStep is the duration of each step.
const travelStep = 60 * time.Millisecond

// travel returns the step of the last move.
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

// travels animates the digit of another player, and redraws the screen at each step.
func (t *table) travels(m *Model, e match.Event) {
	if e.Kind != match.Moved || t.here(e.Seat) || !m.motion() {
		return
	}
	t.moved = m.now
	m.after(travelStep, nil)
	m.after(2*travelStep, nil)
}

// complete ends all animations.
func (m *Model) complete() {
	if t, ok := m.onScreen().(*table); ok {
		t.moved = time.Time{}
	}
}
