package tui

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A speed is how fast machines play. A screen sets it while they wait by it.
type speed struct {
	mu      sync.Mutex
	delay   time.Duration // of a move at speed 0
	speed   int           // each one more doubles it
	paused  bool
	through int           // moves that are let through while paused
	changed chan struct{} // closed and replaced when any of these changes
}

// The slowest and the fastest speed.
const (
	slowest = -3
	fastest = 4
)

// wait waits for as long as a move takes.
func (p *speed) wait(ctx context.Context) {
	began := time.Now()
	for {
		p.mu.Lock()
		changed, paused := p.changed, p.paused
		left := time.Until(began.Add(p.length()))
		through := paused && p.through > 0
		if through {
			p.through--
		}
		p.mu.Unlock()
		if through || !paused && left <= 0 {
			return
		}
		var due <-chan time.Time
		if !paused {
			due = time.After(left)
		}
		select {
		case <-due:
		case <-changed:
			if paused {
				began = time.Now() // a pause is no part of the time a move takes
			}
		case <-ctx.Done():
			return
		}
	}
}

func (p *speed) length() time.Duration {
	if p.speed < 0 {
		return p.delay << -p.speed
	}
	return p.delay >> p.speed
}

// change changes the pace and wakes those who wait.
func (p *speed) change(how func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	how()
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *speed) toggle() { p.change(func() { p.paused, p.through = !p.paused, 0 }) }

func (p *speed) faster(by int) {
	p.change(func() { p.speed = min(max(p.speed+by, slowest), fastest) })
}

// once pauses and lets one move through.
func (p *speed) once() { p.change(func() { p.paused, p.through = true, 1 }) }

func (p *speed) isPaused() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.paused
}

// tells says the pace: "speed ×2", "paused".
func (p *speed) tells() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := fmt.Sprintf("speed ×%d", 1<<max(p.speed, 0))
	if p.speed < 0 {
		text = fmt.Sprintf("speed ×1/%d", 1<<-p.speed)
	}
	if p.paused {
		text += ", paused"
	}
	return text
}
