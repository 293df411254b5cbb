package match

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// A chore is a part of the upkeep that calls the store or other servers. One chore of a name runs
// at a table at a time.
type chore struct {
	what, table string
	do          func(context.Context) error
}

const (
	workers   = 16              // the most chores at once
	choreTime = 5 * time.Second // the time limit of a chore
)

// Run does the upkeep of the hall until ctx is done: it unloads unvisited tables, records players
// who have left, checks who is still on other servers, and resumes overdue tables.
func (h *Hall) Run(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	u := upkeep{
		workers:  make(chan struct{}, workers),
		underWay: map[string]bool{}, failed: map[string]error{},
	}
	defer u.chores.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, c := range h.round(time.Now()) {
			u.do(ctx, c)
		}
		for what, err := range u.errors() {
			h.config.Log.Error("hall upkeep", "what", what, "error", err)
		}
	}
}

// An upkeep runs chores.
type upkeep struct {
	workers chan struct{} // holds a token for each running chore
	chores  sync.WaitGroup

	mu       sync.Mutex
	underWay map[string]bool  // by name and table
	failed   map[string]error // the last error of each kind of chore
}

// do runs a chore in the background, unless one of its name runs at its table. It waits for a free
// worker.
func (u *upkeep) do(ctx context.Context, c chore) {
	key := c.what + " " + c.table
	u.mu.Lock()
	busy := u.underWay[key]
	u.underWay[key] = true
	u.mu.Unlock()
	if busy {
		return
	}
	u.workers <- struct{}{}
	u.chores.Go(func() {
		defer func() { <-u.workers }()
		brief, cancel := context.WithTimeout(ctx, choreTime)
		defer cancel()
		err := c.do(brief)
		u.mu.Lock()
		defer u.mu.Unlock()
		delete(u.underWay, key)
		if err != nil && ctx.Err() == nil {
			u.failed[c.what] = err
		}
	})
}

// errors returns the errors since the last call.
func (u *upkeep) errors() map[string]error {
	u.mu.Lock()
	defer u.mu.Unlock()
	failed := u.failed
	u.failed = map[string]error{}
	return failed
}

// round checks every table and returns the chores to do.
func (h *Hall) round(now time.Time) (todo []chore) {
	var met []string                                        // tables with people on other servers
	for rooms := range slices.Chunk(h.loadedRooms(), 200) { // releases the lock in between
		h.mu.Lock()
		for _, r := range rooms {
			if h.rooms.byID[r.id] != r {
				continue
			}
			if r.table.isGone() && r.people.announced != (Presence{}) {
				todo = append(todo, h.announcement(r, Presence{}))
			}
			if r.table.isGone() || now.Sub(r.alone) >= h.config.Linger && h.idle(r) {
				h.rooms.putAway(r)
				continue
			}
			todo = append(todo, h.inspect(r, now)...)
			if r.people.others != (Presence{}) {
				met = append(met, r.id)
			}
		}
		h.mu.Unlock()
	}
	if len(met) > 0 {
		todo = append(todo, chore{"refresh guests", "", func(ctx context.Context) error {
			return h.refreshGuests(ctx, met)
		}})
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range h.due {
		todo = append(todo, chore{"resume overdue", id, func(ctx context.Context) error {
			return h.resumeOverdue(ctx, id)
		}})
	}
	if h.due = nil; h.config.Overdue != nil {
		todo = append(todo, chore{"find overdue", "", h.findOverdue})
	}
	return todo
}

// loadedRooms returns the rooms whose table is loaded.
func (h *Hall) loadedRooms() (rooms []*room) {
	h.mu.Lock()
	defer h.mu.Unlock()
	rooms = make([]*room, 0, len(h.rooms.byID))
	for _, r := range h.rooms.byID {
		if r.table != nil {
			rooms = append(rooms, r)
		}
	}
	return rooms
}

// inspect checks one table and returns the chores to do there. It is called with the lock.
func (h *Hall) inspect(r *room, now time.Time) (todo []chore) {
	h.host(r)
	r.people.expire(now)
	if r.refresher.failing || r.table.inDoubt() {
		h.refresh(r)
	}
	if here := r.people.here(); here != r.people.announced && h.config.Guests != nil {
		todo = append(todo, h.announcement(r, here))
	}
	since := now.Add(-h.config.Grace)
	for _, seat := range Seats {
		if r.people.stays[seat] > 0 && r.table.awaits(seat) { // the game began on another server
			todo = append(todo, chore{"start clock", r.id, func(ctx context.Context) error {
				err := (&Visit{Table: r.table, hall: h, room: r}).Seen(ctx, seat)
				if isOver(err) {
					return nil
				}
				return err
			}})
		}
		if r.people.missed(seat, since) && r.people.gone(r.table.State(), seat, since) {
			what := "leave: " + seat.String()
			todo = append(todo, chore{what, r.id, func(ctx context.Context) error {
				return h.leave(ctx, r, seat)
			}})
		}
	}
	return todo
}

// announcement returns the chore of reporting to other servers who is here.
func (h *Hall) announcement(r *room, here Presence) chore {
	return chore{"announce", r.id, func(ctx context.Context) error {
		if err := h.config.Guests.Here(ctx, r.id, here); err != nil {
			return err
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		r.people.announced = here
		return nil
	}}
}

// leave records that a player has left, unless they are on another server.
func (h *Hall) leave(ctx context.Context, r *room, seat Seat) error {
	if guests, err := h.onOthers(ctx, r.id); err != nil || guests.Seats[seat] {
		return err
	}
	h.mu.Lock()
	// The call above may have taken a while.
	gone := r.people.gone(r.table.State(), seat, time.Now().Add(-h.config.Grace))
	h.mu.Unlock()
	if !gone {
		return nil
	}
	_, err := r.table.Leave(ctx, seat)
	if err != nil && !errors.Is(err, ErrAlready) && !errors.Is(err, ErrOften) && !isOver(err) {
		return fmt.Errorf("table %q: %w", r.id, err)
	}
	return nil
}

// refreshGuests checks who is still on other servers. A server that was killed cannot report it.
func (h *Hall) refreshGuests(ctx context.Context, ids []string) error {
	all, err := h.config.Guests.OtherServers(ctx, ids...)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range ids {
		if r, there := h.rooms.byID[id]; there {
			r.people.setOthers(all[id], time.Now())
		}
	}
	return nil
}

// findOverdue finds tables whose clock has run out while no hall held them, for the next round.
func (h *Hall) findOverdue(ctx context.Context) error {
	const (
		margin = 3 * time.Second // for the server that holds the table to act
		most   = 500             // at once, since each stays in the hall for a while
	)
	now := time.Now()
	ids, err := h.config.Overdue(ctx, now.Add(-margin))
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	maps.DeleteFunc(h.later, func(_ string, at time.Time) bool { return !at.After(now) })
	for _, id := range ids {
		_, here := h.rooms.byID[id]
		if _, later := h.later[id]; !here && !later && len(h.due) < most {
			h.due = append(h.due, id)
		}
	}
	return nil
}

// resumeOverdue visits a table that may be overdue, so that its clock acts.
func (h *Hall) resumeOverdue(ctx context.Context, id string) error {
	v, err := h.Visit(ctx, id)
	if errors.Is(err, ErrFull) {
		return nil
	}
	again := time.Now().Add(time.Minute) // if it cannot be resumed
	if err == nil {
		defer v.Close()
		// Time in which no server ran does not count, so there may be some left.
		again, _ = v.Table.State().Deadline()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.later[id] = again
	return err
}
