package match

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// A Store stores the events of tables.
type Store interface {
	// Append stores an event durably. After is the state after it, for derived data. Append returns
	// [ErrConflict] if the table already has an event with that number. After any error nothing is
	// stored, except that after [ErrInDoubt] it may be: a later call of Events shows it.
	Append(ctx context.Context, table string, e Event, after State) error
	// Events returns the events of a table with numbers above after, in order.
	Events(ctx context.Context, table string, after int) ([]Event, error)
	// Down returns how long since a time no event could be saved by any server. That time does not
	// count on a player's clock.
	Down(ctx context.Context, since time.Time) (time.Duration, error)
}

// ErrConflict means that another writer has stored an event with the same number.
var ErrConflict = errors.New("an event with that number already exists")

// ErrInDoubt means that an event may or may not be stored.
var ErrInDoubt = errors.New("it is unknown whether the event was saved")

// ErrNoTable means that the table does not exist.
var ErrNoTable = errors.New("there is no such table")

// Memory is a [Store] that loses its events at the end of the program. The zero Memory is ready to
// use.
type Memory struct {
	mu     sync.Mutex
	events map[string][]Event
}

// Append implements [Store].
func (m *Memory) Append(_ context.Context, table string, e Event, _ State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.Seq != len(m.events[table])+1 {
		return ErrConflict
	}
	if m.events == nil {
		m.events = map[string][]Event{}
	}
	m.events[table] = append(m.events[table], e)
	return nil
}

// Events implements [Store].
func (m *Memory) Events(_ context.Context, table string, after int) ([]Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	events := m.events[table]
	return slices.Clone(events[min(max(after, 0), len(events)):]), nil
}

// Down implements [Store].
func (m *Memory) Down(context.Context, time.Time) (time.Duration, error) { return 0, nil }
