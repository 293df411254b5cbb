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

// A chore is a part of keeping a hall in order that takes a while, for the store or other servers are asked.
type chore struct {
	work
	do func(context.Context) error
}

// A work is what a chore does, and at which table; of the same work one chore is under way at a time.
type work struct{ what, table string }

const (
	workers   = 16              // how many chores are done at once
	choreTime = 5 * time.Second // how long one may take
)

// Run keeps the hall in order until ctx is done: it puts away what nobody visits, records who has left, looks who is still
// elsewhere, and takes up what is overdue.
func (h *Hall) Run(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	u := upkeep{workers: make(chan struct{}, workers), underWay: map[work]bool{}, failed: map[string]error{}}
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
		for what, err := range u.trouble() {
			h.config.Log.Error("keeping the hall in order", "what", what, "error", err)
		}
	}
}

// An upkeep is the chores under way.
type upkeep struct {
	workers chan struct{} // holds a token for each
	chores  sync.WaitGroup

	mu       sync.Mutex
	underWay map[work]bool
	failed   map[string]error // by what it was: the last of what may be as many as there are tables
}

// do runs a chore in the background, unless the same chore is running. It waits for a free worker.
func (u *upkeep) do(ctx context.Context, c chore) {
	u.mu.Lock()
	busy := u.underWay[c.work]
	u.underWay[c.work] = true
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
		delete(u.underWay, c.work)
		if err != nil && ctx.Err() == nil {
			u.failed[c.what] = err
		}
	})
}

// trouble returns what went wrong since it was asked for last.
func (u *upkeep) trouble() map[string]error {
	u.mu.Lock()
	defer u.mu.Unlock()
	failed := u.failed
	u.failed = map[string]error{}
	return failed
}

// round looks at every table, and returns what is to be done.
func (h *Hall) round(now time.Time) (todo []chore) {
	var met []string                                      // tables with guests elsewhere
	for rooms := range slices.Chunk(h.furnished(), 200) { // between which others have the lock
		h.mu.Lock()
		for _, r := range rooms {
			if h.rooms.byID[r.id] != r {
				continue
			}
			if r.table.isGone() && r.people.announced != (Presence{}) {
				todo = append(todo, chore{work{"announce", r.id}, func(ctx context.Context) error { return h.announce(ctx, r, Presence{}) }})
			}
			if r.table.isGone() || now.Sub(r.alone) >= h.config.Linger && h.idle(r) {
				h.rooms.putAway(r)
				continue
			}
			todo = append(todo, h.tend(r, now)...)
			if r.people.elsewhere != (Presence{}) {
				met = append(met, r.id)
			}
		}
		h.mu.Unlock()
	}
	if len(met) > 0 {
		todo = append(todo, chore{work{"meet again", ""}, func(ctx context.Context) error { return h.meetAgain(ctx, met) }})
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range h.due {
		todo = append(todo, chore{work{"take up", id}, func(ctx context.Context) error { return h.takeUp(ctx, id) }})
	}
	if h.due = nil; h.config.Overdue != nil {
		todo = append(todo, chore{work{"find overdue", ""}, h.findOverdue})
	}
	return todo
}

// furnished returns the rooms that have their table.
func (h *Hall) furnished() (rooms []*room) {
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

// tend looks at one table, and returns what is to be done there. It is called with the lock.
func (h *Hall) tend(r *room, now time.Time) (todo []chore) {
	h.host(r)
	r.people.expire(now)
	if r.lookout.failing || r.table.inDoubt() {
		h.refresh(r)
	}
	if here := r.people.here(); here != r.people.announced && h.config.Guests != nil {
		todo = append(todo, chore{work{"announce", r.id}, func(ctx context.Context) error { return h.announce(ctx, r, here) }})
	}
	for _, seat := range Seats {
		if since := now.Add(-h.config.Grace); r.people.missed(seat, since) && r.people.gone(r.table.State(), seat, since) {
			todo = append(todo, chore{work{"leave: " + seat.String(), r.id}, func(ctx context.Context) error { return h.leave(ctx, r, seat) }})
		}
	}
	return todo
}

// announce lets other servers know who is here.
func (h *Hall) announce(ctx context.Context, r *room, here Presence) error {
	if err := h.config.Guests.Here(ctx, r.id, here); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	r.people.announced = here
	return nil
}

// leave records that a player is gone, if they are nowhere else.
func (h *Hall) leave(ctx context.Context, r *room, seat Seat) error {
	if guests, err := h.elsewhere(ctx, r.id); err != nil || guests.Seats[seat] {
		return err
	}
	h.mu.Lock()
	gone := r.people.gone(r.table.State(), seat, time.Now().Add(-h.config.Grace)) // still, for it may have taken a while to ask
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

// meetAgain looks whether those who are at other servers are still there. A server that was killed does not say so.
func (h *Hall) meetAgain(ctx context.Context, ids []string) error {
	all, err := h.config.Guests.Elsewhere(ctx, ids...)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range ids {
		if r, there := h.rooms.byID[id]; there {
			r.people.meet(all[id], time.Now())
		}
	}
	return nil
}

// findOverdue finds tables whose clock has run out while no hall held them. The next round takes them up.
func (h *Hall) findOverdue(ctx context.Context) error {
	const (
		margin = 3 * time.Second // in which a server acts that holds the table
		most   = 500             // at once, for each of them is in the hall for a while
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

// takeUp takes up a table that may be overdue, so that its clock acts.
func (h *Hall) takeUp(ctx context.Context, id string) error {
	v, err := h.Visit(ctx, id)
	if errors.Is(err, ErrFull) {
		return nil
	}
	again := time.Now().Add(time.Minute) // if it cannot be taken up
	if err == nil {
		defer v.Close()
		// Time in which no server was up does not count, so there may be some left, of which the store does not know.
		again, _ = v.Table.State().Deadline()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.later[id] = again
	return err
}
