package match

import (
	"context"
	"time"
)

// A Presence is who is at a table: which players, and how many others watch.
type Presence struct {
	Seats    [2]bool
	Watchers int
}

// Guests know who is at a table at other servers of the same store.
type Guests interface {
	Here(ctx context.Context, table string, p Presence) error
	Elsewhere(ctx context.Context, tables ...string) (map[string]Presence, error)
}

// A crowd is who is at a table, here and elsewhere, and when they were last seen here.
type crowd struct {
	stays     [3]int // how many stay here on each seat, and as watchers
	seen      [3]time.Time
	elsewhere Presence      // who is at other servers
	announced Presence      // who is here, as the other servers know it
	changed   chan struct{} // closed and replaced when who is here or elsewhere changes
}

// watching is what one does here who is on neither seat.
const watching = Two + 1

// count changes by how many somebody is here, on a seat or watching.
func (c *crowd) count(as Seat, by int, now time.Time) {
	c.stays[as] += by
	c.seen[as] = now
	c.wake()
}

// meet takes up who is at other servers now. A player who has left those was here until now.
func (c *crowd) meet(elsewhere Presence, now time.Time) {
	if c.elsewhere == elsewhere {
		return
	}
	for _, seat := range Seats {
		if c.elsewhere.Seats[seat] && !elsewhere.Seats[seat] {
			c.seen[seat] = now
		}
	}
	c.elsewhere = elsewhere
	c.wake()
}

// wake wakes everybody who waits for a change.
func (c *crowd) wake() {
	close(c.changed)
	c.changed = make(chan struct{})
}

func (c *crowd) here() Presence {
	return Presence{Seats: [2]bool{c.stays[One] > 0, c.stays[Two] > 0}, Watchers: c.stays[watching]}
}

// all returns who is here and elsewhere.
func (c *crowd) all() Presence {
	p := c.here()
	for _, seat := range Seats {
		p.Seats[seat] = p.Seats[seat] || c.elsewhere.Seats[seat]
	}
	p.Watchers += c.elsewhere.Watchers
	return p
}

// gone reports whether a person plays on a seat, has not been here since a moment, and the other one waits for them.
func (c *crowd) gone(s State, seat Seat, since time.Time) bool {
	return s.Playing() && s.Levels[seat] == "" && !s.Away[seat] && !c.all().Seats[seat] && c.stays[seat.Other()] > 0 &&
		c.seen[seat].Before(since)
}
