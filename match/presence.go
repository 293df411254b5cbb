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
	// Waiting returns tables with an open seat at which a player is elsewhere.
	Waiting(ctx context.Context) ([]string, error)
}

// A crowd is who is at a table, here and elsewhere.
type crowd struct {
	stays     [3]int        // how many stay here on each seat, and as watchers
	looks     [2]time.Time  // until when each player is taken to look at a page that tells nothing by itself; zero: no longer
	seen      [2]time.Time  // when each player was here last
	elsewhere Presence      // who is at other servers
	announced Presence      // who is here, as the other servers know it
	changed   chan struct{} // closed and replaced when everybody is woken
	untold    bool          // whether who is here or elsewhere has changed since then
	woken     time.Time     // when that was
}

// watching is what one does here who is on neither seat.
const watching = Two + 1

// pageStays is for how long a player is there who has loaded a page and does not stay. Such a page is loaded again every 45 seconds or
// sooner, if slow networks let it.
const pageStays = 2 * time.Minute

// count changes by how many somebody is here, on a seat or watching.
func (c *crowd) count(as Seat, by int, now time.Time) {
	before := c.all()
	c.stays[as] += by
	if as != watching {
		c.seen[as], c.looks[as] = now, time.Time{} // whoever stays says when that ends
	}
	c.differ(before, now)
}

// look takes note that a player has loaded a page.
func (c *crowd) look(seat Seat, now time.Time) {
	before := c.all()
	c.seen[seat] = now
	if c.stays[seat] == 0 {
		c.looks[seat] = now.Add(pageStays)
	}
	c.differ(before, now)
}

// expire takes note of players who have not loaded a page for too long.
func (c *crowd) expire(now time.Time) {
	before := c.all()
	for _, seat := range Seats {
		if c.looks[seat].Before(now) {
			c.looks[seat] = time.Time{}
		}
	}
	c.differ(before, now)
}

// meet takes up who is at other servers now. A player who has left those was here until now.
func (c *crowd) meet(elsewhere Presence, now time.Time) {
	for _, seat := range Seats {
		if c.elsewhere.Seats[seat] && !elsewhere.Seats[seat] {
			c.seen[seat] = now
		}
	}
	before := c.all()
	c.elsewhere = elsewhere
	c.differ(before, now)
}

// differ takes note of a change, if there was one.
func (c *crowd) differ(before Presence, now time.Time) {
	c.untold = c.untold || c.all() != before
	c.wake(now)
}

// wake wakes everybody who waits for a change, if there was one. A change soon after another is left to a later call: to tell n people
// of each of n who come would be n² messages, and so a table tells about a thousand a second, and each of them once.
func (c *crowd) wake(now time.Time) {
	rest := max(time.Second, time.Duration(c.all().Watchers)*time.Millisecond)
	if !c.untold || now.Sub(c.woken) < rest {
		return
	}
	close(c.changed)
	c.changed = make(chan struct{})
	c.untold, c.woken = false, now
}

func (c *crowd) here() Presence {
	p := Presence{Watchers: c.stays[watching]}
	for _, seat := range Seats {
		p.Seats[seat] = c.stays[seat] > 0 || !c.looks[seat].IsZero()
	}
	return p
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

// missed reports whether nobody has been here on a seat since a moment, while somebody is on the other one.
func (c *crowd) missed(seat Seat, since time.Time) bool {
	return c.here().Seats[seat.Other()] && c.seen[seat].Before(since) && !c.all().Seats[seat]
}

// gone reports whether a person who plays on a seat is missed. A program may think for as long as it likes.
func (c *crowd) gone(s State, seat Seat, since time.Time) bool {
	return s.Playing() && s.Levels[seat] == "" && !s.Setup.IsAgent(seat) && !s.Away[seat] && c.missed(seat, since)
}
