package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Backup writes a snapshot of the database to a new SQLite file, which [Open] can open. The
// database may be in use. It returns an error if the file exists, and leaves no file when it fails.
func (d *DB) Backup(ctx context.Context, file string) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("backup %s: %w", file, err)
		}
	}()
	if _, err := os.Lstat(file); err == nil {
		return errors.New("the file exists; allowed: a new file")
	}
	// CreateTemp makes a file that only its owner can read.
	partial, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(partial.Name())
	if err := partial.Close(); err != nil {
		return err
	}
	if err := d.engine.backup(ctx, partial.Name()); err != nil {
		return d.engine.explain(err)
	}
	if err := flush(partial.Name()); err != nil {
		return err
	}
	err = os.Link(partial.Name(), file) // unlike Rename, Link does not replace a file
	if err != nil && !errors.Is(err, os.ErrExist) {
		err = os.Rename(partial.Name(), file) // not every file system has links
	}
	_ = flush(filepath.Dir(file)) // not every system can sync a folder
	return err
}

// flush waits until a file or folder is on the disk.
func flush(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// backupTables are the database tables in a backup, with their columns.
var backupTables = []struct{ table, columns string }{
	{"events", "table_id, seq, at, body"},
	{"tables", tableColumns},
	{"games", gameColumns},
	{"counts", "book, score, reason, part, games, plies"},
	{"sittings", "id, exam, items, answered, changed"},
	{"answers", "sitting, item, at, answer"},
	{"classes", "id, due, code"},
	{"class_events", "class_id, seq, at, body"},
	{"uptime", "server, since, until"},
	{"meta", "name, value"},
}

// backup copies all rows of one snapshot of the database.
func (c *cluster) backup(ctx context.Context, name string) (err error) {
	file := openRaw(name, 1, shrinkable, "journal_mode(OFF)", "synchronous(OFF)")
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := (upgrade{log: c.log}).run(ctx, file, inSQLite); err != nil {
		return err
	}
	from, err := c.snapshot(ctx)
	if err != nil {
		return err
	}
	defer from.Rollback()
	return transact(ctx, file, func(to *sql.Tx) error {
		_, err := copyAll(ctx, to, from)
		return err
	}, (*sql.Tx).Commit)
}

// copyAll replaces the rows of a database by those of another one, and returns their number.
func copyAll(ctx context.Context, to, from *sql.Tx) (rows int, err error) {
	for _, k := range backupTables {
		n, err := copyRows(ctx, to, from, k.table, k.columns)
		if err != nil {
			return rows, fmt.Errorf("%s: %w", k.table, err)
		}
		rows += n
	}
	return rows, nil
}

// copyAtOnce is how many rows are inserted by one statement.
const copyAtOnce = 100

func copyRows(
	ctx context.Context, to, from *sql.Tx, table, columns string,
) (copied int, err error) {
	if err := execute(ctx, to, "DELETE FROM "+table); err != nil {
		return 0, err
	}
	n := strings.Count(columns, ",") + 1
	var values []any // of the next rows
	insert := func() error {
		var rows []string
		for i := 1; i <= len(values); i += n {
			rows = append(rows, "("+places(i, n)+")")
		}
		text := "INSERT INTO " + table + " (" + columns + ") VALUES " + strings.Join(rows, ", ")
		err := execute(ctx, to, text, values...)
		values = nil
		return err
	}
	row, into := make([]any, n), make([]any, n)
	for i := range row {
		into[i] = &row[i]
	}
	all := "SELECT " + columns + " FROM " + table
	err = eachRow(ctx, from, all, nil, func(rows *sql.Rows) error {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		copied++
		if values = append(values, row...); len(values) == n*copyAtOnce {
			return insert()
		}
		return nil
	})
	if err == nil && len(values) > 0 {
		err = insert()
	}
	return copied, err
}
