package match

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// A Store keeps the events of tables.
type Store interface {
	// Append keeps an event for good before it returns nil. After is how the table stands after it, for what a store keeps
	// beside the events. If the table already has an event of that number it returns [ErrConflict]. After any error nothing is
	// kept, except that after [ErrInDoubt] it may be: what Events returns later tells.
	Append(ctx context.Context, table string, e Event, after State) error
	// Events returns the events of a table with numbers above after, in order.
	Events(ctx context.Context, table string, after int) ([]Event, error)
	// Down returns for how long since a moment no event could have been kept by anybody, which is not to cost a player time.
	Down(ctx context.Context, since time.Time) (time.Duration, error)
}

// ErrConflict says that somebody else has written the event of that number.
var ErrConflict = errors.New("another event of that number is kept")

// ErrInDoubt says that it is not known whether an event is kept.
var ErrInDoubt = errors.New("it is not known whether that was kept")

// ErrNoTable says that there is no table of that name.
var ErrNoTable = errors.New("there is no such table")

// Memory is a [Store] that lasts as long as the program. The zero Memory is ready to use.
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
