package match

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// A Store keeps the events of tables.
type Store interface {
	// Append keeps an event for good before it returns nil. If the table already has an event of that number it returns
	// [ErrConflict], and after any error nothing is kept.
	Append(ctx context.Context, table string, e Event) error
	// Events returns the events of a table with numbers above after, in order.
	Events(ctx context.Context, table string, after int) ([]Event, error)
}

// ErrConflict says that somebody else has written the event of that number.
var ErrConflict = errors.New("another event of that number is kept")

// Memory is a [Store] that lasts as long as the program. The zero Memory is ready to use.
type Memory struct {
	mu     sync.Mutex
	events map[string][]Event
}

// Append implements [Store].
func (m *Memory) Append(_ context.Context, table string, e Event) error {
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
