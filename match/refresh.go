package match

import (
	"context"
	"errors"
	"time"
)

// A Notice reports that a table now has event number Seq. Seq 0 means that the players or watchers
// there have changed, and an empty Table that any table may have changed. With Away no table has
// changed, but for a while no event could be saved.
type Notice struct {
	Table string
	Seq   int
	Away  bool
}

// A refresher decides when a room is refreshed from the store: one refresh at a time, and another
// one if a notice arrived in the meantime. The zero refresher is in its first refresh: loading the
// table.
type refresher struct {
	state   refreshState
	failing bool // whether the last refresh failed
}

// A refreshState is the progress of a refresh.
type refreshState uint8

const (
	underWay refreshState = iota
	outdated              // under way, and a notice has arrived since it began
	done                  // with no notice since
)

// noticed records a notice and reports whether to start a refresh: none is under way.
func (r *refresher) noticed() (begins bool) {
	if r.state != done {
		r.state = outdated
		return false
	}
	r.state = underWay
	return true
}

// ended records the end of a refresh. It reports whether another one begins, and whether this is
// the first failure after a success.
func (r *refresher) ended(err error) (begins, news bool) {
	begins, news = r.state == outdated, err != nil && !r.failing
	r.state, r.failing = done, err != nil
	return begins && r.noticed(), news
}

// Notice handles a report that another server may have changed a table.
func (h *Hall) Notice(n Notice) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n.Table == "" {
		for _, r := range h.rooms.byID {
			if !n.Away || r.timed() {
				h.refresh(r)
			}
		}
		return
	}
	r, there := h.rooms.byID[n.Table]
	if there && (n.Seq == 0 || r.table == nil || n.Seq > r.table.State().Seq) {
		h.refresh(r)
	}
}

// refresh starts a refresh of a room after a notice. It is called with the lock.
func (h *Hall) refresh(r *room) {
	if !h.closed() && r.refresher.noticed() {
		h.refreshRoom(r)
	}
}

// refreshRoom refreshes a room until no notice has arrived during a refresh.
func (h *Hall) refreshRoom(r *room) {
	h.tasks.Go(func() {
		for again, news := true, false; again; {
			ctx, cancel := context.WithTimeout(h.ctx, 5*time.Second)
			err := r.table.Refresh(ctx)
			guests, guestsErr := h.onOthers(ctx, r.id)
			cancel()
			err = errors.Join(err, guestsErr)
			h.mu.Lock()
			if guestsErr == nil {
				r.people.setOthers(guests, time.Now())
			}
			h.host(r)
			again, news = r.refresher.ended(err)
			h.mu.Unlock()
			if news && !h.closed() && !isOver(err) {
				h.config.Log.Error("refresh table", "table", r.id, "error", err)
			}
		}
	})
}

// onOthers returns who is at a table on other servers.
func (h *Hall) onOthers(ctx context.Context, id string) (Presence, error) {
	if h.config.Guests == nil {
		return Presence{}, nil
	}
	all, err := h.config.Guests.OtherServers(ctx, id)
	return all[id], err
}
