package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/match"
)

// A Fault is something in a database that is not as it should be.
type Fault struct {
	Table string `json:"table,omitempty"` // empty: it is not about one table
	Fault string `json:"fault"`
}

// Checked is how much was looked at, and how many faults were found.
type Checked struct {
	Tables int `json:"tables"`
	Events int `json:"events"`
	Games  int `json:"games"`
	Faults int `json:"faults"`

	Sittings int `json:"sittings"` // of exams
}

// Check replays every table, and calls found with each fault: an event that is missing or could not follow, a row that is not what
// follows from the events, a file that is damaged. Tables are read some at a time, each time as of one moment, while servers go on.
func (d *DB) Check(ctx context.Context, found func(Fault)) (Checked, error) {
	c := checker{db: d, found: found, expected: openMemory(), prepared: map[string]*sql.Stmt{}}
	defer c.expected.Close() //nolint:errcheck // it is thrown away
	if err := c.begin(ctx); err != nil {
		return c.sum, d.engine.explain(err)
	}
	for after, more := "", true; more; {
		var err error
		if after, more, err = c.some(ctx, after); err != nil {
			return c.sum, d.engine.explain(err)
		}
	}
	return c.sum, d.engine.explain(errors.Join(c.counts(ctx), c.sittings(ctx)))
}

// A checker is a check under way.
type checker struct {
	db       *DB
	found    func(Fault)
	sum      Checked
	expected *sql.DB // an empty database, which gets the rows that follow from the events
	prepared map[string]*sql.Stmt
}

func (c *checker) fault(table, format string, args ...any) {
	c.sum.Faults++
	c.found(Fault{digit.Printable(table), digit.Printable(fmt.Sprintf(format, args...))})
}

// begin looks at what is not about a table.
func (c *checker) begin(ctx context.Context) error {
	if err := c.db.engine.sound(); err != nil {
		return err
	}
	tx, err := c.expected.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := errors.Join((upgrade{}).migrate(ctx, tx, inSQLite), tx.Commit()); err != nil {
		return err
	}
	if secret, err := c.db.Secret(ctx); err != nil || len(secret) != 32 {
		c.fault("", "the secret that links are made with is not there: %d bytes, %v", len(secret), err)
	}
	return c.db.engine.inspect(ctx, func(damage string) { c.fault("", "the file is damaged: %s", damage) })
}

// counts holds the counts of games against the games.
func (c *checker) counts(ctx context.Context) error {
	tx, err := c.db.engine.snapshot(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, miscounted)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var book, score, reason string
		var games, plies int
		if err := rows.Scan(&book, &score, &reason, &games, &plies); err != nil {
			return err
		}
		c.fault("", "the counts of %s %s %s differ from the games by %d, and by %d moves", book, score, reason, games, plies)
	}
	return rows.Err()
}

// atOnce is how many rows are read in one transaction, more or less; a table is not divided.
var atOnce = map[string]int{"events": 20_000, "tables": 1000, "games": 5000}

// some checks the next tables after one, and reports the last of them and whether there are more.
func (c *checker) some(ctx context.Context, after string) (last string, more bool, err error) {
	tx, err := c.db.engine.snapshot(ctx)
	if err != nil {
		return "", false, err
	}
	defer tx.Rollback()
	for table, n := range atOnce {
		column := idOf(table)
		var id string
		err := tx.QueryRowContext(ctx, "SELECT "+column+" FROM "+table+" WHERE "+column+" > $1 ORDER BY "+column+" LIMIT 1 OFFSET "+strconv.Itoa(n), after).Scan(&id)
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return "", false, err
		case !more || id < last:
			last, more = id, true
		}
	}
	if !more {
		last = strings.Repeat("\U0010ffff", maxID) // is after every name
	}
	return last, more, c.compare(ctx, tx, after, last)
}

// compare checks the tables after one up to another one.
func (c *checker) compare(ctx context.Context, tx *sql.Tx, after, last string) error {
	scratch, err := c.expected.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer scratch.Rollback() // so that it is empty again
	clear(c.prepared)
	faulty, err := c.replay(ctx, tx, scratch, after, last)
	if err != nil {
		return err
	}
	for _, k := range kept {
		if k.table != "tables" && k.table != "games" {
			continue
		}
		want, err := readRows(ctx, scratch, k.table, k.columns, after, last)
		if err != nil {
			return err
		}
		got, err := readRows(ctx, tx, k.table, k.columns, after, last)
		if err != nil {
			return err
		}
		if k.table == "tables" {
			c.sum.Tables += len(got)
		} else {
			c.sum.Games += len(got)
		}
		c.compareRows(k.table, strings.Split(k.columns, ", "), want, got, faulty)
	}
	return nil
}

// replay follows the events of tables, writes what follows from them, and returns the tables whose events have a fault.
func (c *checker) replay(ctx context.Context, tx, scratch *sql.Tx, after, last string) (faulty map[string]bool, err error) {
	rows, err := tx.QueryContext(ctx, "SELECT table_id, seq, at, body FROM events WHERE table_id > $1 AND table_id <= $2 ORDER BY table_id, seq", after, last)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	faulty = map[string]bool{}
	var id string
	var s match.State
	for rows.Next() {
		var table, body string
		var seq int
		var at int64
		if err := rows.Scan(&table, &seq, &at, &body); err != nil {
			return nil, err
		}
		if c.sum.Events++; table != id {
			id, s = table, match.State{}
		}
		if faulty[id] {
			continue // nothing can be said of what comes after
		}
		e, next, wrong := follow(s, seq, at, body)
		if wrong != nil {
			faulty[id] = true
			c.fault(id, "event %d: %v", seq, wrong)
			continue
		}
		s = next
		also, _ := beside(id, e, s)
		for _, do := range also {
			if err := c.do(ctx, scratch, do); err != nil {
				return nil, err
			}
		}
	}
	return faulty, rows.Err()
}

func (c *checker) do(ctx context.Context, scratch *sql.Tx, s statement) (err error) {
	if c.prepared[s.text] == nil {
		if c.prepared[s.text], err = scratch.PrepareContext(ctx, s.text); err != nil { //nolint:sqlclosecheck // it closes with scratch
			return err
		}
	}
	_, err = c.prepared[s.text].ExecContext(ctx, s.args...)
	return err
}

// follow applies an event as it is kept.
func follow(s match.State, seq int, at int64, body string) (e match.Event, next match.State, err error) {
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		return e, s, fmt.Errorf("it cannot be read: %w", err)
	}
	switch {
	case e.Seq != seq:
		return e, s, fmt.Errorf("it says that it is event %d", e.Seq)
	case micros(e.At) != at:
		return e, s, fmt.Errorf("it says that it was at %v, and is kept as at %v", e.At, fromMicros(at))
	}
	next, err = s.Apply(e)
	return e, next, err
}

// compareRows compares the rows that a table of the schema has with those that it should have.
func (c *checker) compareRows(name string, columns []string, want, got map[string][]string, faulty map[string]bool) {
	keys := make([]string, 0, len(want))
	for key := range want {
		keys = append(keys, key)
	}
	for key := range got {
		if _, both := want[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		id, number, _ := strings.Cut(key, " ")
		what := "its row"
		if number != "" {
			what = "the row of game " + number
		}
		is, should := got[key], want[key]
		switch {
		case faulty[id]:
		case is == nil:
			c.fault(id, "%s in %s is missing", what, name)
		case should == nil:
			c.fault(id, "%s in %s is about what its events do not tell of", what, name)
		default:
			for i, column := range columns {
				if !fits(column, should[i], is[i]) {
					c.fault(id, "%s in %s: %s is %s; its events say %s", what, name, column, is[i], should[i])
				}
			}
		}
	}
}

// fits reports whether a column has what it should have. A deadline may be later: time in which nobody could move does not count. A record
// may end with the result, as all did before they told who played.
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

// null is how a value that is none is told.
const null = "none"

// readRows returns rows as texts, by the name of the table and, of a game, its number.
func readRows(ctx context.Context, tx *sql.Tx, table, columns, after, last string) (map[string][]string, error) {
	column := idOf(table)
	rows, err := tx.QueryContext(ctx, "SELECT "+columns+" FROM "+table+" WHERE "+column+" > $1 AND "+column+" <= $2", after, last)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string][]string{}
	n := strings.Count(columns, ",") + 1
	values, into := make([]sql.NullString, n), make([]any, n)
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, err
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
	}
	return all, rows.Err()
}

// idOf returns the column of a table of the schema that says which table a row is about.
func idOf(table string) string {
	if table == "tables" {
		return "id"
	}
	return "table_id"
}
