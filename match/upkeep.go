package match

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A chore is a part of keeping a hall in order that takes a while, for the store or other servers are asked.
type chore func(context.Context) error

// Run keeps the hall in order until ctx is done: it puts away what nobody visits, records who has left, looks who is still
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
			h.config.Log.Error("keeping the hall in order", "error", failed)
		}
	}
}

// round looks at every table, and returns what is to be done.
func (h *Hall) round(now time.Time) (todo []chore) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var met []string // tables with guests elsewhere
	for id, r := range h.rooms {
		if r.table == nil {
			continue
		}
		if r.table.isGone() && r.people.announced != (Presence{}) {
			todo = append(todo, func(ctx context.Context) error { return h.announce(ctx, r, Presence{}) })
		}
		if r.table.isGone() || now.Sub(r.alone) >= h.config.Linger && r.idle() {
			h.rooms.putAway(r)
			continue
		}
		todo = append(todo, h.tend(r, now)...)
		if r.people.elsewhere != (Presence{}) {
			met = append(met, id)
		}
	}
	if len(met) > 0 {
		todo = append(todo, func(ctx context.Context) error { return h.meetAgain(ctx, met) })
	}
	if h.config.Overdue != nil {
		todo = append(todo, h.takeUpOverdue)
	}
	return todo
}

// tend looks at one table, and returns what is to be done there. It is called with the lock.
func (h *Hall) tend(r *room, now time.Time) (todo []chore) {
	h.host(r)
	r.people.wake(now)
	if r.lookout.failing || r.table.inDoubt() {
		h.refresh(r)
	}
	if here := r.people.here(); here != r.people.announced && h.config.Guests != nil {
		todo = append(todo, func(ctx context.Context) error { return h.announce(ctx, r, here) })
	}
	s := r.table.State()
	for _, seat := range Seats {
		if r.people.gone(s, seat, now.Add(-h.config.Grace)) {
			todo = append(todo, func(ctx context.Context) error { return h.leave(ctx, r, seat) })
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
		if r, there := h.rooms[id]; there {
			r.people.meet(all[id], time.Now())
		}
	}
	return nil
}

// takeUpOverdue takes up tables whose clock has run out while no hall held them, so that the clock acts.
func (h *Hall) takeUpOverdue(ctx context.Context) error {
	const margin = 3 * time.Second // in which a server acts that holds the table
	ids, err := h.config.Overdue(ctx, time.Now().Add(-margin))
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
