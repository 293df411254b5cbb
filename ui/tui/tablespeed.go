package tui

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A speed is the speed at which computers play. The screen changes it while they wait.
type speed struct {
	mu      sync.Mutex    // is not needed to read what only the screen changes
	delay   time.Duration // the time of a move at speed 0
	speed   int           // each step doubles the speed
	paused  bool
	through bool          // the next move is let through
	changed chan struct{} // closed and replaced when any of these changes
}

// The slowest and the fastest speed.
const (
	slowest = -3
	fastest = 4
)

// wait waits for the time of a move, which begins again when the speed changes.
func (p *speed) wait(ctx context.Context) {
	for {
		p.mu.Lock()
		changed, through := p.changed, p.through
		var due <-chan time.Time
		if !p.paused {
			due = time.After(p.length())
		}
		p.through = false
		p.mu.Unlock()
		if through {
			return
		}
		select {
		case <-due:
			return
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}

func (p *speed) length() time.Duration {
	if p.speed < 0 {
		return p.delay << -p.speed
	}
	return p.delay >> p.speed
}

// change changes the speed and wakes the waiting computers.
func (p *speed) change(how func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	how()
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *speed) toggle(*Model) { p.change(func() { p.paused, p.through = !p.paused, false }) }

func (p *speed) faster(by int) {
	p.change(func() { p.speed = min(max(p.speed+by, slowest), fastest) })
}

// once pauses, but lets one move through.
func (p *speed) once(*Model) { p.change(func() { p.paused, p.through = true, true }) }

// describe describes the speed: "speed ×2", "speed ×1/2".
func (p *speed) describe() string {
	if p.speed < 0 {
		return fmt.Sprintf("speed ×1/%d", 1<<-p.speed)
	}
	return fmt.Sprintf("speed ×%d", 1<<p.speed)
}
