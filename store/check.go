package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/match"
)

// A Problem is an inconsistency in a database.
type Problem struct {
	Table string `json:"table,omitempty"` // empty: it concerns no single table
	Text  string `json:"fault"`           // the description
}

// Checked counts the rows that were checked, and the problems.
type Checked struct {
	Tables   int `json:"tables"`
	Events   int `json:"events"`
	Games    int `json:"games"`
	Problems int `json:"faults"`

	Sittings int `json:"sittings"` // of exams
	Classes  int `json:"classes"`  // tournaments
}

// Check replays every table and calls found for each problem: an event that is missing or cannot
// follow, a row that differs from the events, a damaged file. It reads some tables at a time, each
// time from one snapshot, while servers continue.
func (d *DB) Check(ctx context.Context, found func(Problem)) (Checked, error) {
	c := checker{db: d, found: found, expected: openMemory()}
	defer c.expected.Close() //nolint:errcheck // it is discarded
	if err := c.begin(ctx); err != nil {
		return c.sum, d.engine.explain(err)
	}
	for after, more := "", true; more; {
		var err error
		if after, more, err = c.checkSome(ctx, after); err != nil {
			return c.sum, d.engine.explain(err)
		}
	}
	err := c.inSnapshot(ctx, func(tx *sql.Tx) error {
		return errors.Join(c.counts(ctx, tx), c.sittings(ctx, tx), c.classes(ctx, tx))
	})
	return c.sum, d.engine.explain(err)
}

// A checker is the state of a check.
type checker struct {
	db       *DB
	found    func(Problem)
	sum      Checked
	expected *sql.DB // a database in memory for the rows derived from the events
}

func (c *checker) problem(table, format string, args ...any) {
	c.sum.Problems++
	c.found(Problem{digit.Printable(table), digit.Printable(fmt.Sprintf(format, args...))})
}

// begin checks the data that belongs to no table.
func (c *checker) begin(ctx context.Context) error {
	if err := c.db.engine.usable(); err != nil {
		return err
	}
	if err := (upgrade{}).run(ctx, c.expected, inSQLite); err != nil {
		return err
	}
	if secret, err := c.db.Secret(ctx); err != nil || len(secret) != 32 {
		c.problem("", "the secret for links is missing: %d bytes, %v", len(secret), err)
	}
	return c.db.engine.inspect(ctx, func(damage string) {
		c.problem("", "the file is damaged: %s", damage)
	})
}

// inSnapshot calls do with a snapshot of the database.
func (c *checker) inSnapshot(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := c.db.engine.snapshot(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return do(tx)
}

// counts compares the counts of games with the games.
func (c *checker) counts(ctx context.Context, tx *sql.Tx) error {
	return eachRow(ctx, tx, badCounts, nil, func(rows *sql.Rows) error {
		var book, score, reason string
		var games, plies int
		err := rows.Scan(&book, &score, &reason, &games, &plies)
		if err == nil {
			c.problem("", "the counts of %s %s %s differ from the games by %d, and by %d moves",
				book, score, reason, games, plies)
		}
		return err
	})
}

// batchTables is the number of tables read in one transaction.
const batchTables = 1000

// checkSome checks the next tables after one. It returns the last of them and whether there are
// more.
func (c *checker) checkSome(ctx context.Context, after string) (last string, more bool, err error) {
	err = c.inSnapshot(ctx, func(tx *sql.Tx) error {
		const next = "SELECT id FROM tables WHERE id > $1 ORDER BY id LIMIT 1 OFFSET $2"
		err := tx.QueryRowContext(ctx, next, after, batchTables).Scan(&last)
		if more = err == nil; errors.Is(err, sql.ErrNoRows) {
			last = strings.Repeat("\U0010ffff", match.MaxID) // sorts after every name
		} else if err != nil {
			return err
		}
		return c.compare(ctx, tx, after, last)
	})
	return last, more, err
}

// compare checks the tables with names above after, up to last.
func (c *checker) compare(ctx context.Context, tx *sql.Tx, after, last string) error {
	scratch, err := c.expected.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer scratch.Rollback() // leaves it empty
	broken, err := c.replay(ctx, tx, scratch, after, last)
	if err != nil {
		return err
	}
	for _, k := range []struct {
		table, columns string
		sum            *int
	}{
		{"tables", tableColumns, &c.sum.Tables}, {"games", gameColumns, &c.sum.Games},
	} {
		want, err := readRows(ctx, scratch, k.table, k.columns, after, last)
		if err != nil {
			return err
		}
		got, err := readRows(ctx, tx, k.table, k.columns, after, last)
		if err != nil {
			return err
		}
		*k.sum += len(got)
		c.compareRows(k.table, strings.Split(k.columns, ", "), want, got, broken)
	}
	return nil
}

// replay applies the events of tables and writes the derived rows to scratch. It returns the tables
// whose events have a problem.
func (c *checker) replay(
	ctx context.Context, tx, scratch *sql.Tx, after, last string,
) (broken map[string]bool, err error) {
	const logs = "SELECT table_id, seq, at, body FROM events " +
		"WHERE table_id > $1 AND table_id <= $2 ORDER BY table_id, seq"
	broken = map[string]bool{}
	var id string
	var s match.State
	err = eachRow(ctx, tx, logs, []any{after, last}, func(rows *sql.Rows) error {
		var table, body string
		var seq int
		var at int64
		if err := rows.Scan(&table, &seq, &at, &body); err != nil {
			return err
		}
		if c.sum.Events++; table != id {
			id, s = table, match.State{}
		}
		if broken[id] {
			return nil // later events cannot be checked
		}
		e, next, wrong := follow(s, seq, at, body)
		if wrong != nil {
			broken[id] = true
			c.problem(id, "event %d: %v", seq, wrong)
			return nil
		}
		s = next
		also, _ := derivedRows(id, e, s)
		for _, do := range also {
			if err := execute(ctx, scratch, do.text, do.args...); err != nil {
				return err
			}
		}
		return nil
	})
	return broken, err
}

// follow applies a stored event.
func follow(
	s match.State, seq int, at int64, body string,
) (e match.Event, next match.State, err error) {
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		return e, s, fmt.Errorf("unreadable: %w", err)
	}
	switch {
	case e.Seq != seq:
		return e, s, fmt.Errorf("the event has number %d", e.Seq)
	case micros(e.At) != at:
		return e, s, fmt.Errorf("the event has time %v, its row %v", e.At, fromMicros(at))
	}
	next, err = s.Apply(e)
	return e, next, err
}

// compareRows compares the rows of a database table with the expected ones.
func (c *checker) compareRows(
	name string, columns []string, want, got map[string][]string, broken map[string]bool,
) {
	all := maps.Clone(want)
	maps.Copy(all, got)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		id, number, _ := strings.Cut(key, " ")
		what := "its row"
		if number != "" {
			what = "the row of game " + number
		}
		is, should := got[key], want[key]
		switch {
		case broken[id]:
		case is == nil:
			c.problem(id, "%s in %s is missing", what, name)
		case should == nil:
			c.problem(id, "%s in %s does not follow from its events", what, name)
		default:
			for i, column := range columns {
				if !fits(column, should[i], is[i]) {
					c.problem(id, "%s in %s: %s is %s; its events say %s",
						what, name, column, is[i], should[i])
				}
			}
		}
	}
}

// fits reports whether the value of a column is allowed. A deadline may be later, since time in
// which nobody could move does not count. The record of an old game may have no tags.
func fits(column, should, is string) bool {
	if column == "record" && strings.HasPrefix(should, is+";") {
		return true
	}
	if column != "deadline" || should == null || is == null {
		return is == should
	}
	late, err1 := strconv.ParseInt(is, 10, 64)
	early, err2 := strconv.ParseInt(should, 10, 64)
	return err1 == nil && err2 == nil && late >= early
}

// null is the text of a NULL value.
const null = "none"

// readRows returns rows as texts, by the name of the table and, for a game, its number.
func readRows(
	ctx context.Context, tx *sql.Tx, table, columns, after, last string,
) (map[string][]string, error) {
	id, _, _ := strings.Cut(columns, ",")
	query := "SELECT " + columns + " FROM " + table +
		" WHERE " + id + " > $1 AND " + id + " <= $2"
	all := map[string][]string{}
	n := strings.Count(columns, ",") + 1
	values, into := make([]sql.NullString, n), make([]any, n)
	for i := range values {
		into[i] = &values[i]
	}
	err := eachRow(ctx, tx, query, []any{after, last}, func(rows *sql.Rows) error {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		row := make([]string, n)
		for i, v := range values {
			if row[i] = v.String; !v.Valid {
				row[i] = null
			}
		}
		key := row[0]
		if table == "games" {
			key += " " + row[1]
		}
		all[key] = row
		return nil
	})
	return all, err
}
