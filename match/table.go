// Package match implements a table at which two players play a series of games, and a hall of such
// tables. The seats, the turn, the clock and the score of a table all follow from one log of
// numbered events.
//
// A [Table] belongs to the caller that opened or resumed it. It starts no goroutine except for its
// clock, which acts as players do. A token, held while the store is asked, allows one act at a
// time; the table's lock guards its log and is held briefly.
//
// A [Hall] owns its tables, a goroutine for each table at which the computer plays, and one for
// each table that is being refreshed; Close waits for these. Run does the upkeep with a few
// goroutines and waits for them. One lock guards the rooms of a hall. It is held briefly, never
// during a call to a store, a host or another server, and is taken before a table's lock.
package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"digitduel/digit"
)

// A Table is where two players play. Its methods may be called from any goroutine.
//
// Acts are handled one at a time: each is checked against the state, saved in the store, added to
// the log, and shown to the watchers. So no event is visible before it is saved, and an act that
// fails changes nothing.
type Table struct {
	id    string
	store Store
	// here reports whether the player on a seat is at the table; nil: both always are.
	here func(Seat) bool

	acting chan struct{} // holds a token during an act, including the call to the store
	rng    *rand.Rand    // for moves that the clock plays; guarded by acting

	mu      sync.Mutex // guards the fields below; never held while the store is asked
	log     logbook
	changed chan struct{} // closed and replaced when the log or the clock changes
	clock   *time.Timer   // runs while a turn is timed
	picked  pick
	follows bool // a [Referee] decides every act and runs the clock; never changed
	doubt   bool // whether the store may have a later event; see [ErrInDoubt]
	gone    bool // whether the table was deleted in the store
	closed  bool
}

// A pick is a digit that the player to move has picked, after event number seq. It is not an event,
// since nothing has been played.
type pick struct {
	seq   int
	digit digit.Digit
}

// emptyTable returns a table without events.
func emptyTable(id string, store Store, rng *rand.Rand) *Table {
	return &Table{
		id: id, store: store, acting: make(chan struct{}, 1), rng: rng,
		changed: make(chan struct{}),
	}
}

// Open sets up a new table. The caller closes it.
func Open(
	ctx context.Context, id string, setup Setup, store Store, rng *rand.Rand,
) (*Table, error) {
	t := emptyTable(id, store, rng)
	return t.unless(t.open(ctx, setup))
}

// Resume loads a table from its stored events. The caller closes it.
func Resume(ctx context.Context, id string, store Store, rng *rand.Rand) (*Table, error) {
	t := emptyTable(id, store, rng)
	return t.unless(t.resume(ctx))
}

// Follow loads a table that another program keeps. The caller closes it.
func Follow(ctx context.Context, id string, referee Referee) (*Table, error) {
	t := emptyTable(id, refereed{referee}, nil)
	t.follows = true
	return t.unless(t.resume(ctx))
}

// unless returns the table, unless it could not be loaded.
func (t *Table) unless(err error) (*Table, error) {
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// open saves the setup of a new table.
func (t *Table) open(ctx context.Context, setup Setup) error {
	if err := setup.CheckEffect(); err != nil {
		return err
	}
	_, err := t.record(ctx, Event{Kind: Opened, Setup: &setup})
	return err
}

// resume reads the events of an existing table.
func (t *Table) resume(ctx context.Context) error {
	t.acting <- struct{}{} // so that the clock waits
	defer t.exit()
	if err := t.catchUp(ctx); errors.Is(err, errNothingNew) {
		return fmt.Errorf("table %q: %w", t.id, ErrNoTable)
	} else if err != nil {
		return err
	}
	_ = t.creditDowntime(ctx) // after an error the clock, or the next refresh, asks again
	return nil
}

// Close stops the clock and ends every watch.
func (t *Table) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.closed = true
		t.startTimer()
		close(t.changed)
	}
}

// ID returns the table's name in the store.
func (t *Table) ID() string { return t.id }

// State returns the current state.
func (t *Table) State() State {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.log.now
}

// levels returns the levels of the computer by seat. A State is large, and the hall asks often.
func (t *Table) levels() [2]string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.log.now.Levels
}

// awaits reports whether the clock waits for the player on a seat.
func (t *Table) awaits(seat Seat) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.log.now.Waits && t.log.now.Turn() == seat
}

// Reasons for the end of an act, besides a refusal.
var (
	errClosed     = errors.New("the table is closed") // by this program
	errMoot       = errors.New("the act has already been done")
	errNothingNew = errors.New("the store has no later event")
)

// isOver reports whether an act failed because the table is closed or deleted.
func isOver(err error) bool { return errors.Is(err, errClosed) || errors.Is(err, ErrNoTable) }

// enter waits until no other act is under way, or ctx is done.
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

// inDoubt reports whether the outcome of an event is unknown.
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

// act makes the event that choose returns, or none if that is errMoot. Every change of a table goes
// through it.
func (t *Table) act(ctx context.Context, choose func(State) (Event, error)) (State, error) {
	if err := t.enter(ctx); err != nil {
		return t.State(), err
	}
	defer t.exit()
	for {
		s := t.State()
		next := s
		e, err := choose(s)
		if !holdsSeat(ctx, s) {
			err = ErrRekeyed
		}
		if err == nil {
			e.Seq, e.At = s.Seq+1, time.Now()
			if next, err = s.Apply(e); err == nil && t.waitsFor(e, next) {
				e.Waits = true
				next, err = s.Apply(e)
			}
			err = cmp.Or(err, s.fits(e))
		}
		if err == nil {
			err = t.store.Append(ctx, t.id, e, next)
			if t.follows {
				return t.learn(ctx, err)
			}
			if err == nil {
				t.appendEvents(next, e)
				return next, nil
			}
			switch {
			case errors.Is(err, ErrInDoubt): // the next act or refresh finds out
				t.mu.Lock()
				t.doubt = true
				t.mu.Unlock()
				return s, fmt.Errorf("event %d: %w", e.Seq, err)
			case !errors.Is(err, ErrConflict):
				return s, fmt.Errorf("save event %d: %w", e.Seq, err)
			}
		}
		if errors.Is(err, errMoot) {
			return s, nil
		}
		// Another writer may have added events that the actor has already seen. So an act that was
		// refused, or came second, is tried again after them.
		switch behind := t.catchUp(ctx); {
		case errors.Is(behind, errNothingNew):
			return s, err
		case behind != nil:
			return s, behind
		}
	}
}

// waitsFor reports whether the clock of a game that begins with e waits for the player to move. A
// program need not open the table before it moves, and a class does not wait.
func (t *Table) waitsFor(e Event, after State) bool {
	turn := after.Turn()
	return e.Kind == Began && t.here != nil && after.Setup.TurnTime > 0 &&
		after.Setup.Class == "" && after.Levels[turn] == "" && !after.Setup.IsAgent(turn) &&
		!t.here(turn)
}

// record makes an event that does not depend on the state.
func (t *Table) record(ctx context.Context, e Event) (State, error) {
	return t.act(ctx, func(State) (Event, error) { return e, nil })
}

// learn reads the events that a [Referee] made for an act. If that fails, a later refresh reads
// them. It is called while acting.
func (t *Table) learn(ctx context.Context, answer error) (State, error) {
	if err := t.catchUp(ctx); isOver(err) {
		return t.State(), err
	}
	return t.State(), answer
}

// Refresh reads the events that another writer has added to the store. If there are none, the store
// may have been down, and it credits that time to the clock.
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

// catchUp reads later events from the store; without any it returns errNothingNew. If the store no
// longer has the last known event, the table was deleted there, and is closed. It is called while
// acting.
func (t *Table) catchUp(ctx context.Context) error {
	next := t.State()
	events, err := t.store.Events(ctx, t.id, max(next.Seq-1, 0))
	if err != nil {
		return err
	}
	gone := next.Seq > 0 && len(events) == 0
	t.mu.Lock()
	t.doubt, t.gone = false, gone
	t.mu.Unlock()
	if gone {
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
	t.appendEvents(next, events...)
	return nil
}

// appendEvents adds saved events to the log. Now is the state after them.
func (t *Table) appendEvents(now State, events ...Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.log.append(now, events...)
	t.wake()
}

// wake wakes the watchers and sets the clock after a change of the state. It is called with the
// lock.
func (t *Table) wake() {
	if t.closed {
		return // the watchers are gone
	}
	close(t.changed)
	t.changed = make(chan struct{})
	t.startTimer()
}
