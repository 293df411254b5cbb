package match

import (
	"context"
	"time"
)

// A Referee keeps a table for players in other programs: it decides every act, plays for the
// computer and runs the clock. A table that follows a Referee asks for acts and then reads the
// resulting events: see [Follow].
type Referee interface {
	// Ask asks for the act that makes an event, if the log still ends just before e. It returns nil
	// if the act was done, whatever events it made. After [ErrInDoubt] the outcome is unknown.
	Ask(ctx context.Context, table string, e Event) error
	// Events returns the events of a table with numbers above after, in order.
	Events(ctx context.Context, table string, after int) ([]Event, error)
	// Down returns how long since a time no event could be saved.
	Down(ctx context.Context, since time.Time) (time.Duration, error)
}

// refereed adapts a Referee to a [Store].
type refereed struct{ Referee }

func (r refereed) Append(ctx context.Context, table string, e Event, _ State) error {
	return r.Ask(ctx, table, e)
}
