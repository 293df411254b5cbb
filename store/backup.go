package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"
)

// Backup writes a snapshot of the database to a new SQLite file, which [Open] can open. The
// database may be in use. It returns an error if the file exists, and leaves no file when it fails.
func (d *DB) Backup(ctx context.Context, file string) error {
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("backup %s: the file exists; allowed: a new file", file)
	}
	// CreateTemp makes a file that only its owner can read.
	partial, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return fmt.Errorf("backup %s: %w", file, err)
	}
	defer os.Remove(partial.Name())
	if err := partial.Close(); err != nil {
		return fmt.Errorf("backup %s: %w", file, err)
	}
	if err := d.engine.backup(ctx, partial.Name()); err != nil {
		return fmt.Errorf("backup %s: %w", file, d.engine.explain(err))
	}
	if err := flush(partial.Name()); err != nil {
		return fmt.Errorf("backup %s: %w", file, err)
	}
	err = os.Link(partial.Name(), file) // unlike Rename, Link does not replace a file
	if err != nil && !errors.Is(err, os.ErrExist) {
		err = os.Rename(partial.Name(), file) // not every file system has links
	}
	if err != nil {
		return fmt.Errorf("backup %s: %w", file, err)
	}
	_ = flush(filepath.Dir(file)) // not every system can sync a folder
	return nil
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
var backupTables = []struct {
	table   string
	columns string
	n       int
}{
	{"events", "table_id, seq, at, body", 4},
	{"tables", "id, rules, book, listed, opened, changed, phase, name1, name2, level1, level2, " +
		"game, wins1, wins2, draws, deadline, starts, openings, terms", 19},
	{"games", "table_id, number, record, book, score, reason, plies, name1, name2, " +
		"level1, level2, ended, public", 13},
	{"counts", "book, score, reason, part, games, plies", 6},
	{"sittings", "id, exam, items, answered, changed", 5},
	{"answers", "sitting, item, at, answer", 4},
	{"uptime", "server, since, until", 3},
	{"meta", "name, value", 2},
}

// backup copies all rows of one snapshot of the database.
func (c *cluster) backup(ctx context.Context, name string) (err error) {
	file := openRaw(name, 1, shrinkable, "journal_mode(OFF)", "synchronous(OFF)")
	defer func() { err = errors.Join(err, file.Close()) }()
	to, err := file.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer to.Rollback()
	if err := (upgrade{log: c.log}).migrate(ctx, to, inSQLite); err != nil {
		return err
	}
	// The backup has the secret of the original.
	if _, err := to.ExecContext(ctx, "DELETE FROM meta"); err != nil {
		return err
	}
	readOnly := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	from, err := c.pool.BeginTx(ctx, readOnly)
	if err != nil {
		return err
	}
	defer from.Rollback(context.WithoutCancel(ctx))
	if _, err := from.Exec(ctx, noTimeouts); err != nil {
		return err
	}
	for _, k := range backupTables {
		if err := copyRows(ctx, to, from, k.table, k.columns, k.n); err != nil {
			return fmt.Errorf("%s: %w", k.table, err)
		}
	}
	return to.Commit()
}

// insert returns the statement that inserts a row into a database table.
func insert(table, columns string, n int) string {
	return "INSERT INTO " + table + " (" + columns + ") VALUES (" + places(1, n) + ")"
}

func copyRows(ctx context.Context, to *sql.Tx, from pgx.Tx, table, columns string, n int) error {
	add, err := to.PrepareContext(ctx, insert(table, columns, n))
	if err != nil {
		return err
	}
	defer add.Close()
	rows, err := from.Query(ctx, "SELECT "+columns+" FROM "+table)
	if err != nil {
		return err
	}
	defer rows.Close()
	if err := addAll(ctx, add, rows); err != nil {
		return err
	}
	return rows.Err()
}

// addAll inserts rows with a prepared statement.
func addAll(ctx context.Context, add *sql.Stmt, rows interface {
	Next() bool
	Values() ([]any, error)
}) error {
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return err
		}
		if _, err := add.ExecContext(ctx, values...); err != nil {
			return err
		}
	}
	return nil
}
