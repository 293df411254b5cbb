// Package kept lists the games that a browser keeps when they are played without a server.
package kept

import (
	"context"
	"fmt"
	"slices"

	"digitduel/match"
)

// An Archive lists the tables and games of a browser. All of them are the visitor's own, so that
// filters name tables: there is no lobby.
type Archive struct {
	// Row returns the row of a table, or none.
	Row func(table string) ([]match.Summary, error)
	// Events returns the events of a table after one of them.
	Events func(ctx context.Context, table string, after int) ([]match.Event, error)
}

// Row returns the row of a table after an event, given the row before it, which may be zero.
func Row(before match.Summary, table string, e match.Event, s match.State) match.Summary {
	if !e.Kind.ChangesRow() && !e.EndsGame(s) {
		return before
	}
	after := s.Summary(table, e.At)
	if before.ID != "" {
		after.Opened = before.Opened
	}
	return after
}

// Tables returns the tables with the IDs of a filter, the last changed first.
func (a Archive) Tables(ctx context.Context, f match.TableFilter) ([]match.Summary, error) {
	var found []match.Summary
	for _, id := range f.IDs {
		rows, err := a.Row(id)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if f.Stand {
				row.Now = new(match.State)
				err = a.replay(ctx, id, func(_ match.Event, s match.State) { *row.Now = s })
			}
			if err != nil {
				return nil, err
			}
			found = append(found, row)
		}
	}
	slices.SortStableFunc(found, func(x, y match.Summary) int {
		return y.Changed.Compare(x.Changed)
	})
	return found, nil
}

// Games returns the finished games at the table of a filter, the last one first.
func (a Archive) Games(ctx context.Context, f match.GameFilter) ([]match.Game, error) {
	var found []match.Game
	err := a.replay(ctx, f.Table, func(e match.Event, s match.State) {
		if e.EndsGame(s) {
			found = append(found, s.Finished(f.Table, e.At))
		}
	})
	slices.Reverse(found)
	return found[:min(f.Limit, len(found))], err
}

// replay calls do with each event of a table and the state after it.
func (a Archive) replay(ctx context.Context, table string,
	do func(match.Event, match.State)) error {
	events, err := a.Events(ctx, table, 0)
	var now match.State
	for _, e := range events {
		if now, err = now.Apply(e); err != nil {
			return fmt.Errorf("table %q: %w", table, err)
		}
		do(e, now)
	}
	return err
}

// Stats returns nothing: there are no games of others.
func (Archive) Stats(context.Context) ([]match.Stats, error) { return nil, nil }
