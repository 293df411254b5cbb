package match

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"
)

// A room is a table in a hall with those who are at it. The hall's lock guards it.
type room struct {
	id    string
	ready chan struct{} // closed when table or err is there
	table *Table
	err   error

	visits  int           // how many are under way
	alone   time.Time     // when one ended last
	place   *list.Element // among those that nobody visits
	people  crowd
	lookout lookout
	dismiss context.CancelFunc // sends the computer's host away; nil: none is here
}

// soon is how long before its clock acts a table is left where it is: whoever takes it up again comes a while after that.
const soon = 5 * time.Second

// idle reports whether a table can be put away: nobody visits it, no other server believes that somebody does, and its clock does not
// run, or has some time left and is looked after when it has run out. The computer plays on when somebody comes.
func (r *room) idle(now time.Time, lookedAfter bool) bool {
	if r.visits > 0 || r.people.announced != (Presence{}) {
		return false
	}
	at, timed := r.table.State().Deadline()
	return !timed || lookedAfter && at.Sub(now) > soon
}

// timed reports whether a clock may run.
func (r *room) timed() bool {
	if r.table == nil {
		return true
	}
	s := r.table.State()
	return s.Setup.TurnTime > 0 || s.Ready != [2]bool{}
}

// A registry is the rooms of a hall.
type registry struct {
	byID map[string]*room // by the names of their tables
	left list.List        // those that nobody visits, in the order in which they were left
	open map[string]*room // those that had an open seat when they were furnished
}

// ErrFull says that a hall holds as many tables as it may.
var ErrFull = errors.New("too many tables are being played at; try again in a while")

// enter begins a visit to a room, and reports whether it is a new one, which the visitor has to load.
func (g *registry) enter(id string) (r *room, fresh bool) {
	r, there := g.byID[id]
	if !there {
		r = &room{id: id, ready: make(chan struct{}), people: crowd{changed: make(chan struct{})}}
		g.byID[id] = r
	}
	if r.visits++; r.place != nil {
		g.left.Remove(r.place)
		r.place = nil
	}
	return r, !there
}

// leave ends a visit to a room.
func (g *registry) leave(r *room, now time.Time) {
	r.alone = now
	if r.visits--; r.visits == 0 && g.byID[r.id] == r {
		r.place = g.left.PushBack(r)
	}
}

// makeRoom puts away a table that nobody visits. It looks at a few, so that whoever comes to a full hall does not hold up the others;
// the next visitor looks at the next few.
func (g *registry) makeRoom(idle func(*room) bool) bool {
	for range min(32, g.left.Len()) {
		r := g.left.Front().Value.(*room)
		if idle(r) {
			g.putAway(r)
			return true
		}
		g.left.MoveToBack(r.place)
	}
	return false
}

// waiting returns the tables at which a player waits for another one.
func (g *registry) waiting() (ids []string) {
	for id, r := range g.open {
		if r.table.State().Phase() != Waiting {
			delete(g.open, id) // for good
		} else if r.people.all().Seats != [2]bool{} {
			ids = append(ids, id)
		}
	}
	return ids
}

// remove forgets a room.
func (g *registry) remove(r *room) {
	delete(g.byID, r.id)
	delete(g.open, r.id)
	if r.place != nil {
		g.left.Remove(r.place)
		r.place = nil
	}
}

func (g *registry) putAway(r *room) {
	g.remove(r)
	r.table.Close()
	if r.dismiss != nil {
		r.dismiss()
	}
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
		v.hall.rooms.leave(v.room, time.Now())
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

// Look says that the player on a seat has loaded a page, and in a game is here for as long as it may take to look at it. A table with an
// open seat is another matter: nobody is sent there to find that the host has gone.
func (v *Visit) Look(ctx context.Context, seat Seat) error {
	if v.Table.State().Playing() {
		v.hall.mu.Lock()
		v.room.people.look(seat, time.Now())
		v.hall.mu.Unlock()
	}
	return v.Seen(ctx, seat)
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
