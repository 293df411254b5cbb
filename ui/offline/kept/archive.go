// Package kept holds what a browser keeps of games that are played without a server, apart from
// their events.
package kept

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"digitduel/digit"
	"digitduel/match"
)

// A Row is what a browser keeps of a table in addition to its events: the table as a list shows it,
// and its finished games.
type Row struct {
	match.Summary
	Games []match.Game
}

// An Archive lists the tables and games of a browser. All of them are the visitor's own.
type Archive struct {
	// Events returns the events of a table.
	Events func(ctx context.Context, table string, after int) ([]match.Event, error)

	mu   sync.Mutex
	rows map[string]Row
}

// NewArchive returns an archive with rows.
func NewArchive(rows []Row) *Archive {
	a := &Archive{rows: map[string]Row{}}
	for _, r := range rows {
		a.rows[r.ID] = r
	}
	return a
}

// Put adds a row, or replaces that of the same table.
func (a *Archive) Put(r Row) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rows[r.ID] = r
}

// After returns the row of a table after an event.
func (a *Archive) After(table string, e match.Event, s match.State) Row {
	a.mu.Lock()
	r, found := a.rows[table]
	a.mu.Unlock()
	opened := e.At
	if found {
		opened = r.Opened
	}
	r.Summary = match.Summary{
		ID: table, Opened: opened, Changed: e.At, Rules: s.Setup.Rules, Levels: s.Levels,
		First: s.Setup.First, Terms: s.Setup.Terms, Openings: s.Setup.Openings, Phase: s.Phase(),
		Listed: s.Setup.Listed, Game: s.Game, Wins: s.Wins, Draws: s.Draws,
	}
	for _, seat := range match.Seats {
		if !s.Open[seat] {
			r.Names[seat] = s.Setup.Name(seat)
		}
	}
	if e.Kind.InGame() && s.Result.Over() {
		first, second := s.SeatOf(digit.First), s.SeatOf(digit.Second)
		r.Games = append(slices.Clip(r.Games), match.Game{
			Table: table, Number: s.Game, Record: s.Record(), Ended: e.At,
			Names:  [2]string{s.Setup.Name(first), s.Setup.Name(second)},
			Levels: [2]string{s.Levels[first], s.Levels[second]},
		})
	}
	return r
}

// Tables returns the tables that match a filter, the last changed first.
func (a *Archive) Tables(ctx context.Context, f match.TableFilter) ([]match.Summary, error) {
	var found []match.Summary
	a.mu.Lock()
	for _, r := range a.rows {
		if (f.IDs == nil || slices.Contains(f.IDs, r.ID)) &&
			(len(f.Phases) == 0 || slices.Contains(f.Phases, r.Phase)) &&
			(!f.Listed || r.Listed) && (f.Rules == nil || *f.Rules == r.Rules) &&
			!r.Changed.Before(f.Since) {
			found = append(found, r.Summary)
		}
	}
	a.mu.Unlock()
	slices.SortFunc(found, func(x, y match.Summary) int {
		return cmp.Or(y.Changed.Compare(x.Changed), cmp.Compare(x.ID, y.ID))
	})
	if f.Limit > 0 {
		found = found[:min(f.Limit, len(found))]
	}
	for i := range found {
		if !f.Stand {
			break
		}
		events, err := a.Events(ctx, found[i].ID, 0)
		if err != nil {
			return nil, err
		}
		now := new(match.State)
		for _, e := range events {
			if *now, err = now.Apply(e); err != nil {
				return nil, fmt.Errorf("table %q: %w", found[i].ID, err)
			}
		}
		found[i].Now = now
	}
	return found, nil
}

// Games returns the finished games that match a filter, the last one first.
func (a *Archive) Games(_ context.Context, f match.GameFilter) ([]match.Game, error) {
	var found []match.Game
	a.mu.Lock()
	for _, r := range a.rows {
		for _, g := range r.Games {
			if (f.Table == "" || g.Table == f.Table) &&
				(f.Book == "" || g.Record.Rules.Named().Name == f.Book) &&
				(f.Before.Ended.IsZero() || later(f.Before, g.Mark()) < 0) {
				found = append(found, g)
			}
		}
	}
	a.mu.Unlock()
	slices.SortFunc(found, func(x, y match.Game) int { return later(x.Mark(), y.Mark()) })
	if f.Limit > 0 {
		found = found[:min(f.Limit, len(found))]
	}
	return found, nil
}

// later compares marks in the order of a list, in which the last game comes first.
func later(a, b match.GameMark) int {
	if a.Table == "" { // a time comes before all games that ended before it
		return cmp.Or(b.Ended.Compare(a.Ended), -1)
	}
	return cmp.Or(b.Ended.Compare(a.Ended), cmp.Compare(b.Table, a.Table),
		cmp.Compare(b.Number, a.Number))
}

// Stats returns nothing: there are no games of others.
func (*Archive) Stats(context.Context) ([]match.Stats, error) { return nil, nil }
