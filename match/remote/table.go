package remote

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"digitduel/match"
)

// A Table follows a table of a server. Its acts wait for the server.
type Table struct {
	*match.Table
	server *Server
	place  Place

	mu      sync.Mutex
	people  match.Presence
	doubt   bool          // the outcome of the last act is unknown
	lost    error         // why the server cannot be reached; nil: it can, or it is not known
	changed chan struct{} // closed and replaced when one of these changes

	end    context.CancelFunc
	listen sync.WaitGroup
}

// Join takes a place at a table. The caller closes it.
func (s *Server) Join(ctx context.Context, p Place) (*Table, error) {
	t := &Table{
		server: s, place: p, changed: make(chan struct{}),
		people: match.Presence{Seats: [2]bool{true, true}}, // until the server reports it
	}
	var err error
	if t.Table, err = match.Follow(ctx, p.Table, referee{t}); err != nil {
		return nil, remoteError{err}
	}
	ctx, t.end = context.WithCancel(context.WithoutCancel(ctx))
	t.listen.Go(func() { t.hear(ctx) })
	return t, nil
}

// Close leaves the table, which stays open on the server.
func (t *Table) Close() {
	t.end()
	t.Table.Close()
	t.listen.Wait()
}

// Seats returns the seats that the user plays.
func (t *Table) Seats() []match.Seat {
	if t.place.Token == "" {
		return nil
	}
	return []match.Seat{t.place.Seat}
}

// Presence returns who is at the table, and a channel that is closed when that or the result of
// Lost may have changed.
func (t *Table) Presence() (match.Presence, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.people, t.changed
}

// Lost returns why the server cannot be reached, or nil. It is final after [match.ErrRekeyed], when
// the seat has a new token, and after [match.ErrNoTable].
func (t *Table) Lost() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lost
}

// InDoubt reports whether the last act ended without an answer.
func (t *Table) InDoubt() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.doubt
}

// reached records whether the server could be reached.
func (t *Table) reached(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if (err == nil) == (t.lost == nil) {
		return
	}
	t.lost = err
	t.wake()
}

// giveUp records that the table cannot be used any more.
func (t *Table) giveUp(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lost = err
	t.wake()
}

// setPeople records who is at the table.
func (t *Table) setPeople(people match.Presence) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.people != people {
		t.people = people
		t.wake()
	}
}

// wake reports a change. It is called with the lock.
func (t *Table) wake() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// waitRetry waits before the next try, but not longer than until the server is reached again. It
// returns false if ctx is done.
func (t *Table) waitRetry(ctx context.Context, try int, err error) bool {
	pause := t.server.pause(try)
	if no, ok := errors.AsType[*refusal](err); ok {
		pause = max(pause, no.retry)
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		_, changed := t.Presence()
		select {
		case <-timer.C:
			return true
		case <-changed:
			if t.Lost() == nil {
				return true
			}
		case <-ctx.Done():
			return false
		}
	}
}

// A referee is a Table as a [match.Referee].
type referee struct{ *Table }

// Events implements [match.Referee].
func (r referee) Events(
	ctx context.Context, _ string, after int,
) (all []match.Event, err error) {
	for {
		part, err := r.log(ctx, after)
		if err != nil {
			return nil, err
		}
		now := time.Now()
		for _, e := range part.Events {
			made, err := eventOf(e, now, part.Now.Sub(e.At))
			if err != nil {
				return nil, err
			}
			all = append(all, made)
		}
		if len(part.Events) == 0 || all[len(all)-1].Seq >= part.Seq ||
			len(all) > 2*match.MostEvents {
			return all, nil
		}
		after = all[len(all)-1].Seq
	}
}

// Down implements [match.Referee]. The server credits time to the turn under way, whatever the
// argument.
func (r referee) Down(ctx context.Context, _ time.Time) (time.Duration, error) {
	part, err := r.log(ctx, math.MaxInt32)
	if err != nil {
		return 0, err
	}
	return time.ParseDuration(part.Stood)
}

// A part is a part of a log in the API.
type part struct {
	Now    time.Time      `json:"now"`
	Seq    int            `json:"seq"`
	Stood  string         `json:"stood"`
	Events []match.Logged `json:"events"`
}

// log reads the events of a log after one.
func (r referee) log(ctx context.Context, after int) (p part, err error) {
	path := fmt.Sprintf("/%s/log?after=%d", r.place.Table, after)
	err = r.server.call(ctx, path, "", "", nil, &p)
	r.noteCall(ctx, err)
	return p, err
}

// noteCall records whether a call reached the server.
func (t *Table) noteCall(ctx context.Context, err error) {
	switch {
	case err == nil || isFinal(err):
		t.reached(nil)
	case ctx.Err() == nil:
		t.reached(err)
	}
}
