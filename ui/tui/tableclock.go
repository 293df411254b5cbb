package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/rulebook"
)

// paused returns how long the clock of the table has stood still; ok is false if it runs.
func (t *table) paused() (d time.Duration, ok bool) {
	if t.store == nil {
		return 0, false
	}
	return t.store.Paused()
}

// hold stops the clock while a page hides the table.
func (t *table) hold(m *Model) {
	if t.store == nil || !t.store.Pause(m.onScreen() != page(t)) {
		return
	}
	m.run(func() act {
		_ = t.Table.Refresh(t.ctx) // if it fails, the table asks again when the time is up
		s := t.Table.State()
		return func(*Model) {
			if s.Seq == t.state.Seq {
				t.state.TurnBegan, t.state.Stood = s.TurnBegan, s.Stood
			}
		}
	})
}

// timeLeft returns the time left for the turn; ok is false when no clock runs.
func (t *table) timeLeft(m *Model) (left time.Duration, ok bool) {
	at, timed := t.state.Deadline()
	if !timed {
		return 0, false
	}
	stopped, _ := t.paused()
	return at.Sub(m.now) + stopped, true
}

// ring rings the bell once in a turn of a person here, when its last seconds begin.
func (t *table) ring(m *Model) {
	left, timed := t.timeLeft(m)
	if !timed || !t.state.Playing() || !t.here(t.state.Turn()) || left > hurryFrom ||
		t.state.Setup.TurnTime <= hurryFrom || t.rang == len(t.state.Moves)+1 {
		return
	}
	t.rang = len(t.state.Moves) + 1
	m.send(tea.Raw("\a"))
}

// hurryFrom is the time left from which the screen shows more than the clock.
const hurryFrom = 10 * time.Second

// clockText describes whose turn it is and the time left: "your turn, 0:21". It is empty in a game
// without a clock.
func (t *table) clockText(m *Model) string {
	left, timed := t.timeLeft(m)
	if !timed || !t.state.Playing() {
		return ""
	}
	if _, stopped := t.paused(); stopped {
		return "clock stopped, " + rulebook.Countdown(left)
	}
	whose := "your turn"
	if side := t.state.Side(t.state.Turn()); !t.pair[side].you {
		whose = t.pair.label(side)
	}
	return whose + ", " + rulebook.Countdown(left)
}
