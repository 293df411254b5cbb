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
// Every act goes the same way: one after the other they are judged against the state, kept in the store, added to the log, and
// told to the watchers; so nothing is ever seen that was not kept, and an act that fails changes nothing.
type Table struct {
	id    string
	store Store

	acting chan struct{} // holds a token through an act, also while the store keeps it
	rng    *rand.Rand    // for moves that the clock plays; guarded by acting

	mu     sync.Mutex // guards what follows, and is held for moments only, so that looking never waits for the store
	log    []Event
	now    State         // after the last event; the states before it are large, and made when somebody asks
	base   State         // one of them: where the last game began or the table was resumed
	grown  chan struct{} // closed and replaced when the log grows
	clock  *time.Timer   // runs while a turn is timed
	closed bool
}

// A Step is an event and how the table stands after it.
type Step struct {
	Event Event
	After State
}

// tableOf returns a table without events.
func tableOf(id string, store Store, rng *rand.Rand) *Table {
	return &Table{id: id, store: store, acting: make(chan struct{}, 1), rng: rng, grown: make(chan struct{})}
}

// Open sets up a new table. The caller closes it.
func Open(ctx context.Context, id string, setup Setup, store Store, rng *rand.Rand) (*Table, error) {
	t := tableOf(id, store, rng)
	if _, err := t.act(ctx, func(State) (Event, error) { return Event{Kind: Opened, Setup: &setup}, nil }); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Resume takes up a table where its stored events leave it. For a turn under way the time does not count in which nobody
// served the table. The caller closes it.
func Resume(ctx context.Context, id string, store Store, rng *rand.Rand) (*Table, error) {
	t := tableOf(id, store, rng)
	if err := t.enter(ctx); err != nil {
		return nil, err
	}
	defer t.exit()
	if err := t.catchUp(ctx); errors.Is(err, errNothingNew) {
		return nil, fmt.Errorf("table %q: %w", id, ErrNoTable)
	} else if err != nil {
		return nil, err
	}
	s := t.State()
	if _, timed := s.Deadline(); !timed {
		return t, nil
	}
	down, err := store.Down(ctx, s.TurnBegan)
	if err != nil {
		t.Close()
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.TurnBegan = s.TurnBegan.Add(down)
	t.base = t.now
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

// ID returns what the table is called in the store.
func (t *Table) ID() string { return t.id }

// State returns how the table stands.
func (t *Table) State() State {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now
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
	s, err := t.act(ctx, func(s State) (Event, error) {
		if seen != 0 && seen != s.Seq {
			if t.played(seat, m, seen) {
				return Event{}, errPlayed
			}
			return Event{}, ErrStale
		}
		if at, timed := s.Deadline(); timed && s.Turn() == seat && !time.Now().Before(at) {
			return Event{}, ErrTimeout // the clock is about to say so
		}
		return Event{Kind: Moved, Seat: seat, Move: &m}, nil
	})
	if errors.Is(err, errPlayed) {
		steps, _ := t.Since(seen)
		return steps[0].After, nil
	}
	return s, err
}

var errPlayed = errors.New("the move was played already")

// played reports whether the event after the one of a number is a seat's own move.
func (t *Table) played(seat Seat, m digit.Move, seen int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if seen < 0 || seen >= len(t.log) {
		return false
	}
	e := t.log[seen]
	return e.Kind == Moved && e.Seat == seat && *e.Move == m && !e.Auto
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

// AgreeToUndo takes back what the other player asks for, and never asks for anything itself.
func (t *Table) AgreeToUndo(ctx context.Context, seat Seat) (State, error) {
	return t.act(ctx, func(s State) (Event, error) {
		if !s.Asking || s.Asker == seat {
			return Event{}, ErrNotAsked
		}
		return Event{Kind: Undone, Seat: s.Asker}, nil
	})
}

// RefuseUndo refuses what the other player asks for.
func (t *Table) RefuseUndo(ctx context.Context, seat Seat) (State, error) {
	return t.act(ctx, func(State) (Event, error) { return Event{Kind: UndoRefused, Seat: seat}, nil })
}

// Sit takes an open seat for a person, by a name or, if it is empty, by that of the setup.
func (t *Table) Sit(ctx context.Context, seat Seat, name string) (State, error) {
	return t.tell(ctx, Event{Kind: Seated, Seat: seat, Name: name})
}

// Leave says that the player on a seat is gone.
func (t *Table) Leave(ctx context.Context, seat Seat) (State, error) {
	return t.tell(ctx, Event{Kind: Left, Seat: seat})
}

// Return says that the player on a seat, who had left, is back.
func (t *Table) Return(ctx context.Context, seat Seat) (State, error) {
	return t.tell(ctx, Event{Kind: Back, Seat: seat})
}

// Claim takes the win for a seat because the other player has left.
func (t *Table) Claim(ctx context.Context, seat Seat) (State, error) {
	return t.tell(ctx, Event{Kind: Claimed, Seat: seat})
}

// Replace lets the computer play on, at a level, for the other player of a seat, who has left.
func (t *Table) Replace(ctx context.Context, seat Seat, level string) (State, error) {
	return t.tell(ctx, Event{Kind: Replaced, Seat: seat.Other(), Level: level})
}

// Rematch says that a seat wants another series, and begins it when everybody does.
func (t *Table) Rematch(ctx context.Context, seat Seat) (State, error) {
	s, err := t.tell(ctx, Event{Kind: RematchAsked, Seat: seat})
	if errors.Is(err, ErrAsked) && s.rematch() {
		err = nil // everybody had asked, and it could not be begun then
	}
	if err != nil || !s.rematch() {
		return s, err
	}
	begun, err := t.Begin(ctx)
	if errors.Is(err, ErrUnderWay) { // somebody else began it
		err = nil
	}
	return begun, err
}

// RefuseRematch refuses the other series that the other player wants.
func (t *Table) RefuseRematch(ctx context.Context, seat Seat) (State, error) {
	return t.tell(ctx, Event{Kind: RematchRefused, Seat: seat})
}

// AgreeToHints says whether a seat agrees to hints.
func (t *Table) AgreeToHints(ctx context.Context, seat Seat, agrees bool) (State, error) {
	kind := HintsEnded
	if agrees {
		kind = HintsAgreed
	}
	return t.tell(ctx, Event{Kind: kind, Seat: seat})
}

// errClosed is for acts at a table that this program has closed.
var errClosed = errors.New("the table is closed")

// tell is an act that is the same whatever the state.
func (t *Table) tell(ctx context.Context, e Event) (State, error) {
	return t.act(ctx, func(State) (Event, error) { return e, nil })
}

// enter waits until nobody else acts, for as long as ctx lasts: a store that does not answer may keep each of those who wait.
func (t *Table) enter(ctx context.Context) error {
	select {
	case t.acting <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *Table) exit() { <-t.acting }

// act is the one way in which a table changes.
func (t *Table) act(ctx context.Context, choose func(State) (Event, error)) (State, error) {
	if err := t.enter(ctx); err != nil {
		return t.State(), err
	}
	defer t.exit()
	return t.actLocked(ctx, choose)
}

func (t *Table) actLocked(ctx context.Context, choose func(State) (Event, error)) (State, error) {
	for {
		t.mu.Lock()
		s, closed := t.now, t.closed
		t.mu.Unlock()
		if closed {
			return s, errClosed
		}
		e, err := choose(s)
		next := s
		if err == nil {
			e.Seq, e.At = s.Seq+1, time.Now()
			next, err = s.Apply(e)
		}
		if errors.Is(err, errPlayed) || errors.Is(err, errInTime) {
			return s, err
		}
		if err != nil {
			// Another writer may have gone on, and whoever acts may have seen that: what is refused is judged anew after it.
			behind := t.catchUp(ctx)
			switch {
			case errors.Is(behind, errNothingNew):
				return s, err
			case behind != nil:
				return s, behind
			}
			continue
		}
		err = t.store.Append(ctx, t.id, e, next)
		if err == nil {
			t.grow(next, e)
			return next, nil
		}
		if !errors.Is(err, ErrConflict) {
			return s, fmt.Errorf("event %d was not kept: %w", e.Seq, err)
		}
		// Another writer was first: the act is judged anew after what that one did.
		if err := t.catchUp(ctx); err != nil {
			return s, err
		}
	}
}

// grow adds to the log, after which the table stands as now says, and tells the watchers.
func (t *Table) grow(now State, events ...Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.log, t.now = append(t.log, events...), now
	if t.log[now.Seq-1].Kind == Began {
		t.base = now
	}
	if t.closed {
		return // the watchers are gone
	}
	close(t.grown)
	t.grown = make(chan struct{})
	t.wind()
}

// Refresh takes up what another writer has added to the store.
func (t *Table) Refresh(ctx context.Context) error {
	if err := t.enter(ctx); err != nil {
		return err
	}
	defer t.exit()
	t.mu.Lock()
	closed := t.closed
	t.mu.Unlock()
	if closed {
		return errClosed
	}
	if err := t.catchUp(ctx); !errors.Is(err, errNothingNew) {
		return err
	}
	return nil
}

var errNothingNew = errors.New("the store has no later event")

// catchUp takes up later events of the store; it fails when there are none. It is called while acting.
func (t *Table) catchUp(ctx context.Context) error {
	next := t.State()
	events, err := t.store.Events(ctx, t.id, next.Seq)
	if err != nil {
		return err
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

// wind sets the clock for the turn under way.
func (t *Table) wind() {
	if t.clock != nil {
		t.clock.Stop()
		t.clock = nil
	}
	at, timed := t.now.Deadline()
	if !timed || t.closed {
		return
	}
	turn := t.now.TurnBegan
	t.clock = time.AfterFunc(time.Until(at), func() { t.timeout(turn) })
}

// timeout is the clock's act when the turn that began at a moment is still under way.
func (t *Table) timeout(turn time.Time) {
	_, err := t.act(context.Background(), func(s State) (Event, error) {
		if at, timed := s.Deadline(); !timed || !s.TurnBegan.Equal(turn) || time.Now().Before(at) {
			return Event{}, errInTime
		}
		if s.Setup.OnTimeout == Lose {
			return Event{Kind: Flagged, Seat: s.Turn()}, nil
		}
		m, _ := s.Setup.Rules.Pick(s.Position, t.rng.IntN) // a game under way has a move
		return Event{Kind: Moved, Seat: s.Turn(), Move: &m, Auto: true}, nil
	})
	if err == nil || errors.Is(err, errInTime) || errors.Is(err, errClosed) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed { // it could not be kept: the turn stays open until it can
		t.clock = time.AfterFunc(time.Second, func() { t.timeout(turn) })
	}
}

var errInTime = errors.New("the turn is over already")

// Since returns the steps with numbers above after, and a channel that is closed when there may be more; it is nil when the
// table is closed and there will be none. The steps are not to be changed.
func (t *Table) Since(after int) (steps []Step, more <-chan struct{}) {
	t.mu.Lock()
	log, base, now := t.log, t.base, t.now
	if !t.closed {
		more = t.grown
	}
	t.mu.Unlock()
	switch missing := len(log) - max(after, 0); {
	case missing <= 0:
		return nil, more
	case missing == 1: // as nearly always: it is the last one
		return []Step{{log[len(log)-1], now}}, more
	default:
		return replay(log, base, len(log)-missing), more
	}
}

// replay returns the steps of a log with numbers above after. Base is one of its states, which may say of a turn that it
// began later than the event does.
func replay(log []Event, base State, after int) []Step {
	steps := make([]Step, 0, len(log)-after)
	var s State
	if after >= base.Seq {
		s = base
	}
	for _, e := range log[s.Seq:] {
		if s, _ = s.Apply(e); s.Seq == base.Seq { // it could follow before
			s = base
		}
		if e.Seq > after {
			steps = append(steps, Step{e, s})
		}
	}
	return steps
}

// Watch yields the events with numbers above after and how the table stood after each, those that are past and then those to
// come, until ctx is done or the table is closed.
func (t *Table) Watch(ctx context.Context, after int) iter.Seq2[Event, State] {
	return func(yield func(Event, State) bool) {
		for after := max(after, 0); ; {
			steps, more := t.Since(after)
			for _, s := range steps {
				if ctx.Err() != nil || !yield(s.Event, s.After) {
					return
				}
			}
			after += len(steps)
			if more == nil {
				return
			}
			select {
			case <-more:
			case <-ctx.Done():
				return
			}
		}
	}
}
