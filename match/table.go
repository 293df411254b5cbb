// Package match is a table at which two players play a series of games: who sits where, whose turn it is, the clock,
// the score, and one log of numbered events from which all of that follows; and a hall of such tables.
//
// A [Table] belongs to whoever opened or resumed it and starts no goroutine but that of its clock, which acts as players do.
// Acts go one at a time by a token, which is held while the store is asked; the lock of a table guards its log for moments.
//
// A [Hall] owns the tables in it, a goroutine for each that the computer plays at, and one for each that catches up with
// other servers; Close waits for these. Run is the upkeep, with a few goroutines for what takes a while, and waits for them. One lock
// guards the rooms of a hall, with who is there; it is held for moments, never while a store, a host or other servers are asked, and
// taken before a table's.
package match

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"digitduel/digit"
)

// A Table is where two players play. All its methods may be called from any goroutine.
//
// Every act goes the same way: one after the other they are judged against the state, kept in the store, added to the log, and
// shown to the watchers; so nothing is ever seen that was not kept, and an act that fails changes nothing.
type Table struct {
	id      string
	store   Store
	follows bool // a [Referee] judges every act and keeps the clock

	acting chan struct{} // holds a token through an act, also while the store keeps it
	rng    *rand.Rand    // for moves that the clock plays; guarded by acting

	mu     sync.Mutex // guards what follows, and is held for moments only, so that looking never waits for the store
	log    logbook
	grown  chan struct{} // closed and replaced when the log grows or the clock is set
	clock  *time.Timer   // runs while a turn is timed
	picked pick
	doubt  bool // whether the store may have an event after the last one here, which it could not tell
	gone   bool // whether the store has the table no longer
	closed bool
}

// A pick is a digit that the player to move has picked, after the event of a number. It is not an event: nothing has been played.
type pick struct {
	seq   int
	digit digit.Digit
}

// tableOf returns a table without events.
func tableOf(id string, store Store, rng *rand.Rand) *Table {
	return &Table{id: id, store: store, acting: make(chan struct{}, 1), rng: rng, grown: make(chan struct{})}
}

// Open sets up a new table. The caller closes it.
func Open(ctx context.Context, id string, setup Setup, store Store, rng *rand.Rand) (*Table, error) {
	if err := setup.CheckEffect(); err != nil {
		return nil, err
	}
	t := tableOf(id, store, rng)
	if _, err := t.record(ctx, Event{Kind: Opened, Setup: &setup}); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Resume takes up a table where its stored events leave it. The caller closes it.
func Resume(ctx context.Context, id string, store Store, rng *rand.Rand) (*Table, error) {
	t := tableOf(id, store, rng)
	t.acting <- struct{}{} // so that the clock waits
	defer t.exit()
	if err := t.catchUp(ctx); errors.Is(err, errNothingNew) {
		return nil, fmt.Errorf("table %q: %w", id, ErrNoTable)
	} else if err != nil {
		return nil, err
	}
	_ = t.creditDowntime(ctx) // if it is not known how much, the clock asks again before it acts
	return t, nil
}

// Follow takes up a table that another program keeps. The caller closes it.
func Follow(ctx context.Context, id string, referee Referee) (*Table, error) {
	t := tableOf(id, refereed{referee}, nil)
	t.follows = true
	if err := t.catchUp(ctx); errors.Is(err, errNothingNew) {
		return nil, fmt.Errorf("table %q: %w", id, ErrNoTable)
	} else if err != nil {
		return nil, err
	}
	_ = t.creditDowntime(ctx) // if it is not known how much, the next look tells
	return t, nil
}

// Close stops the clock and ends every watch.
func (t *Table) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.closed = true
		t.startTimer()
		close(t.grown)
	}
}

// ID returns what the table is called in the store.
func (t *Table) ID() string { return t.id }

// State returns how the table stands.
func (t *Table) State() State {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.log.now
}

// levels returns where the computer plays. A State is large, and this is asked of every table again and again.
func (t *Table) levels() [2]string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.log.now.Levels
}

// What ends an act beside a refusal.
var (
	errClosed     = errors.New("the table is closed") // by this program
	errMoot       = errors.New("what the act is for has happened already")
	errNothingNew = errors.New("the store has no later event")
)

// isOver reports whether an act failed because the table is no longer there: here, or at all.
func isOver(err error) bool { return errors.Is(err, errClosed) || errors.Is(err, ErrNoTable) }

// enter waits until nobody else acts, for as long as ctx lasts: a store that does not answer may keep each of those who wait.
func (t *Table) enter(ctx context.Context) error {
	select {
	case t.acting <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.gone:
		t.exit()
		return ErrNoTable
	case t.closed:
		t.exit()
		return errClosed
	}
	return nil
}

// inDoubt reports whether it is not known what became of an event.
func (t *Table) inDoubt() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.doubt
}

// isGone reports whether the table was deleted in the store.
func (t *Table) isGone() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.gone
}

func (t *Table) exit() { <-t.acting }

// act is the one way in which a table changes.
func (t *Table) act(ctx context.Context, choose func(State) (Event, error)) (State, error) {
	if err := t.enter(ctx); err != nil {
		return t.State(), err
	}
	defer t.exit()
	for {
		s := t.State()
		next := s
		e, err := choose(s)
		if !held(ctx, s) {
			err = ErrRekeyed
		}
		if err == nil {
			e.Seq, e.At = s.Seq+1, time.Now()
			if next, err = s.Apply(e); err == nil {
				err = s.fits(e)
			}
		}
		if err == nil {
			err = t.store.Append(ctx, t.id, e, next)
			if t.follows {
				return t.learn(ctx, err)
			}
			if err == nil {
				t.grow(next, e)
				return next, nil
			}
			switch {
			case errors.Is(err, ErrInDoubt): // then the next act is a conflict, or the table catches up before that
				t.mu.Lock()
				t.doubt = true
				t.mu.Unlock()
				return s, fmt.Errorf("event %d: %w", e.Seq, err)
			case !errors.Is(err, ErrConflict):
				return s, fmt.Errorf("event %d was not kept: %w", e.Seq, err)
			}
		}
		if errors.Is(err, errMoot) {
			return s, err
		}
		// Another writer may have gone on, and whoever acts may have seen that: what is refused, or was not the first event of
		// its number, is judged anew after it.
		switch behind := t.catchUp(ctx); {
		case errors.Is(behind, errNothingNew):
			return s, err
		case behind != nil:
			return s, behind
		}
	}
}

// record is an act that is the same whatever the state.
func (t *Table) record(ctx context.Context, e Event) (State, error) {
	return t.act(ctx, func(State) (Event, error) { return e, nil })
}

// learn takes up what came of an act that was asked for. If that cannot be read now, it comes later. It is called while acting.
func (t *Table) learn(ctx context.Context, answer error) (State, error) {
	if err := t.catchUp(ctx); isOver(err) {
		return t.State(), err
	}
	return t.State(), answer
}

// Refresh takes up what another writer has added to the store. If that is nothing, the store may have been away.
func (t *Table) Refresh(ctx context.Context) error {
	if err := t.enter(ctx); err != nil {
		return err
	}
	defer t.exit()
	if err := t.catchUp(ctx); !errors.Is(err, errNothingNew) {
		return err
	}
	return t.creditDowntime(ctx)
}

// catchUp takes up later events of the store; it fails when there are none. When the store has not even the last one that
// is known, the table was deleted there, and is closed. It is called while acting.
func (t *Table) catchUp(ctx context.Context) error {
	next := t.State()
	events, err := t.store.Events(ctx, t.id, max(next.Seq-1, 0))
	if err != nil {
		return err
	}
	t.mu.Lock()
	t.doubt, t.gone = false, next.Seq > 0 && len(events) == 0
	t.mu.Unlock()
	if t.isGone() {
		t.Close()
		return fmt.Errorf("table %q was deleted: %w", t.id, ErrNoTable)
	}
	if next.Seq > 0 {
		events = events[1:]
	}
	if len(events) == 0 {
		return errNothingNew
	}
	for _, e := range events {
		if next, err = next.Apply(e); err != nil {
			return fmt.Errorf("table %q: event %d: %w", t.id, e.Seq, err)
		}
	}
	t.grow(next, events...)
	return nil
}

// grow adds to the log what is kept, after which the table stands as now says.
func (t *Table) grow(now State, events ...Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.log.append(now, events...)
	t.wake()
}

// wake wakes the watchers and winds the clock, since how the table stands has changed. It is called with the lock.
func (t *Table) wake() {
	if t.closed {
		return // the watchers are gone
	}
	close(t.grown)
	t.grown = make(chan struct{})
	t.startTimer()
}
