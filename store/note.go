package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// mostNote is the size of the longest note, in bytes.
const mostNote = 1 << 18

// noteTime returns a time at the start of a note. Earlier times are less, as texts, until 2286.
func noteTime(t time.Time) string { return fmt.Sprintf("%016d", max(0, micros(t))) }

// Note returns the text saved under a name, or nil.
func (d *DB) Note(ctx context.Context, name string) (text []byte, err error) {
	const get = "SELECT value FROM meta WHERE name = $1"
	err = d.query(ctx, get, []any{"note " + name}, func(rows *sql.Rows) error {
		var value string
		err := rows.Scan(&value)
		_, value, _ = strings.Cut(value, " ")
		text = []byte(value)
		return err
	})
	return text, err
}

// SetNote saves a text under a name durably, in place of an earlier one.
func (d *DB) SetNote(ctx context.Context, name string, text []byte) error {
	if err := checkLength(string(text), mostNote); err != nil {
		return err
	}
	value := noteTime(d.now()) + " " + string(text)
	return d.keep(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, setMeta, "note "+name, value)
		return err
	})
}

// pruneNotes deletes notes not saved since a time. A zero time deletes none.
func (d *DB) pruneNotes(ctx context.Context, idle time.Time) error {
	const stale = "DELETE FROM meta WHERE name LIKE 'note %' AND value < $1"
	return d.keep(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, stale, noteTime(idle))
		return err
	})
}
