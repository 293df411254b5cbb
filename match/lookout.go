package match

import (
	"context"
	"errors"
	"time"
)

// A Notice says that a table has an event of a number now. Seq 0 says that who is there has changed, and an empty
// Table that any of this may have happened at any table; or, with Away, only that no event could be kept for a while, which is over.
type Notice struct {
	Table string
	Seq   int
	Away  bool
}

// A lookout is how a room keeps up with other servers: it looks at what they did one time after the other, and once more if
// something was heard during a look. The zero lookout is at its first look: taking up the table.
type lookout struct {
	look    look
	failing bool // whether the last look failed
}

// A look is how far a lookout is.
type look uint8

const (
	underWay look = iota
	outdated      // under way, and something was heard since it began
	done          // and nothing was heard since
)

// heard takes note that there may be something to see, and reports whether a look begins: there is none under way.
func (l *lookout) heard() (begins bool) {
	if l.look != done {
		l.look = outdated
		return false
	}
	l.look = underWay
	return true
}

// looked takes note of how a look ended, and reports whether another one begins, and whether it is news that it failed.
func (l *lookout) looked(err error) (begins, news bool) {
	begins, news = l.look == outdated, err != nil && !l.failing
	l.look, l.failing = done, err != nil
	return begins && l.heard(), news
}

// Notice is called when another server may have changed a table.
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

// refresh has a room looked at after something was heard of it. It is called with the lock.
func (h *Hall) refresh(r *room) {
	if !h.closed() && r.lookout.heard() {
		h.lookAt(r)
	}
}

// lookAt takes up what has changed elsewhere, until nothing was heard during a look.
func (h *Hall) lookAt(r *room) {
	h.work.Go(func() {
		for again, news := true, false; again; {
			ctx, cancel := context.WithTimeout(h.ctx, 5*time.Second)
			err := r.table.Refresh(ctx)
			guests, guestsErr := h.elsewhere(ctx, r.id)
			cancel()
			err = errors.Join(err, guestsErr)
			h.mu.Lock()
			if guestsErr == nil {
				r.people.meet(guests, time.Now())
			}
			h.host(r)
			again, news = r.lookout.looked(err)
			h.mu.Unlock()
			if news && !h.closed() && !isOver(err) {
				h.config.Log.Error("a table could not be refreshed", "table", r.id, "error", err)
			}
		}
	})
}

// elsewhere returns who is at a table at other servers.
func (h *Hall) elsewhere(ctx context.Context, id string) (Presence, error) {
	if h.config.Guests == nil {
		return Presence{}, nil
	}
	all, err := h.config.Guests.Elsewhere(ctx, id)
	return all[id], err
}
