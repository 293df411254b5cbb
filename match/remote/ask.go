package remote

import (
	"context"
	"errors"
	"fmt"

	"digitduel/match"
)

// errWatches means that the user has no seat.
var errWatches = errors.New("you watch this table; only its two players can do that")

// Ask implements [match.Referee]. It retries until the server answers, and finds out whether a move
// in doubt was played.
func (r *referee) Ask(ctx context.Context, table string, e match.Event) error {
	t := (*Table)(r)
	err := t.ask(ctx, table, e)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.doubt = errors.Is(err, match.ErrInDoubt)
	return err
}

func (t *Table) ask(ctx context.Context, table string, e match.Event) error {
	if t.place.Token == "" {
		return errWatches
	}
	if _, ok := match.ActOf(e.Kind); e.Kind != match.Moved && !ok {
		return fmt.Errorf("event %q: only the server makes it", e.Kind)
	}
	seen := e.Seq - 1
	var last error
	for try := 0; ; try++ {
		if try > 0 && !t.waitRetry(ctx, try-1, last) {
			return fmt.Errorf("%w: %w", match.ErrInDoubt, last)
		}
		if e.Kind != match.Moved && try > 0 { // only moves can be repeated safely
			done, err := t.wasDone(ctx, table, e)
			if done || isFinal(err) || errors.Is(err, match.ErrStale) {
				return err
			}
			if last = err; err != nil {
				continue
			}
		}
		last = t.post(ctx, table, e, seen)
		switch {
		case last == nil:
			return nil
		case e.Kind == match.Moved && errors.Is(last, match.ErrStale):
			now, err := t.lastHarmless(ctx, table, seen)
			if isFinal(err) || err == nil && now == seen {
				return last
			}
			if seen, last = now, err; err == nil {
				try = -1 // the outcome is not in doubt
			}
		case isFinal(last):
			return last
		}
	}
}

// post sends the request once.
func (t *Table) post(ctx context.Context, table string, e match.Event, seen int) error {
	act, _ := match.ActOf(e.Kind)
	path, body := "/acts", map[string]any{"act": act}
	if e.Level != "" {
		body["level"] = e.Level
	}
	if e.Kind == match.Moved {
		path, body = "/moves", map[string]any{"move": e.Move.String(), "seq": seen}
	}
	var standing struct {
		Seq int `json:"seq"`
	}
	err := t.server.call(ctx, "POST", "/"+table+path, t.place.Token, "", body, &standing)
	t.noteCall(ctx, err)
	return err
}

// wasDone reports whether an act whose answer was lost has been done. If it was not and another
// game has begun since, it returns [match.ErrStale].
func (t *Table) wasDone(ctx context.Context, table string, e match.Event) (bool, error) {
	events, err := (*referee)(t).Events(ctx, table, e.Seq-1)
	if err != nil {
		return false, err
	}
	begun := false
	for _, later := range events {
		begins := later.Kind == match.Began
		same := later.Kind == e.Kind && (later.Seat == e.Seat || begins)
		if same || begins && (e.Kind == match.Ready || e.Kind == match.RematchAsked) {
			return true, nil
		}
		begun = begun || begins
	}
	if begun {
		return false, match.ErrStale
	}
	return false, nil
}

// lastHarmless returns the number of the last event if no event after seen matters to a move, and
// otherwise seen.
func (t *Table) lastHarmless(ctx context.Context, table string, seen int) (int, error) {
	events, err := (*referee)(t).Events(ctx, table, seen)
	if err != nil {
		return seen, err
	}
	now := seen
	for _, e := range events {
		if e.Kind.Matters() {
			return seen, nil
		}
		now = e.Seq
	}
	return now, nil
}
