package match

import (
	"context"
	"errors"
	"sync"
	"time"
)

// A room is a table in a hall and the people at it. The hall's lock guards it.
type room struct {
	id    string
	ready chan struct{} // closed when table or err is set
	table *Table
	err   error

	visits    int       // how many are under way
	alone     time.Time // when the last visit ended
	people    crowd
	refresher refresher
	dismiss   context.CancelFunc // stops the computer's host; nil: none is running
}

// handoverTime is how long before its deadline a table is no longer unloaded, since overdue tables
// are resumed only some time after the deadline.
const handoverTime = 5 * time.Second

// idle reports whether a table can be unloaded: it has no visitor, other servers know that, and its
// clock does not run, or has time left and the table is resumed later. The computer continues at
// the next visit.
func (r *room) idle(now time.Time, resumable bool) bool {
	if r.visits > 0 || r.people.announced != (Presence{}) {
		return false
	}
	at, timed := r.table.State().Deadline()
	return !timed || resumable && at.Sub(now) > handoverTime
}

// timed reports whether a clock may run.
func (r *room) timed() bool {
	if r.table == nil {
		return true
	}
	s := r.table.State()
	return s.Setup.TurnTime > 0 || s.Ready != [2]bool{}
}

// A registry holds the rooms of a hall.
type registry struct {
	byID map[string]*room // by the names of their tables
	open map[string]*room // rooms whose table had an open seat when it was loaded
}

// ErrFull means that a hall holds the most tables allowed.
var ErrFull = errors.New("too many tables are in use; try again later")

// enter begins a visit to a room. Fresh means that the room is new and the visitor must load it.
func (g *registry) enter(id string) (r *room, fresh bool) {
	r, there := g.byID[id]
	if !there {
		r = &room{id: id, ready: make(chan struct{}), people: crowd{changed: make(chan struct{})}}
		g.byID[id] = r
	}
	r.visits++
	return r, !there
}

// makeRoom unloads a table without visitors and reports whether it found one. It looks at a few
// tables only, so that a visitor to a full hall does not delay the others; the next visitor looks
// at some others, since the order of a map is random.
func (g *registry) makeRoom(idle func(*room) bool) bool {
	looks := 32
	for _, r := range g.byID {
		if r.visits > 0 {
			continue
		}
		if idle(r) {
			g.putAway(r)
			return true
		}
		if looks--; looks == 0 {
			break
		}
	}
	return false
}

// waiting returns the tables at which a player waits for an opponent.
func (g *registry) waiting() (ids []string) {
	for id, r := range g.open {
		if r.table.State().Phase() != Waiting {
			delete(g.open, id) // a seat is never opened again
		} else if r.people.all().Seats != [2]bool{} {
			ids = append(ids, id)
		}
	}
	return ids
}

// remove deletes a room from the registry.
func (g *registry) remove(r *room) {
	delete(g.byID, r.id)
	delete(g.open, r.id)
}

// putAway removes a room and closes its table.
func (g *registry) putAway(r *room) {
	g.remove(r)
	r.table.Close()
	if r.dismiss != nil {
		r.dismiss()
	}
}

// A Visit is a stay at a table of a hall. The table stays loaded until the visit ends.
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

// Seen records that the player on a seat was here just now. A player who had left is back, and the
// clock starts if it has waited for the player.
func (v *Visit) Seen(ctx context.Context, seat Seat) error {
	v.hall.mu.Lock()
	v.room.people.seen[seat] = time.Now()
	v.hall.mu.Unlock()
	var err error
	switch {
	case v.Table.State().Away[seat]:
		_, err = v.Table.Return(ctx, seat)
	case v.Table.awaits(seat):
		_, err = v.Table.Arrive(ctx, seat)
	}
	if errors.Is(err, ErrAlready) {
		return nil
	}
	return err
}

// Look records that the player on a seat has loaded a page. During a game the player then counts as
// present for a while; at a table with an open seat not, so that nobody joins an absent host.
func (v *Visit) Look(ctx context.Context, seat Seat) error {
	if v.Table.State().Playing() {
		v.hall.mu.Lock()
		v.room.people.look(seat, time.Now())
		v.hall.mu.Unlock()
	}
	return v.Seen(ctx, seat)
}

// StayAs counts the visitor as the player on a seat until leave is called.
func (v *Visit) StayAs(ctx context.Context, seat Seat) (leave func(), err error) {
	leave = v.stay(seat)
	if err := v.Seen(ctx, seat); err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

// StayToWatch counts the visitor as a watcher until leave is called.
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

// Presence returns who is at the table, on all servers, and a channel that is closed when that may
// have changed. If many come and go, the channel is closed some time after a change.
func (v *Visit) Presence() (Presence, <-chan struct{}) {
	v.hall.mu.Lock()
	defer v.hall.mu.Unlock()
	return v.room.people.all(), v.room.people.changed
}

// Host starts the computer at the table if it now plays there.
func (v *Visit) Host() {
	v.hall.mu.Lock()
	defer v.hall.mu.Unlock()
	v.hall.host(v.room)
}
