package match

import (
	"context"
	"time"
)

// A Referee keeps a table for those who play there from elsewhere: it judges every act, plays for the computer and keeps the clock. A
// table that follows one asks for acts and learns what came of them; see [Follow].
type Referee interface {
	// Ask asks for the act that is to make an event, after the one of the number before it. It returns nil when that was done, whatever
	// events it took, and else why not. After [ErrInDoubt] it is not known.
	Ask(ctx context.Context, table string, e Event) error
	// Events returns the events of a table with numbers above after, in order.
	Events(ctx context.Context, table string, after int) ([]Event, error)
	// Down returns for how long since a moment no event could have been kept.
	Down(ctx context.Context, since time.Time) (time.Duration, error)
}

// refereed is a [Store] whose events come to be elsewhere.
type refereed struct{ Referee }

func (r refereed) Append(ctx context.Context, table string, e Event, _ State) error {
	return r.Ask(ctx, table, e)
}
