package tui

import (
	"time"
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
		_ = t.at.Refresh(t.ctx) // if it fails, the table asks again when the time is up
		s := t.at.State()
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
