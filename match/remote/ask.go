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
func (r referee) Ask(ctx context.Context, _ string, e match.Event) error {
	err := r.ask(ctx, e)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.doubt = errors.Is(err, match.ErrInDoubt)
	return err
}

func (r referee) ask(ctx context.Context, e match.Event) error {
	if r.place.Token == "" {
		return errWatches
	}
	if _, ok := match.ActOf(e.Kind); e.Kind != match.Moved && !ok {
		return fmt.Errorf("event %q: only the server makes it", e.Kind)
	}
	seen := e.Seq - 1
	var last error
	for try := 0; ; try++ {
		if try > 0 && !r.waitRetry(ctx, try-1, last) {
			return fmt.Errorf("%w: %w", match.ErrInDoubt, last)
		}
		if e.Kind != match.Moved && try > 0 { // only moves can be repeated safely
			done, err := r.wasDone(ctx, e)
			if done || isFinal(err) || errors.Is(err, match.ErrStale) {
				return err
			}
			if last = err; err != nil {
				continue
			}
		}
		last = r.post(ctx, e, seen)
		switch {
		case last == nil:
			return nil
		case e.Kind == match.Moved && errors.Is(last, match.ErrStale):
			now, err := r.lastHarmless(ctx, seen)
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
func (r referee) post(ctx context.Context, e match.Event, seen int) error {
	act, _ := match.ActOf(e.Kind)
	path, body := "/acts", map[string]any{"act": act}
	if e.Level != "" {
		body["level"] = e.Level
	}
	if e.Kind == match.Moved {
		path, body = "/moves", map[string]any{"move": e.Move.String(), "seq": seen}
	}
	path = "/" + r.place.Table + path
	err := r.server.call(ctx, path, r.place.Token, "", body, new(struct{}))
	r.noteCall(ctx, err)
	return err
}

// wasDone reports whether an act whose answer was lost has been done. If it was not and another
// game has begun since, it returns [match.ErrStale].
func (r referee) wasDone(ctx context.Context, e match.Event) (bool, error) {
	events, err := r.Events(ctx, r.place.Table, e.Seq-1)
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
func (r referee) lastHarmless(ctx context.Context, seen int) (int, error) {
	events, err := r.Events(ctx, r.place.Table, seen)
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
