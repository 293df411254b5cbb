package store

import (
	"errors"
	"runtime"
	"slices"
	"sync"
)

// mostInGroup is the most events in one commit.
const mostInGroup = 256

var errClosed = errors.New("the store is closed")

// A queue holds the events that wait to be committed.
type queue struct {
	mu      sync.Mutex
	changed sync.Cond // when events are added or closed is set
	waiting []*entry
	closed  bool
}

func (q *queue) init() { q.changed.L = &q.mu }

// add appends an event.
func (q *queue) add(e *entry) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return errClosed
	}
	q.waiting = append(q.waiting, e)
	q.changed.Signal()
	return nil
}

// withdraw removes an event that has not been taken yet, and reports whether it did.
func (q *queue) withdraw(e *entry) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.waiting, e)
	if i < 0 {
		return false
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	return true
}

// take waits for events and appends a group of them to an empty slice. A group has at most one
// event of a table, so its order does not matter; others wait for the next group. The group is
// empty when the queue is closed and empty.
func (q *queue) take(group []*entry) []*entry {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && !q.closed {
		q.changed.Wait()
	}
	tables := make(map[string]bool, len(q.waiting))
	rest := q.waiting[:0]
	for _, e := range q.waiting {
		if tables[e.table] || len(group) == mostInGroup {
			rest = append(rest, e)
			continue
		}
		tables[e.table] = true
		group = append(group, e)
	}
	clear(q.waiting[len(rest):])
	q.waiting = rest
	return group
}

// close closes the queue and reports whether it was open.
func (q *queue) close() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	was := !q.closed
	q.closed = true
	q.changed.Signal()
	return was
}

// commit commits group after group until the queue is closed and empty.
func (d *DB) commit() {
	group := make([]*entry, 0, mostInGroup)
	for {
		group = d.queue.take(group[:0])
		if len(group) == 0 {
			return
		}
		err := d.engine.explain(d.engine.commit(group))
		if err == nil {
			d.commits.Add(1)
		}
		for _, e := range group {
			if err != nil {
				e.err = err
			}
			if e.err == nil {
				d.events.Add(1)
			}
			close(e.done)
		}
		clear(group)
		runtime.Gosched() // lets callers that have their answer add events to the next group
	}
}

// Writes returns how many events this DB has stored, and in how many commits.
func (d *DB) Writes() (events, commits int64) { return d.events.Load(), d.commits.Load() }
