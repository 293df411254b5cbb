package tui

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/match"
)

// A pause is what a table that only this screen knows has of a store in memory. While a page hides the table, and while it is left, the clock
// stands still: as far as the table can tell, nothing could be kept meanwhile, and such time is given back.
type pause struct {
	match.Memory
	mu    sync.Mutex
	began time.Time // zero: the clock runs
	past  []span
}

type span struct{ from, to time.Time }

// Down implements [match.Store].
func (p *pause) Down(_ context.Context, since time.Time) (time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var down time.Duration
	for _, s := range append(p.past, p.running()) {
		if s.from.Before(since) {
			s.from = since
		}
		down += max(0, s.to.Sub(s.from))
	}
	return down, nil
}

// running returns the pause that goes on.
func (p *pause) running() span {
	if p.began.IsZero() {
		return span{}
	}
	return span{p.began, time.Now()}
}

// set begins a pause or ends it, and reports whether one has ended.
func (p *pause) set(on bool) (ended bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case on && p.began.IsZero():
		p.began = time.Now()
	case !on && !p.began.IsZero():
		p.past = append(p.past, p.running())
		p.began = time.Time{}
		return true
	}
	return false
}

// lasts returns how long a pause lasts already; ok is false when the clock runs.
func (p *pause) lasts() (d time.Duration, ok bool) {
	if p == nil {
		return 0, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.running()
	return s.to.Sub(s.from), !p.began.IsZero()
}

// hold stops the clock while a page hides the table, and lets it go on afterwards.
func (t *table) hold(m *Model) tea.Cmd {
	if t.pause == nil || !t.pause.set(m.onScreen() != page(t)) {
		return nil
	}
	return m.background.run(func(context.Context) later {
		_ = t.at.Refresh(t.ctx) // if it fails, the table asks again when time seems to be out
		s := t.at.State()
		return func(*Model) tea.Cmd {
			if s.Seq == t.state.Seq {
				t.state.TurnBegan, t.state.Stood = s.TurnBegan, s.Stood
			}
			return nil
		}
	})
}

// timeLeft returns how much time is left for the turn; ok is false when no clock runs.
func (t *table) timeLeft(m *Model) (left time.Duration, ok bool) {
	at, timed := t.state.Deadline()
	if !timed {
		return 0, false
	}
	stopped, _ := t.pause.lasts()
	return at.Sub(m.now) + stopped, true
}
