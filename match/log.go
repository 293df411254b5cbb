package match

import (
	"context"
	"iter"
	"slices"
	"time"

	"digitduel/digit"
)

// An Event is one line of a table's log. Together the events are the table: everything else follows from them.
type Event struct {
	Seq   int         `json:"seq"` // counted from 1 without gaps
	At    time.Time   `json:"at"`
	Kind  Kind        `json:"kind"`
	Seat  Seat        `json:"seat,omitempty"`  // whom it is about; nobody for Opened and Began
	Auto  bool        `json:"auto,omitempty"`  // of Moved: played by the clock, not the player
	Fault Fault       `json:"fault,omitempty"` // of Faulted
	Move  *digit.Move `json:"move,omitempty"`  // of Moved
	Setup *Setup      `json:"setup,omitempty"`
	Name  string      `json:"name,omitempty"`  // of Seated: what the player is called; empty: as the setup says
	Level string      `json:"level,omitempty"` // of Replaced
	Seal  string      `json:"seal,omitempty"`  // of Seated and Rekeyed: see [Seal]
}

// A Step is an event and how the table stands after it.
type Step struct {
	Event Event
	After State
}

// mostSteps is how many steps a reader gets at once. A state is ten times as large as an event, and many may read a long log together.
const mostSteps = 128

// A logbook is the events of a table. The states after them are large, so it has a few, and makes the others when somebody asks.
type logbook struct {
	events []Event
	now    State   // after the last event
	base   *State  // where the last game began or a turn was given time back; nil: none has
	marks  []State // one every mostSteps events, so that a late reader need not go through all that was before
}

func (l *logbook) append(now State, events ...Event) {
	for s, rest := l.now, events; len(rest) > 0; rest = rest[1:] {
		if len(rest) == 1 {
			s = now
		} else {
			s, _ = s.Apply(rest[0]) // it could follow before
		}
		if s.Seq%mostSteps == 0 {
			l.marks = append(l.marks, s)
		}
	}
	l.events, l.now = append(l.events, events...), now
	if l.events[now.Seq-1].Kind == Began {
		l.base = &now
	}
}

// since returns the first of the steps with numbers above after.
func (l *logbook) since(after int) []Step {
	switch after = max(after, 0); {
	case after >= l.now.Seq:
		return nil
	case after == l.now.Seq-1: // as nearly always
		return []Step{{l.events[after], l.now}}
	}
	s, end := l.from(after), min(after+mostSteps, l.now.Seq)
	steps := make([]Step, 0, end-after)
	for _, e := range l.events[s.Seq:end] {
		if s, _ = s.Apply(e); l.base != nil && s.Seq == l.base.Seq { // it could follow before
			s = *l.base
		}
		if e.Seq > after {
			steps = append(steps, Step{e, s})
		}
	}
	return steps
}

// from returns the last state that is at hand up to the event of a number.
func (l *logbook) from(seq int) (s State) {
	if i := min(seq/mostSteps, len(l.marks)); i > 0 {
		s = l.marks[i-1]
	}
	if l.base != nil && l.base.Seq <= seq && l.base.Seq >= s.Seq {
		s = *l.base
	}
	return s
}

// last returns the last event up to that of a number whose kind is listed or, without a list, matters
// to a move.
func (l *logbook) last(seq int, kinds []Kind) (Event, bool) {
	for _, e := range slices.Backward(l.events[:min(max(seq, 0), len(l.events))]) {
		if slices.Contains(kinds, e.Kind) || len(kinds) == 0 && e.Kind.Matters() {
			return e, true
		}
	}
	return Event{}, false
}

// atOnce is closed: whoever waits for it need not.
var atOnce = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Since returns the steps with numbers above after, up to a hundred or so of them, and a channel that is closed when there may be
// more; it is nil when the table is closed and there will be none. The steps are not to be changed.
func (t *Table) Since(after int) (steps []Step, more <-chan struct{}) {
	t.mu.Lock()
	log := t.log
	if !t.closed {
		more = t.grown
	}
	t.mu.Unlock()
	if steps = log.since(after); len(steps) > 0 && steps[len(steps)-1].Event.Seq < log.now.Seq {
		more = atOnce
	}
	return steps, more
}

// Past yields the steps with numbers above after that there are by now.
func (t *Table) Past(after int) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		for steps, _ := t.Since(after); len(steps) > 0; steps, _ = t.Since(after) {
			for _, s := range steps {
				if !yield(s) {
					return
				}
			}
			after = steps[len(steps)-1].Event.Seq
		}
	}
}

// Last returns the last event up to that of a number whose kind is listed or, without a list, matters to
// a move; ok is false if there is none.
func (t *Table) Last(seq int, kinds ...Kind) (e Event, ok bool) {
	t.mu.Lock()
	log := t.log
	t.mu.Unlock()
	return log.last(seq, kinds)
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
