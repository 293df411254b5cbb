package match

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A room is a table in a hall with those who are at it. The hall's lock guards it.
type room struct {
	id    string
	ready chan struct{} // closed when table or err is there
	table *Table
	err   error

	visits  int       // how many are under way
	alone   time.Time // when one ended last
	people  crowd
	lookout lookout
	hosted  bool // whether the computer's host is here
}

// idle reports whether a table can be put away: nobody visits it, no other server believes that somebody does, no clock runs
// and the computer is not about to act.
func (r *room) idle() bool {
	if r.visits > 0 || r.people.announced != (Presence{}) {
		return false
	}
	switch s := r.table.State(); s.Phase() {
	case UnderWay:
		return s.Setup.TurnTime == 0 && s.Levels[s.Turn()] == ""
	case Between:
		return s.Levels[One] == "" || s.Levels[Two] == ""
	default:
		return true
	}
}

// A registry is the rooms of a hall by the names of their tables.
type registry map[string]*room

// ErrFull says that a hall holds as many tables as it may.
var ErrFull = errors.New("too many tables are being played at; try again in a while")

// enter begins a visit to a room, and reports whether it is a new one, which the visitor has to furnish.
func (g registry) enter(id string, most int) (r *room, fresh bool, err error) {
	r, there := g[id]
	if there && r.table != nil && r.table.isGone() {
		return nil, false, fmt.Errorf("table %q was deleted: %w", id, ErrNoTable)
	}
	if !there {
		if most > 0 && len(g) >= most && !g.makeRoom() {
			return nil, false, ErrFull
		}
		r = &room{id: id, ready: make(chan struct{}), people: crowd{changed: make(chan struct{})}}
		g[id] = r
	}
	r.visits++
	return r, !there, nil
}

// makeRoom puts away one table that nobody visits.
func (g registry) makeRoom() bool {
	for _, r := range g {
		if r.idle() {
			g.putAway(r)
			return true
		}
	}
	return false
}

func (g registry) putAway(r *room) {
	delete(g, r.id)
	r.table.Close()
}

// A Visit is somebody's stay at a table of a hall. While it lasts the table is there.
type Visit struct {
	Table *Table

	hall *Hall
	room *room
	once sync.Once
}

// Close ends the visit.
func (v *Visit) Close() {
	v.once.Do(func() {
		v.hall.mu.Lock()
		defer v.hall.mu.Unlock()
		v.room.visits--
		v.room.alone = time.Now()
	})
}

// Seen says that the player on a seat was here just now; one who had left is back.
func (v *Visit) Seen(ctx context.Context, seat Seat) error {
	v.hall.mu.Lock()
	v.room.people.seen[seat] = time.Now()
	v.hall.mu.Unlock()
	if !v.Table.State().Away[seat] {
		return nil
	}
	if _, err := v.Table.Return(ctx, seat); err != nil && !errors.Is(err, ErrAlready) {
		return err
	}
	return nil
}

// StayAs counts the visitor among those who are here, until leave is called: as the player on a seat.
func (v *Visit) StayAs(ctx context.Context, seat Seat) (leave func(), err error) {
	leave = v.stay(seat)
	if err := v.Seen(ctx, seat); err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

// StayToWatch counts the visitor among those who are here, until leave is called: as one who watches.
func (v *Visit) StayToWatch() (leave func()) { return v.stay(watching) }

func (v *Visit) stay(as Seat) (leave func()) {
	change := func(by int) {
		v.hall.mu.Lock()
		defer v.hall.mu.Unlock()
		v.room.people.count(as, by, time.Now())
	}
	change(1)
	return sync.OnceFunc(func() { change(-1) })
}

// Presence returns who is at the table, here and elsewhere, and a channel that is closed when that may have changed: at once, or
// where many come and go a while after it did.
func (v *Visit) Presence() (Presence, <-chan struct{}) {
	v.hall.mu.Lock()
	defer v.hall.mu.Unlock()
	return v.room.people.all(), v.room.people.changed
}

// Host lets the computer sit down at the table if it is to play there from now on.
func (v *Visit) Host() {
	v.hall.mu.Lock()
	defer v.hall.mu.Unlock()
	v.hall.host(v.room)
}
