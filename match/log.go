package match

import (
	"context"
	"iter"
	"slices"
	"time"

	"digitduel/digit"
)

// An Event is one entry of a table's log. The whole state of a table follows from its events.
type Event struct {
	Seq   int         `json:"seq"` // counted from 1 without gaps
	At    time.Time   `json:"at"`
	Kind  Kind        `json:"kind"`
	Seat  Seat        `json:"seat,omitempty"`  // of all kinds but Opened and Began
	Auto  bool        `json:"auto,omitempty"`  // of Moved: played by the clock, not the player
	Waits bool        `json:"waits,omitempty"` // of Began: see [State.Waits]
	Fault Fault       `json:"fault,omitempty"` // of Faulted
	Move  *digit.Move `json:"move,omitempty"`  // of Moved
	Setup *Setup      `json:"setup,omitempty"`
	Name  string      `json:"name,omitempty"`  // of Seated; empty: the name in the setup
	Level string      `json:"level,omitempty"` // of Replaced
	Seal  string      `json:"seal,omitempty"`  // of Seated and Rekeyed: see [Seal]
}

// EndsGame reports whether a game ended with the event, given the state after it.
func (e Event) EndsGame(after State) bool { return e.Kind.InGame() && after.Result.Over() }

// A Step is an event and the state after it.
type Step struct {
	Event Event
	After State
}

// mostSteps is how many steps a reader gets at once. A state is ten times as large as an event, and
// many may read a long log together.
const mostSteps = 128

// A logbook holds the events of a table. States are large, so it holds only a few of them and
// computes the others on demand.
type logbook struct {
	events []Event
	now    State   // after the last event
	base   *State  // after the last Began, or when time was credited; nil: neither yet
	marks  []State // one every mostSteps events, so that late readers replay few events
}

func (l *logbook) append(now State, events ...Event) {
	for s, rest := l.now, events; len(rest) > 0; rest = rest[1:] {
		if len(rest) == 1 {
			s = now
		} else {
			s, _ = s.Apply(rest[0]) // the caller has applied it
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

// since returns the next steps with numbers above after, at most mostSteps of them.
func (l *logbook) since(after int) []Step {
	switch after = max(after, 0); {
	case after >= l.now.Seq:
		return nil
	case after == l.now.Seq-1: // the most common case
		return []Step{{l.events[after], l.now}}
	}
	s, end := l.from(after), min(after+mostSteps, l.now.Seq)
	steps := make([]Step, 0, end-after)
	for _, e := range l.events[s.Seq:end] {
		if s, _ = s.Apply(e); l.base != nil && s.Seq == l.base.Seq { // it was applied before
			s = *l.base
		}
		if e.Seq > after {
			steps = append(steps, Step{e, s})
		}
	}
	return steps
}

// from returns the latest saved state up to event number seq.
func (l *logbook) from(seq int) (s State) {
	if i := min(seq/mostSteps, len(l.marks)); i > 0 {
		s = l.marks[i-1]
	}
	if l.base != nil && l.base.Seq <= seq && l.base.Seq >= s.Seq {
		s = *l.base
	}
	return s
}

// fits reports whether a move chosen after event number seen still fits: no later event matters to
// it.
func (l *logbook) fits(seen int) bool {
	matters := func(e Event) bool { return e.Kind.Matters() }
	return seen <= l.now.Seq && !slices.ContainsFunc(l.events[max(seen, 0):], matters)
}

// closedChan is a closed channel, on which no reader waits.
var closedChan = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Since returns the next steps with numbers above after, about a hundred at most, and a channel
// that is closed when there may be more. The channel is nil when the table is closed and there will
// be no more. The caller must not change the steps.
func (t *Table) Since(after int) (steps []Step, more <-chan struct{}) {
	t.mu.Lock()
	log := t.log
	if !t.closed {
		more = t.changed
	}
	t.mu.Unlock()
	if steps = log.since(after); len(steps) > 0 && steps[len(steps)-1].Event.Seq < log.now.Seq {
		more = closedChan
	}
	return steps, more
}

// Past yields the existing steps with numbers above after.
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

// Games returns the state at the end of each finished game, in order.
func (t *Table) Games() (ends []State) {
	for step := range t.Past(0) {
		if s := step.After; s.Result.Over() && s.Game > len(ends) {
			ends = append(ends, s)
		}
	}
	return ends
}

// Last returns the last event up to number seq whose kind is listed or, without a list, matters to
// a move; ok is false if there is none.
func (t *Table) Last(seq int, kinds ...Kind) (e Event, ok bool) {
	t.mu.Lock()
	events := t.log.events
	t.mu.Unlock()
	for _, e := range slices.Backward(events[:min(max(seq, 0), len(events))]) {
		if slices.Contains(kinds, e.Kind) || len(kinds) == 0 && e.Kind.Matters() {
			return e, true
		}
	}
	return Event{}, false
}

// Watch yields the events with numbers above after, each with the state after it: first those in
// the log, then new ones, until ctx is done or the table is closed.
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
