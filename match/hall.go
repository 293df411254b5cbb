package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// A Hall holds the tables that have visitors. All others are in the store alone: a table is loaded
// at the first visit and unloaded some time after the last one, so an unvisited table costs no
// memory.
type Hall struct {
	store  Store
	config HallConfig

	mu    sync.Mutex
	rooms registry
	due   []string             // tables to load, whose clock seems to have run out
	later map[string]time.Time // tables whose clock still runs, and when to look again
	tasks sync.WaitGroup       // hosts and refreshes under way
	ctx   context.Context      // of the tasks; done when the hall is closed
	end   context.CancelFunc
}

// A HallConfig configures a Hall. The zero HallConfig is for a hall without the computer.
type HallConfig struct {
	// Host plays for the computer at a table until ctx is done or the table is closed.
	Host func(ctx context.Context, t *Table) error
	// Overdue returns the stored tables whose turn ran out before a time. It may be nil.
	Overdue func(ctx context.Context, before time.Time) ([]string, error)
	// Guests shares with other servers who is at a table. Nil means that there are none.
	Guests Guests
	Log    *slog.Logger  // nil: none
	Linger time.Duration // how long a table stays after its last visitor; 0: ten seconds
	Grace  time.Duration // how long a player may be gone before they have left; 0: a minute
	Most   int           // the most tables; 0: any number
}

// NewHall returns a hall over a store. The caller must call Run and Close.
func NewHall(store Store, c HallConfig) *Hall {
	c.Linger = cmp.Or(c.Linger, 10*time.Second)
	c.Grace = cmp.Or(c.Grace, time.Minute)
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	ctx, end := context.WithCancel(context.Background())
	return &Hall{
		store: store, config: c,
		rooms: registry{byID: map[string]*room{}, open: map[string]*room{}},
		later: map[string]time.Time{}, ctx: ctx, end: end,
	}
}

// Close closes every table and waits until the computer has stopped playing.
func (h *Hall) Close() {
	h.mu.Lock()
	h.end()
	for _, r := range h.rooms.byID {
		if r.table != nil {
			r.table.Close()
		}
	}
	h.mu.Unlock()
	h.tasks.Wait()
}

// closed reports whether Close was called. With the lock held the answer cannot change.
func (h *Hall) closed() bool { return h.ctx.Err() != nil }

// Len returns the number of tables in the hall.
func (h *Hall) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.rooms.byID)
}

// Waiting returns the tables at which a player waits for an opponent, on this or another server.
func (h *Hall) Waiting(ctx context.Context) ([]string, error) {
	h.mu.Lock()
	ids := h.rooms.waiting()
	h.mu.Unlock()
	if h.config.Guests == nil {
		return ids, nil
	}
	waiting, err := h.config.Guests.Waiting(ctx)
	ids = append(ids, waiting...)
	slices.Sort(ids)
	return slices.Compact(ids), err
}

// Open sets up a new table and visits it.
func (h *Hall) Open(ctx context.Context, id string, setup Setup) (*Visit, error) {
	opened := false
	v, err := h.visit(ctx, id, func(t *Table) error {
		opened = true
		return t.open(ctx, setup)
	})
	if err == nil && !opened {
		v.Close()
		return nil, fmt.Errorf("table %q already exists", id)
	}
	return v, err
}

// Visit visits a table. It returns [ErrNoTable] if the store does not have it.
func (h *Hall) Visit(ctx context.Context, id string) (*Visit, error) {
	return h.visit(ctx, id, func(t *Table) error { return t.resume(ctx) })
}

// visit visits a table and calls load if it is not in the hall.
func (h *Hall) visit(ctx context.Context, id string, load func(*Table) error) (*Visit, error) {
	for {
		r, fresh, err := h.enter(id)
		if err != nil {
			return nil, err
		}
		v := &Visit{hall: h, room: r}
		if fresh {
			h.loadRoom(r, load)
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
		gaveUp := errors.Is(r.err, context.Canceled) || errors.Is(r.err, context.DeadlineExceeded)
		if fresh || !gaveUp {
			return nil, r.err
		} // otherwise the visitor who was loading it gave up
	}
}

func (h *Hall) enter(id string) (r *room, fresh bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r, there := h.rooms.byID[id]
	full := !there && h.config.Most > 0 && len(h.rooms.byID) >= h.config.Most
	switch {
	case h.closed():
		return nil, false, errClosed
	case there && r.table != nil && r.table.isGone():
		return nil, false, fmt.Errorf("table %q was deleted: %w", id, ErrNoTable)
	case full && !h.rooms.makeRoom(h.idle):
		return nil, false, ErrFull
	}
	r, fresh = h.rooms.enter(id)
	return r, fresh, nil
}

func (h *Hall) idle(r *room) bool { return r.idle(time.Now(), h.config.Overdue != nil) }

// loadRoom loads the table of a new room. If the store panics, this visitor panics, and no other
// visitor waits for the table.
func (h *Hall) loadRoom(r *room, load func(*Table) error) {
	t := emptyTable(r.id, h.store, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
	t.here = func(seat Seat) bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return r.people.connected(seat)
	}
	err := fmt.Errorf("load table %q: the store panicked", r.id)
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		now := time.Now()
		r.err, r.people.seen = err, [...]time.Time{now, now}
		if err == nil {
			r.table = t
		}
		switch {
		case err != nil:
			t.Close()
			h.rooms.remove(r)
		case h.closed():
			t.Close()
		default:
			if t.State().Phase() == Waiting {
				h.rooms.open[r.id] = r
			}
			h.host(r)
			if h.config.Guests != nil {
				r.refresher.noticed() // there may be players on other servers
			}
			if begins, _ := r.refresher.ended(nil); begins {
				h.refreshRoom(r)
			}
		}
		close(r.ready)
	}()
	err = load(t)
}

// host starts the computer where it plays. It is called with the lock.
func (h *Hall) host(r *room) {
	if h.config.Host == nil || r.dismiss != nil || h.closed() || r.table.levels() == [2]string{} {
		return
	}
	ctx, cancel := context.WithCancel(h.ctx)
	r.dismiss = cancel
	h.tasks.Go(func() {
		defer cancel()
		err := h.config.Host(ctx, r.table)
		if err != nil && ctx.Err() == nil && !isOver(err) {
			h.config.Log.Error("the computer stopped playing", "table", r.id, "error", err)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		r.dismiss = nil // the next round starts it again if necessary
	})
}
