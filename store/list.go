package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// A filter collects the conditions of a query and their arguments.
type filter struct {
	conditions []string
	args       []any
}

// where adds a condition, with a ? for each argument.
func (f *filter) where(condition string, args ...any) {
	for _, arg := range args {
		f.args = append(f.args, arg)
		condition = strings.Replace(condition, "?", "$"+strconv.Itoa(len(f.args)), 1)
	}
	f.conditions = append(f.conditions, condition)
}

// oneOf adds the condition that a column has one of the values. With no values it is never true.
func (f *filter) oneOf(column string, values []string) {
	if len(values) == 0 { // PostgreSQL refuses an empty list
		f.where("1 = 0")
		return
	}
	f.where(column + " IN (" + places(len(f.args)+1, len(values)) + ")")
	for _, v := range values {
		f.args = append(f.args, v)
	}
}

// String returns the conditions as a WHERE clause.
func (f *filter) String() string {
	if len(f.conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(f.conditions, " AND ")
}

// limit returns a LIMIT clause; 0 is no limit.
func limit(n int) string {
	if n <= 0 {
		return ""
	}
	return " LIMIT " + strconv.Itoa(n)
}

// Tables returns the tables that match a filter, the last changed first. A limit of 0 is none. The
// name of an open seat is empty.
func (d *DB) Tables(ctx context.Context, f match.TableFilter) ([]match.Summary, error) {
	statement, args := tablesQuery(f)
	var all []match.Summary
	err := d.query(ctx, statement, args, func(rows *sql.Rows) error {
		s, err := scanSummary(rows)
		all = append(all, s)
		return err
	})
	if f.IDs != nil {
		slices.SortFunc(all, func(a, b match.Summary) int { return b.Changed.Compare(a.Changed) })
	}
	if err == nil && f.Stand && len(f.IDs) > 0 {
		err = d.stand(ctx, f.IDs, all)
	}
	return all, err
}

// stand adds their states to the tables found, from their logs. It does not load tables into a
// hall.
func (d *DB) stand(ctx context.Context, ids []string, found []match.Summary) error {
	statement, args := logsQuery(ids)
	logs := map[string][]match.Event{}
	err := d.query(ctx, statement, args, func(rows *sql.Rows) error {
		var id string
		var body sql.RawBytes
		if err := rows.Scan(&id, &body); err != nil {
			return err
		}
		var e match.Event
		if err := json.Unmarshal(body, &e); err != nil {
			return fmt.Errorf("table %q: %w", id, err)
		}
		logs[id] = append(logs[id], e)
		return nil
	})
	for i := range found {
		log := logs[found[i].ID]
		if len(log) > match.MaxStateEvents || err != nil {
			continue
		}
		slices.SortFunc(log, func(a, b match.Event) int { return a.Seq - b.Seq })
		now := new(match.State)
		for _, e := range log {
			if *now, err = now.Apply(e); err != nil {
				return fmt.Errorf("table %q: %w", found[i].ID, err)
			}
		}
		found[i].Now = now
	}
	return err
}

// logsQuery selects the logs of tables in any order. A log that is too long is cut after the first
// event too many.
func logsQuery(ids []string) (string, []any) {
	var w filter
	w.oneOf("table_id", ids)
	w.where("seq <= ?", match.MaxStateEvents+1)
	return "SELECT table_id, body FROM events" + w.String(), w.args
}

func tablesQuery(f match.TableFilter) (string, []any) {
	if f.IDs != nil { // they are few; the caller sorts them
		w := tablesWhere(f, nil)
		return summaries + w.String(), w.args
	}
	if len(f.Phases) == 0 {
		w := tablesWhere(f, nil)
		return summaries + w.String() + lastFirst + limit(f.Limit), w.args
	}
	// An index has each phase in order; a condition on several phases would need a sort.
	var parts []string
	var args []any
	for i, phase := range f.Phases {
		w := tablesWhere(f, args)
		w.where("phase = ?", string(phase))
		part := fmt.Sprintf("SELECT * FROM (%s%s%s%s) AS part%d",
			summaries, w.String(), lastFirst, limit(f.Limit), i)
		parts, args = append(parts, part), w.args
	}
	return strings.Join(parts, " UNION ALL ") + lastFirst + limit(f.Limit), args
}

const (
	summaries = `SELECT id, rules, listed, opened, changed, phase, name1, name2, level1, level2,
game, wins1, wins2, draws, starts, openings, terms FROM tables`
	lastFirst = " ORDER BY changed DESC"
)

// tablesWhere returns the conditions of a filter except for the phase, after the arguments args.
func tablesWhere(f match.TableFilter, args []any) filter {
	w := filter{args: args}
	if f.Listed {
		w.where("listed = 1")
	}
	if !f.Since.IsZero() {
		w.where("changed >= ?", micros(f.Since))
	}
	if f.IDs != nil {
		w.oneOf("id", f.IDs)
	}
	return w
}

func scanSummary(rows *sql.Rows) (s match.Summary, err error) {
	var rules string
	var terms []byte
	var listed int
	var opened, changed int64
	err = rows.Scan(&s.ID, &rules, &listed, &opened, &changed, &s.Phase,
		&s.Names[match.One], &s.Names[match.Two], &s.Levels[match.One], &s.Levels[match.Two],
		&s.Game, &s.Wins[match.One], &s.Wins[match.Two], &s.Draws, &s.First, &s.Openings, &terms)
	if err != nil {
		return s, err
	}
	s.Listed, s.Opened, s.Changed = listed == 1, fromMicros(opened), fromMicros(changed)
	if s.Rules, err = digit.ParseRules(rules); err == nil {
		err = json.Unmarshal(terms, &s.Terms)
	}
	if err != nil {
		return s, fmt.Errorf("table %q: %w", s.ID, err)
	}
	return s, nil
}

// Games returns the finished games that match a filter, the last first. A limit of 0 is none.
func (d *DB) Games(ctx context.Context, f match.GameFilter) ([]match.Game, error) {
	statement, args := gamesQuery(f)
	var all []match.Game
	err := d.query(ctx, statement, args, func(rows *sql.Rows) error {
		var g match.Game
		var record string
		var ended int64
		err := rows.Scan(&g.Table, &g.Number, &record,
			&g.Names[0], &g.Names[1], &g.Levels[0], &g.Levels[1], &ended)
		if err != nil {
			return err
		}
		g.Ended = fromMicros(ended)
		if g.Record, err = digit.ParseRecord(record); err != nil {
			return fmt.Errorf("table %q, game %d: %w", g.Table, g.Number, err)
		}
		all = append(all, g)
		return nil
	})
	return all, err
}

func gamesQuery(f match.GameFilter) (string, []any) {
	var w filter
	if f.Public {
		w.where("public = 1")
	}
	if f.Book != "" {
		w.where("book = ?", f.Book)
	}
	if f.Table != "" {
		w.where("table_id = ?", f.Table)
	}
	if f.Before != (match.GameMark{}) {
		w.where("(ended, table_id, number) < (?, ?, ?)",
			micros(f.Before.Ended), f.Before.Table, f.Before.Number)
	}
	order := " ORDER BY ended DESC, table_id DESC, number DESC"
	if f.Table != "" { // the games of a table end in order
		order = " ORDER BY number DESC"
	}
	return "SELECT table_id, number, record, name1, name2, level1, level2, ended FROM games" +
		w.String() + order + limit(f.Limit), w.args
}

const statsQuery = "SELECT book, score, reason, sum(games), sum(plies) FROM counts " +
	"GROUP BY book, score, reason HAVING sum(games) > 0"

// Stats returns the statistics of each book and fair game with finished games, in the order of
// [digit.Books] and [digit.Fair].
func (d *DB) Stats(ctx context.Context) ([]match.Stats, error) {
	byBook := map[string]*match.Stats{}
	err := d.query(ctx, statsQuery, nil, func(rows *sql.Rows) error {
		var book, score, reason string
		var games, plies int
		if err := rows.Scan(&book, &score, &reason, &games, &plies); err != nil {
			return err
		}
		s := byBook[book]
		if s == nil {
			s = &match.Stats{Book: book, Reasons: map[string]int{}}
			byBook[book] = s
		}
		switch score {
		case digit.FirstWins.String():
			s.FirstWins += games
		case digit.SecondWins.String():
			s.SecondWins += games
		case digit.Draw.String():
			s.Draws += games
		}
		s.Games += games
		s.Reasons[reason] += games
		s.Plies += float64(plies) // the sum; divided below
		return nil
	})
	var all []match.Stats
	for _, name := range digit.AllNames() {
		if s := byBook[name]; s != nil {
			s.Plies /= float64(s.Games)
			all = append(all, *s)
		}
	}
	return all, err
}

const overdueQuery = "SELECT id FROM tables WHERE deadline < $1 ORDER BY deadline"

// Overdue returns the tables whose turn ran out before a time, the first to run out first.
func (d *DB) Overdue(ctx context.Context, before time.Time) (all []string, err error) {
	err = d.query(ctx, overdueQuery, []any{micros(before)}, appendTo(&all))
	return slices.Clip(all), err
}
