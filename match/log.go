package match

import (
	"context"
	"iter"
)

// A Step is an event and how the table stands after it.
type Step struct {
	Event Event
	After State
}

// A logbook is the events of a table. The states after them are large, so it has two, and makes the others when somebody asks.
type logbook struct {
	events []Event
	now    State // after the last event
	base   State // where the last game began or the table was resumed; then it may say of a turn that it began later
}

func (l *logbook) append(now State, events ...Event) {
	l.events, l.now = append(l.events, events...), now
	if l.events[now.Seq-1].Kind == Began {
		l.base = now
	}
}

// since returns the steps with numbers above after.
func (l *logbook) since(after int) []Step {
	var s State
	switch after = max(after, 0); {
	case after >= l.now.Seq:
		return nil
	case after == l.now.Seq-1: // as nearly always
		return []Step{{l.events[after], l.now}}
	case after >= l.base.Seq:
		s = l.base
	}
	steps := make([]Step, 0, l.now.Seq-after)
	for _, e := range l.events[s.Seq:] {
		if s, _ = s.Apply(e); s.Seq == l.base.Seq { // it could follow before
			s = l.base
		}
		if e.Seq > after {
			steps = append(steps, Step{e, s})
		}
	}
	return steps
}

// Since returns the steps with numbers above after, and a channel that is closed when there may be more; it is nil when the
// table is closed and there will be none. The steps are not to be changed.
func (t *Table) Since(after int) (steps []Step, more <-chan struct{}) {
	t.mu.Lock()
	log := t.log
	if !t.closed {
		more = t.grown
	}
	t.mu.Unlock()
	return log.since(after), more
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
