package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"digitduel/match"
)

// AppendClass stores the events of a class from number seq on durably, all or none, with the time
// at which a server next has to look at the class and the seal of its code. It returns
// [match.ErrConflict] if seq is not the next number, [match.ErrNoTable] if the class was deleted,
// and [match.ErrInDoubt] if the outcome is unknown.
func (d *DB) AppendClass(
	ctx context.Context, id string, seq int, bodies []string, at, due time.Time, code string,
) error {
	if err := match.CheckID("class", id); err != nil {
		return err
	}
	for _, text := range append(slices.Clone(bodies), code) {
		if err := checkText(text); err != nil {
			return err
		}
	}
	// Each of these locks the row, so that there is one writer at a time.
	text, none := "UPDATE classes SET due = $2, code = $3 WHERE id = $1", match.ErrNoTable
	if seq == 1 {
		text = "INSERT INTO classes (id, due, code) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
		none = match.ErrConflict
	}
	const (
		last = "SELECT coalesce(max(seq), 0) FROM class_events WHERE class_id = $1"
		add  = "INSERT INTO class_events (class_id, seq, at, body) VALUES ($1, $2, $3, $4)"
	)
	return d.keep(ctx, func(ctx context.Context, tx *sql.Tx) error {
		n, err := affected(tx.ExecContext(ctx, text, id, micros(due), code))
		if err == nil && n == 0 {
			err = fmt.Errorf("class %s: %w", id, none)
		}
		if err != nil {
			return err
		}
		var is int
		if err := tx.QueryRowContext(ctx, last, id).Scan(&is); err != nil {
			return err
		}
		if is != seq-1 {
			return fmt.Errorf("class %s: event %d after %d: %w", id, seq, is, match.ErrConflict)
		}
		for i, body := range bodies {
			if err := execute(ctx, tx, add, id, seq+i, micros(at), body); err != nil {
				return err
			}
		}
		return nil
	})
}

// ClassEvents returns the events of a class with numbers above after, in order. A class that does
// not exist has none.
func (d *DB) ClassEvents(ctx context.Context, id string, after int) (bodies []string, err error) {
	const log = "SELECT body FROM class_events WHERE class_id = $1 AND seq > $2 ORDER BY seq"
	err = d.query(ctx, log, []any{id, after}, appendTo(&bodies))
	return bodies, err
}

// DueClasses returns the classes that a server has to look at before a time, the first due first.
func (d *DB) DueClasses(ctx context.Context, before time.Time) (ids []string, err error) {
	const due = "SELECT id FROM classes WHERE due < $1 ORDER BY due"
	err = d.query(ctx, due, []any{micros(before)}, appendTo(&ids))
	return ids, err
}

// ClassByCode returns the class whose code has this seal, the newest by name if there are several,
// or "" if there is none.
func (d *DB) ClassByCode(ctx context.Context, code string) (id string, err error) {
	const coded = "SELECT id FROM classes WHERE code = $1 AND code <> '' ORDER BY id DESC LIMIT 1"
	err = d.query(ctx, coded, []any{code}, func(rows *sql.Rows) error { return rows.Scan(&id) })
	return id, err
}

// DeleteClass deletes tables as Prune does, and then the class with its events. If that fails, the
// class is still due.
func (d *DB) DeleteClass(ctx context.Context, id string, tables []string) error {
	deletes := func(names []string, statements ...string) error {
		_, err := d.prune(ctx, func(tx *sql.Tx) ([]string, error) {
			if err := d.engine.lock(ctx, tx); err != nil {
				return nil, err
			}
			return nil, execFor(ctx, tx, names, nil, statements...)
		})
		return err
	}
	for some := range slices.Chunk(tables, pruneAtOnce) {
		if err := deletes(some, deleteTables...); err != nil {
			return err
		}
	}
	// The row goes first: it is locked while a writer adds events.
	return deletes([]string{id}, "DELETE FROM classes WHERE id IN (%s)",
		"DELETE FROM class_events WHERE class_id IN (%s)")
}

// classes checks that each class has a row and all its events.
func (c *checker) classes(ctx context.Context, tx *sql.Tx) error {
	const all = `SELECT coalesce(id, class_id), id IS NULL, coalesce(seq, 0), coalesce(body, '')
FROM classes FULL JOIN class_events ON class_id = id ORDER BY 1, 3`
	last, next := "", 1
	return eachRow(ctx, tx, all, nil, func(rows *sql.Rows) error {
		var id, body string
		var bare bool
		var seq int
		if err := rows.Scan(&id, &bare, &seq, &body); err != nil {
			return err
		}
		if id != last {
			last, next = id, 1
			c.sum.Classes++
			if bare {
				c.problem("", "class %s: its row is missing", id)
			}
		}
		if seq != next {
			c.problem("", "class %s: event %d is missing", id, next)
		} else if !json.Valid([]byte(body)) {
			c.problem("", "class %s: event %d: unreadable", id, seq)
		}
		next = seq + 1
		return nil
	})
}
