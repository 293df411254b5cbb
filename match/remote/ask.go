package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"digitduel/match"
)

// errWatches says that there is no seat from which to act.
var errWatches = errors.New("you watch this table; only its two players can do that")

// Ask implements [match.Referee]. It asks until there is an answer: a server that is away comes back, and a move in doubt is found out.
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
		return fmt.Errorf("event %q: the server sees to that", e.Kind)
	}
	seen := e.Seq - 1
	var last error
	for try := 0; ; try++ {
		if try > 0 && !t.rest(ctx, try-1, last) {
			return fmt.Errorf("%w: %w", match.ErrInDoubt, last)
		}
		if e.Kind != match.Moved && try > 0 { // the server knows a move again, but not other acts
			done, err := t.happened(ctx, table, e)
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
			now, err := t.untouched(ctx, table, seen)
			if isFinal(err) || err == nil && now == seen {
				return last
			}
			if seen, last = now, err; err == nil {
				try = -1 // nothing was in doubt
			}
		case isFinal(last):
			return last
		}
	}
}

// post asks once.
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
	err := t.server.call(ctx, "POST", "/"+table+path, t.place.Token, body, &standing)
	t.heardOf(ctx, err)
	return err
}

// happened reports whether an act whose answer was lost has been done. If it was not, and another game has begun since, what it was for is
// past.
func (t *Table) happened(ctx context.Context, table string, e match.Event) (bool, error) {
	events, err := (*referee)(t).Events(ctx, table, e.Seq-1)
	if err != nil {
		return false, err
	}
	begun := false
	for _, later := range events {
		begins := later.Kind == match.Began
		if later.Kind == e.Kind && (later.Seat == e.Seat || begins) || begins && slices.Contains([]match.Kind{match.Ready, match.RematchAsked}, e.Kind) {
			return true, nil
		}
		begun = begun || begins
	}
	if begun {
		return false, match.ErrStale
	}
	return false, nil
}

// untouched returns the number of the last event if none since one that was seen matters to a move; otherwise the one that was seen.
func (t *Table) untouched(ctx context.Context, table string, seen int) (int, error) {
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
