package local

import (
	"cmp"
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"digitduel/match"
)

// A Store is the [match.Store] of one table that is played here. From the first move on it saves
// events in the table's file before anyone sees them. While saving fails, play continues, and each
// event tries again to save all that are missing. While the game is paused, and while the table is
// left, its clock stands still.
type Store struct {
	match.Memory
	id   string
	open func(id string) (Log, error)

	clock  sync.Mutex // guards the following fields
	paused time.Time  // when the pause began; zero: the clock runs
	past   []span     // the pauses that are over

	saving sync.Mutex // guards the following fields
	log    Log
	begun  bool // there is a move to save
	saved  int  // events
	err    error
	closed bool
}

type span struct{ from, to time.Time }

// NewStore returns the store of a table. Open opens the table's file, as [Folder.Open] does.
func NewStore(id string, open func(id string) (Log, error)) *Store {
	return &Store{id: id, open: open}
}

// ID returns the name of the table.
func (s *Store) ID() string { return s.id }

// Load reads the events of a table that was left. The events that it could read are there even
// after an error.
func (s *Store) Load(ctx context.Context, now time.Time) error {
	log, err := s.open(s.id)
	for _, e := range log.Events {
		if err := s.Memory.Append(ctx, s.id, e, match.State{}); err != nil {
			return err
		}
	}
	s.log, s.begun, s.saved, s.err = log, true, len(log.Events), err
	s.past = []span{{log.Left, now}}
	return err
}

// Resume loads a table that was left, and resumes it if it passes the check. After an error, the
// table's file is released.
func (s *Store) Resume(
	ctx context.Context, now time.Time, rng *rand.Rand, check func(match.State) error,
) (*match.Table, error) {
	failed := s.Load(ctx, now)
	t, err := match.Resume(ctx, s.id, s, rng)
	if err == nil {
		if err = check(t.State()); err == nil {
			return t, nil
		}
		t.Close()
	}
	s.Close(now)
	return nil, cmp.Or(failed, err) // a failed load explains why events are missing
}

// Append implements [match.Store].
func (s *Store) Append(ctx context.Context, table string, e match.Event, after match.State) error {
	if err := s.Memory.Append(ctx, table, e, after); err != nil {
		return err
	}
	s.saving.Lock()
	defer s.saving.Unlock()
	s.begun = s.begun || e.Kind == match.Moved
	if s.begun && !s.closed {
		s.err = s.save(ctx)
	}
	return nil
}

// save saves all events that are not saved yet.
func (s *Store) save(ctx context.Context) error {
	if s.log.Append == nil {
		log, err := s.open(s.id)
		if err != nil {
			return err
		}
		s.log = log
	}
	events, err := s.Events(ctx, s.id, s.saved)
	if err == nil {
		err = s.log.Append(events...)
	}
	if err == nil {
		s.saved += len(events)
	}
	return err
}

// Err returns why the last event was not saved, and forgets it.
func (s *Store) Err() error {
	s.saving.Lock()
	defer s.saving.Unlock()
	err := s.err
	s.err = nil
	return err
}

// Close releases the table's file, and reports whether it holds events. Turn is when the current
// turn began: the time of its pauses counts as time after the table was left.
func (s *Store) Close(turn time.Time) bool {
	stood, _ := s.Down(context.Background(), turn) // it never fails
	s.saving.Lock()
	defer s.saving.Unlock()
	if !s.closed && s.log.Close != nil {
		_ = s.log.Close(time.Now().Add(-stood)) // the events are saved
	}
	s.closed = true
	return s.saved > 0
}

// Down implements [match.Store]: it returns the time of all pauses since a moment.
func (s *Store) Down(_ context.Context, since time.Time) (time.Duration, error) {
	s.clock.Lock()
	defer s.clock.Unlock()
	var down time.Duration
	for _, p := range append(s.past, s.current()) {
		if p.from.Before(since) {
			p.from = since
		}
		down += max(0, p.to.Sub(p.from))
	}
	return down, nil
}

// current returns the pause that has not ended.
func (s *Store) current() span {
	if s.paused.IsZero() {
		return span{}
	}
	return span{s.paused, time.Now()}
}

// Pause starts or ends a pause, and reports whether one has ended.
func (s *Store) Pause(on bool) (ended bool) {
	s.clock.Lock()
	defer s.clock.Unlock()
	switch {
	case on && s.paused.IsZero():
		s.paused = time.Now()
	case !on && !s.paused.IsZero():
		s.past = append(s.past, s.current())
		s.paused = time.Time{}
		return true
	}
	return false
}

// Paused returns the length of the current pause; ok is false if the clock runs.
func (s *Store) Paused() (d time.Duration, ok bool) {
	s.clock.Lock()
	defer s.clock.Unlock()
	p := s.current()
	return p.to.Sub(p.from), !s.paused.IsZero()
}
