package match

import (
	"context"
	"time"
)

// A Presence says which players are at a table, and how many others watch.
type Presence struct {
	Seats    [2]bool
	Watchers int
}

// Guests shares with other servers of the same store who is at a table.
type Guests interface {
	// Here reports who is at a table on this server.
	Here(ctx context.Context, table string, p Presence) error
	// OtherServers returns who is at the tables on other servers.
	OtherServers(ctx context.Context, tables ...string) (map[string]Presence, error)
	// Waiting returns the tables with an open seat that have a player on another server.
	Waiting(ctx context.Context) ([]string, error)
}

// A crowd counts the people at a table, here and on other servers.
type crowd struct {
	stays     [3]int        // connections on each seat, and of watchers
	looks     [2]time.Time  // until when a player counts as reading a static page; zero: not
	seen      [2]time.Time  // when each player was here last
	others    Presence      // who is at other servers
	announced Presence      // who is here, as reported to the other servers
	changed   chan struct{} // closed and replaced to report a change
	pending   bool          // whether a change has not been reported
	woken     time.Time     // when the last change was reported
}

// watching is the role of a visitor without a seat.
const watching = Two + 1

// pageStays is how long a player counts as present after loading a page without live events. Such a
// page reloads every 45 seconds or sooner; the rest is for slow networks.
const pageStays = 2 * time.Minute

// count adds by to the connections on a seat, or of watchers.
func (c *crowd) count(as Seat, by int, now time.Time) {
	before := c.all()
	c.stays[as] += by
	if as != watching {
		c.seen[as], c.looks[as] = now, time.Time{} // a connection reports its own end
	}
	c.noteChange(before, now)
}

// look records that a player has loaded a page.
func (c *crowd) look(seat Seat, now time.Time) {
	before := c.all()
	c.seen[seat] = now
	if c.stays[seat] == 0 {
		c.looks[seat] = now.Add(pageStays)
	}
	c.noteChange(before, now)
}

// expire drops players who have not loaded a page for too long.
func (c *crowd) expire(now time.Time) {
	before := c.all()
	for _, seat := range Seats {
		if c.looks[seat].Before(now) {
			c.looks[seat] = time.Time{}
		}
	}
	c.noteChange(before, now)
}

// setOthers sets who is on other servers. A player who has left them was seen just now.
func (c *crowd) setOthers(others Presence, now time.Time) {
	for _, seat := range Seats {
		if c.others.Seats[seat] && !others.Seats[seat] {
			c.seen[seat] = now
		}
	}
	before := c.all()
	c.others = others
	c.noteChange(before, now)
}

// noteChange records a change since before, if there is one.
func (c *crowd) noteChange(before Presence, now time.Time) {
	c.pending = c.pending || c.all() != before
	c.wake(now)
}

// wake reports a change, if there is one. It delays a change soon after another: reporting each of
// n arrivals to n people would take n² messages. So a table sends about a thousand a second at
// most, one to each person.
func (c *crowd) wake(now time.Time) {
	rest := max(time.Second, time.Duration(c.all().Watchers)*time.Millisecond)
	if !c.pending || now.Sub(c.woken) < rest {
		return
	}
	close(c.changed)
	c.changed = make(chan struct{})
	c.pending, c.woken = false, now
}

// here returns who is at the table on this server.
func (c *crowd) here() Presence {
	p := Presence{Watchers: c.stays[watching]}
	for _, seat := range Seats {
		p.Seats[seat] = c.stays[seat] > 0 || !c.looks[seat].IsZero()
	}
	return p
}

// connected reports whether the player on a seat sees what happens at the table.
func (c *crowd) connected(seat Seat) bool { return c.stays[seat] > 0 || c.others.Seats[seat] }

// all returns who is here and on other servers.
func (c *crowd) all() Presence {
	p := c.here()
	for _, seat := range Seats {
		p.Seats[seat] = p.Seats[seat] || c.others.Seats[seat]
	}
	p.Watchers += c.others.Watchers
	return p
}

// missed reports whether nobody has been on a seat since a time, while the other player is here.
func (c *crowd) missed(seat Seat, since time.Time) bool {
	return c.here().Seats[seat.Other()] && c.seen[seat].Before(since) && !c.all().Seats[seat]
}

// gone reports whether a person who plays on a seat is missed, and was in this game. A program may
// think as long as it likes.
func (c *crowd) gone(s State, seat Seat, since time.Time) bool {
	playing := s.Playing() && s.Levels[seat] == "" && !s.Setup.IsAgent(seat) && !s.Away[seat]
	return playing && s.Began.Before(since) && c.missed(seat, since)
}
