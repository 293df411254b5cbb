package match

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync"
	"time"

	"digitduel/digit"
)

// A Table is where two players play. All its methods may be called from any goroutine.
//
// Every act goes the same way: under the lock it is judged against the state, kept in the store, added to the log, and
// told to the watchers; so nothing is ever seen that was not kept, and an act that fails changes nothing.
type Table struct {
	id    string
	store Store
	rng   *rand.Rand // for moves that the clock plays

	mu     sync.Mutex
	state  State
	log    []Event
	grown  chan struct{} // closed and replaced when the log grows
	clock  *time.Timer   // runs while a turn is timed
	closed bool
}

// Open sets up a new table. The caller closes it.
func Open(ctx context.Context, id string, setup Setup, store Store, rng *rand.Rand) (*Table, error) {
	t := &Table{id: id, store: store, rng: rng, grown: make(chan struct{})}
	if _, err := t.act(ctx, func(State) (Event, error) { return Event{Kind: Opened, Setup: &setup}, nil }); err != nil {
		return nil, err
	}
	return t, nil
}

// Resume takes up a table where its stored events leave it. A turn under way gets its time anew. The caller closes it.
func Resume(ctx context.Context, id string, store Store, rng *rand.Rand) (*Table, error) {
	events, err := store.Events(ctx, id, 0)
	if err != nil {
		return nil, err
	}
	if len(events) == 0 {
		return nil, fmt.Errorf("table %q: there is no such table", id)
	}
	t := &Table{id: id, store: store, rng: rng, grown: make(chan struct{}), log: events}
	for _, e := range events {
		if t.state, err = t.state.Apply(e); err != nil {
			return nil, fmt.Errorf("table %q: event %d: %w", id, e.Seq, err)
		}
	}
	t.state.TurnBegan = time.Now()
	t.wind()
	return t, nil
}

// Close stops the clock and ends every watch.
func (t *Table) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.closed = true
		t.wind()
		close(t.grown)
	}
}

// State returns how the table stands.
func (t *Table) State() State {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.state
}

// Begin starts the first or next game of the series.
func (t *Table) Begin(ctx context.Context) (State, error) {
	return t.act(ctx, func(State) (Event, error) { return Event{Kind: Began}, nil })
}

// Play plays a move for a seat. A move the rules refuse is answered with a [*digit.MoveError].
//
// Seen is the number of the last event the player has seen, or 0 to play whatever has happened since. A move that was made
// for another state is answered with [ErrStale]; but one that was played already, just after that event, is answered as it was
// then, so that a player who did not get the answer can ask again.
func (t *Table) Play(ctx context.Context, seat Seat, m digit.Move, seen int) (State, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if 0 < seen && seen < len(t.log) {
		if e := t.log[seen]; e.Kind == Moved && e.Seat == seat && *e.Move == m && !e.Auto {
			return stateAfter(t.log[:seen+1]), nil
		}
	}
	return t.actLocked(ctx, func(s State) (Event, error) {
		if seen != 0 && seen != s.Seq {
			return Event{}, ErrStale
		}
		if at, timed := s.Deadline(); timed && s.Turn() == seat && !time.Now().Before(at) {
			return Event{}, ErrTimeout // the clock is about to say so
		}
		return Event{Kind: Moved, Seat: seat, Move: &m}, nil
	})
}

// Resign gives up the game for a seat.
func (t *Table) Resign(ctx context.Context, seat Seat) (State, error) {
	return t.act(ctx, func(State) (Event, error) { return Event{Kind: Resigned, Seat: seat}, nil })
}

// Undo takes back the last move of a seat and what followed it, if the setup lets it or the other player asks for the
// same of theirs; otherwise it asks the other player.
func (t *Table) Undo(ctx context.Context, seat Seat) (State, error) {
	return t.act(ctx, func(s State) (Event, error) {
		switch {
		case s.Asking && s.Asker != seat:
			return Event{Kind: Undone, Seat: s.Asker}, nil
		case s.Setup.FreeUndo:
			return Event{Kind: Undone, Seat: seat}, nil
		default:
			return Event{Kind: UndoAsked, Seat: seat}, nil
		}
	})
}

// RefuseUndo refuses what the other player asks for.
func (t *Table) RefuseUndo(ctx context.Context, seat Seat) (State, error) {
	return t.act(ctx, func(State) (Event, error) { return Event{Kind: UndoRefused, Seat: seat}, nil })
}

// errClosed is for acts at a table that this program has closed.
var errClosed = errors.New("the table is closed")

// act is the one way in which a table changes.
func (t *Table) act(ctx context.Context, choose func(State) (Event, error)) (State, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.actLocked(ctx, choose)
}

func (t *Table) actLocked(ctx context.Context, choose func(State) (Event, error)) (State, error) {
	for {
		if t.closed {
			return t.state, errClosed
		}
		e, err := choose(t.state)
		if err != nil {
			return t.state, err
		}
		e.Seq, e.At = t.state.Seq+1, time.Now()
		next, err := t.state.Apply(e)
		if err != nil {
			return t.state, err
		}
		err = t.store.Append(ctx, t.id, e)
		if err == nil {
			t.grow(next, e)
			return t.state, nil
		}
		if !errors.Is(err, ErrConflict) {
			return t.state, fmt.Errorf("event %d was not kept: %w", e.Seq, err)
		}
		// Another writer was first: the act is judged anew after what that one did.
		if err := t.catchUp(ctx); err != nil {
			return t.state, err
		}
	}
}

// grow adds events that lead to a state to the log, and tells the watchers.
func (t *Table) grow(next State, events ...Event) {
	t.state = next
	t.log = append(t.log, events...)
	close(t.grown)
	t.grown = make(chan struct{})
	t.wind()
}

// Refresh takes up what another writer has added to the store.
func (t *Table) Refresh(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return errClosed
	}
	err := t.catchUp(ctx)
	if errors.Is(err, errNothingNew) {
		return nil
	}
	return err
}

var errNothingNew = errors.New("the store has no later event")

// catchUp takes up later events of the store; it fails when there are none.
func (t *Table) catchUp(ctx context.Context) error {
	events, err := t.store.Events(ctx, t.id, t.state.Seq)
	if err != nil {
		return err
	}
	if len(events) == 0 {
		return errNothingNew
	}
	next := t.state
	for _, e := range events {
		if next, err = next.Apply(e); err != nil {
			return fmt.Errorf("table %q: event %d: %w", t.id, e.Seq, err)
		}
	}
	t.grow(next, events...)
	return nil
}

// stateAfter returns the state after the events of a log.
func stateAfter(log []Event) State {
	var s State
	for _, e := range log {
		s, _ = s.Apply(e) // it was applied before
	}
	return s
}

// wind sets the clock for the turn under way.
func (t *Table) wind() {
	if t.clock != nil {
		t.clock.Stop()
		t.clock = nil
	}
	at, timed := t.state.Deadline()
	if !timed || t.closed {
		return
	}
	turn := t.state.TurnBegan
	t.clock = time.AfterFunc(time.Until(at), func() { t.timeout(turn) })
}

// timeout is the clock's act when the turn that began at a moment is still under way.
func (t *Table) timeout(turn time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at, timed := t.state.Deadline(); t.closed || !timed || !t.state.TurnBegan.Equal(turn) || time.Now().Before(at) {
		return
	}
	_, err := t.actLocked(context.Background(), func(s State) (Event, error) {
		if s.Setup.OnTimeout == Lose {
			return Event{Kind: Flagged, Seat: s.Turn()}, nil
		}
		m, _ := s.Setup.Rules.Pick(s.Position, t.rng.IntN) // a game under way has a move
		return Event{Kind: Moved, Seat: s.Turn(), Move: &m, Auto: true}, nil
	})
	if err != nil { // it could not be kept: the turn stays open until it can
		t.clock = time.AfterFunc(time.Second, func() { t.timeout(turn) })
	}
}

// Watch yields the events with numbers above after, those that are past and then those to come, until ctx is done or
// the table is closed.
func (t *Table) Watch(ctx context.Context, after int) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		for {
			t.mu.Lock()
			events, grown, closed := t.log[min(max(after, 0), len(t.log)):], t.grown, t.closed
			t.mu.Unlock()
			for _, e := range events {
				if ctx.Err() != nil || !yield(e) {
					return
				}
				after = e.Seq
			}
			if closed {
				return
			}
			select {
			case <-grown:
			case <-ctx.Done():
				return
			}
		}
	}
}
