package store

import (
	"errors"
	"runtime"
)

// mostInGroup is the most events in one commit.
const mostInGroup = 256

var errClosed = errors.New("the store is closed")

// take waits for events and returns a group of them. A group has at most one event of a table, so
// its order does not matter; the rest is for the next group, which begins with later. The group is
// empty when the store is closed.
func (d *DB) take(later []*entry) (group, rest []*entry) {
	tables := map[string]bool{}
	add := func(e *entry) {
		if tables[e.table] {
			rest = append(rest, e)
			return
		}
		tables[e.table] = true
		group = append(group, e)
	}
	for _, e := range later {
		add(e)
	}
	if len(group) == 0 {
		select {
		case e := <-d.queue:
			add(e)
		case <-d.open.Done():
			return nil, nil
		}
	}
	for len(group)+len(rest) < mostInGroup {
		select {
		case e := <-d.queue:
			add(e)
		default:
			return group, rest
		}
	}
	return group, rest
}

// commit commits group after group until the store is closed.
func (d *DB) commit() {
	for group, rest := d.take(nil); len(group) > 0; group, rest = d.take(rest) {
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
		runtime.Gosched() // lets callers that have their answer add events to the next group
	}
}

// Writes returns how many events this DB has stored, and in how many commits.
func (d *DB) Writes() (events, commits int64) { return d.events.Load(), d.commits.Load() }
