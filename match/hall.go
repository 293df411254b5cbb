package match

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"
)

// A Hall holds the tables that somebody is at. The others are in the store alone: a table is taken up when somebody visits
// it, and put away a while after the last visitor has gone, so what nobody looks at costs no memory.
type Hall struct {
	store Store
	o     HallConfig

	mu    sync.Mutex
	rooms map[string]*room
	shut  bool
	hosts sync.WaitGroup // hosts and refreshes under way
	ctx   context.Context
	end   context.CancelFunc
}

// HallConfig are what a hall needs beside a store. The zero options are a hall for persons alone.
type HallConfig struct {
	// Host plays for the computer at a table until ctx is done or the table is closed.
	Host func(ctx context.Context, t *Table) error
	// Overdue returns tables that are in the store with a turn whose time ran out before a moment; nil: none.
	Overdue func(ctx context.Context, before time.Time) ([]string, error)
	// Guests are told who is here and tell who is at the same tables elsewhere; nil: there is no elsewhere.
	Guests Guests
	Log    *slog.Logger  // nil: none
	Linger time.Duration // how long a table stays after its last visitor; 0: ten seconds
	Grace  time.Duration // how long a player may be gone before that is told; 0: a minute
	Most   int           // how many tables there may be; 0: any number
}

// Guests know who is at a table at other servers of the same store.
type Guests interface {
	Here(ctx context.Context, table string, p Presence) error
	Elsewhere(ctx context.Context, tables ...string) (map[string]Presence, error)
}

// A Notice says that a table has an event of a number now. Seq 0 says that who is there has changed, and an empty
// Table that any of this may have happened at any table.
type Notice struct {
	Table string
	Seq   int
}

// A Presence is who is at a table: which players, and how many others watch.
type Presence struct {
	Seats    [2]bool
	Watchers int
}

// ErrFull says that a hall holds as many tables as it may.
var ErrFull = errors.New("too many tables are being played at; try again in a while")

// NewHall returns a hall over a store. The caller runs it and closes it.
func NewHall(store Store, o HallConfig) *Hall {
	if o.Linger == 0 {
		o.Linger = 10 * time.Second
	}
	if o.Grace == 0 {
		o.Grace = time.Minute
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	ctx, end := context.WithCancel(context.Background())
	return &Hall{store: store, o: o, rooms: map[string]*room{}, ctx: ctx, end: end}
}

// A room is a table in a hall with its visitors. Its fields are guarded by the hall's lock.
type room struct {
	ready chan struct{} // closed when table or err is there
	table *Table
	err   error

	visits    int
	players   [2]int // how many visits stay as a player
	watchers  int    // and how many stay as neither
	alone     time.Time
	gone      [2]time.Time  // when a player was last here
	elsewhere Presence      // who is at other servers
	told      Presence      // what the other servers were told
	changed   chan struct{} // closed and replaced when who is here changes
	hosted    bool          // whether the computer's host is here
	stale     bool          // whether a refresh is under way
	again     bool          // whether another one is to follow it
	behind    bool          // whether the last one failed
}

// Open sets up a new table and visits it.
func (h *Hall) Open(ctx context.Context, id string, setup Setup) (*Visit, error) {
	opened := false
	v, err := h.visit(ctx, id, func() (*Table, error) {
		opened = true
		return Open(ctx, id, setup, h.store, newRand())
	})
	if err == nil && !opened {
		v.Close()
		return nil, fmt.Errorf("table %q: there is one of that name", id)
	}
	return v, err
}

// Visit visits a table. One that is not in the store is an [ErrNoTable].
func (h *Hall) Visit(ctx context.Context, id string) (*Visit, error) {
	return h.visit(ctx, id, func() (*Table, error) { return Resume(ctx, id, h.store, newRand()) })
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())) }

func (h *Hall) visit(ctx context.Context, id string, take func() (*Table, error)) (*Visit, error) {
	for {
		h.mu.Lock()
		if h.shut {
			h.mu.Unlock()
			return nil, errClosed
		}
		r, there := h.rooms[id]
		if !there {
			if h.o.Most > 0 && len(h.rooms) >= h.o.Most && !h.makeRoom() {
				h.mu.Unlock()
				return nil, ErrFull
			}
			r = &room{ready: make(chan struct{}), changed: make(chan struct{})}
			h.rooms[id] = r
		}
		r.visits++
		h.mu.Unlock()
		v := &Visit{hall: h, room: r, id: id}
		if !there {
			h.furnish(r, id, take)
		}
		select {
		case <-r.ready:
		case <-ctx.Done():
			v.Close()
			return nil, ctx.Err()
		}
		if r.err == nil {
			v.Table = r.table
			return v, nil
		}
		v.Close()
		if there && (errors.Is(r.err, context.Canceled) || errors.Is(r.err, context.DeadlineExceeded)) {
			continue // whoever wanted it first gave up
		}
		return nil, r.err
	}
}

// furnish puts a table into a new room.
func (h *Hall) furnish(r *room, id string, take func() (*Table, error)) {
	t, err := take()
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	r.table, r.err, r.gone = t, err, [2]time.Time{now, now}
	switch {
	case err != nil:
		delete(h.rooms, id)
	case h.shut:
		t.Close()
	default:
		h.host(r)
		if h.o.Guests != nil || r.again {
			h.refresh(id, r)
		}
	}
	close(r.ready)
}

// host lets the computer sit down where it plays. It is called with the lock.
func (h *Hall) host(r *room) {
	s := r.table.State()
	if h.o.Host == nil || r.hosted || h.shut || s.Levels == [2]string{} {
		return
	}
	r.hosted = true
	h.hosts.Go(func() {
		err := h.o.Host(h.ctx, r.table)
		h.mu.Lock()
		defer h.mu.Unlock()
		r.hosted = false // the next round lets it sit down again, if it has to
		if err != nil && h.ctx.Err() == nil && !errors.Is(err, errClosed) {
			h.o.Log.Error("the computer stopped playing", "table", r.table.ID(), "error", err)
		}
	})
}

// makeRoom puts away one table that nobody visits. It is called with the lock.
func (h *Hall) makeRoom() bool {
	for id, r := range h.rooms {
		if r.table != nil && r.idle(r.table.State()) {
			h.putAway(id, r)
			return true
		}
	}
	return false
}

func (h *Hall) putAway(id string, r *room) {
	delete(h.rooms, id)
	r.table.Close()
}

// idle reports whether a table can be put away: nobody visits it, no other server believes that somebody does, no clock runs
// and the computer is not about to act.
func (r *room) idle(s State) bool {
	if r.visits > 0 || r.told != (Presence{}) {
		return false
	}
	switch s.Phase() {
	case UnderWay:
		return s.Setup.TurnTime == 0 && s.Levels[s.Turn()] == ""
	case Between:
		return s.Levels[One] == "" || s.Levels[Two] == ""
	default:
		return true
	}
}

// Len returns how many tables are in the hall.
func (h *Hall) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.rooms)
}

// Close closes every table and waits until the computer has left.
func (h *Hall) Close() {
	h.mu.Lock()
	h.shut = true
	for _, r := range h.rooms {
		if r.table != nil {
			r.table.Close()
		}
	}
	h.mu.Unlock()
	h.end()
	h.hosts.Wait()
}

// Notice is called when another server may have changed a table.
func (h *Hall) Notice(n Notice) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n.Table == "" {
		for id, r := range h.rooms {
			h.refresh(id, r)
		}
		return
	}
	r, there := h.rooms[n.Table]
	if there && (n.Seq == 0 || r.table == nil || n.Seq > r.table.State().Seq) {
		h.refresh(n.Table, r)
	}
}

// refresh takes up what has changed elsewhere, one time after the other. It is called with the lock.
func (h *Hall) refresh(id string, r *room) {
	if h.shut {
		return
	}
	if r.table == nil || r.stale {
		r.again = true
		return
	}
	r.stale, r.again = true, false
	h.hosts.Go(func() {
		for more := true; more; {
			ctx, cancel := context.WithTimeout(h.ctx, 5*time.Second)
			err := r.table.Refresh(ctx)
			guests, guestsErr := h.elsewhere(ctx, id)
			cancel()
			h.mu.Lock()
			if guestsErr == nil && r.elsewhere != guests {
				r.meet(guests, time.Now())
			}
			more, r.again = r.again, false
			r.stale = more
			h.host(r)
			err = errors.Join(err, guestsErr)
			told := r.behind
			r.behind = err != nil
			h.mu.Unlock()
			if err != nil && !told && h.ctx.Err() == nil {
				h.o.Log.Error("a table could not be refreshed", "table", id, "error", err)
			}
		}
	})
}

func (h *Hall) elsewhere(ctx context.Context, id string) (Presence, error) {
	if h.o.Guests == nil {
		return Presence{}, nil
	}
	all, err := h.o.Guests.Elsewhere(ctx, id)
	return all[id], err
}

// A Visit is somebody's stay at a table of a hall. While it lasts the table is there.
type Visit struct {
	Table *Table

	hall *Hall
	room *room
	id   string
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
	v.room.gone[seat] = time.Now()
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
	end := v.stay(&v.room.players[seat])
	if err := v.Seen(ctx, seat); err != nil {
		end()
		return nil, err
	}
	return func() {
		v.hall.mu.Lock()
		v.room.gone[seat] = time.Now()
		v.hall.mu.Unlock()
		end()
	}, nil
}

// StayToWatch counts the visitor among those who are here, until leave is called: as one who watches.
func (v *Visit) StayToWatch() (leave func()) { return v.stay(&v.room.watchers) }

func (v *Visit) stay(count *int) (leave func()) {
	change := func(by int) {
		v.hall.mu.Lock()
		defer v.hall.mu.Unlock()
		*count += by
		v.room.tell()
	}
	change(1)
	return sync.OnceFunc(func() { change(-1) })
}

// Presence returns who is at the table, here and elsewhere, and a channel that is closed when that may have changed.
func (v *Visit) Presence() (Presence, <-chan struct{}) {
	v.hall.mu.Lock()
	defer v.hall.mu.Unlock()
	return v.room.presence(), v.room.changed
}

// Presence returns who is at a table that may or may not be in the hall.
func (h *Hall) Presence(id string) Presence {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r, there := h.rooms[id]; there {
		return r.presence()
	}
	return Presence{}
}

// Host lets the computer sit down at the table if it is to play there from now on.
func (v *Visit) Host() {
	v.hall.mu.Lock()
	defer v.hall.mu.Unlock()
	v.hall.host(v.room)
}

func (r *room) here() Presence {
	return Presence{Seats: [2]bool{r.players[One] > 0, r.players[Two] > 0}, Watchers: r.watchers}
}

func (r *room) presence() Presence {
	p := r.here()
	for _, seat := range Seats {
		p.Seats[seat] = p.Seats[seat] || r.elsewhere.Seats[seat]
	}
	p.Watchers += r.elsewhere.Watchers
	return p
}

// meet takes up who is at other servers now. A player who has left those was here until now.
func (r *room) meet(guests Presence, now time.Time) {
	for _, seat := range Seats {
		if r.elsewhere.Seats[seat] && !guests.Seats[seat] {
			r.gone[seat] = now
		}
	}
	r.elsewhere = guests
	r.tell()
}

// tell tells everybody here that who is here has changed.
func (r *room) tell() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// Run keeps the hall in order until ctx is done: it puts away what nobody visits, tells who has left, looks who is still
// elsewhere, and takes up what is overdue.
func (h *Hall) Run(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var failed error // the first of what may be as many as there are tables
		for _, do := range h.round(time.Now()) {
			if err := do(ctx); failed == nil {
				failed = err
			}
		}
		if failed != nil && ctx.Err() == nil {
			h.o.Log.Error("keeping the hall in order", "error", failed)
		}
	}
}

// round looks at every table, and returns what is to be done at some of them.
func (h *Hall) round(now time.Time) []func(context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var todo []func(context.Context) error
	var met []string // tables with guests elsewhere
	for id, r := range h.rooms {
		if r.table == nil {
			continue
		}
		s := r.table.State()
		if now.Sub(r.alone) >= h.o.Linger && r.idle(s) {
			h.putAway(id, r)
			continue
		}
		h.host(r)
		if r.behind {
			h.refresh(id, r)
		}
		if here := r.here(); here != r.told && h.o.Guests != nil {
			todo = append(todo, func(ctx context.Context) error { return h.tellGuests(ctx, id, r, here) })
		}
		for _, seat := range Seats {
			if r.isGone(s, seat, now.Add(-h.o.Grace)) {
				todo = append(todo, func(ctx context.Context) error { return h.leave(ctx, id, r, seat) })
			}
		}
		if r.elsewhere != (Presence{}) {
			met = append(met, id)
		}
	}
	if len(met) > 0 {
		todo = append(todo, func(ctx context.Context) error { return h.meetAgain(ctx, met) })
	}
	if h.o.Overdue != nil {
		todo = append(todo, h.takeUpOverdue)
	}
	return todo
}

// isGone reports whether a person plays on a seat, has not been here since a moment, and the other one waits for them.
func (r *room) isGone(s State, seat Seat, since time.Time) bool {
	return s.Playing() && s.Levels[seat] == "" && !s.Away[seat] && !r.presence().Seats[seat] && r.players[seat.Other()] > 0 &&
		r.gone[seat].Before(since)
}

func (h *Hall) leave(ctx context.Context, id string, r *room, seat Seat) error {
	if guests, err := h.elsewhere(ctx, id); err != nil || guests.Seats[seat] {
		return err
	}
	h.mu.Lock()
	gone := r.isGone(r.table.State(), seat, time.Now().Add(-h.o.Grace)) // still, for it may have taken a while to ask
	h.mu.Unlock()
	if !gone {
		return nil
	}
	if _, err := r.table.Leave(ctx, seat); err != nil && !errors.Is(err, ErrAlready) && !errors.Is(err, errClosed) {
		return fmt.Errorf("table %q: %w", id, err)
	}
	return nil
}

// meetAgain looks whether those who are at other servers are still there. A server that was killed does not tell.
func (h *Hall) meetAgain(ctx context.Context, ids []string) error {
	all, err := h.o.Guests.Elsewhere(ctx, ids...)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range ids {
		if r, there := h.rooms[id]; there && r.elsewhere != all[id] {
			r.meet(all[id], time.Now())
		}
	}
	return nil
}

func (h *Hall) tellGuests(ctx context.Context, id string, r *room, here Presence) error {
	if err := h.o.Guests.Here(ctx, id, here); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	r.told = here
	return nil
}

// takeUpOverdue takes up tables whose clock has run out while no hall held them, so that it is told.
func (h *Hall) takeUpOverdue(ctx context.Context) error {
	const margin = 3 * time.Second // in which another server tells it that holds the table
	ids, err := h.o.Overdue(ctx, time.Now().Add(-margin))
	if err != nil {
		return err
	}
	var failed error // one table that cannot be taken up does not keep the others waiting
	for _, id := range ids {
		if v, err := h.Visit(ctx, id); err == nil {
			v.Close()
		} else if !errors.Is(err, ErrFull) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}
