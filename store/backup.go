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

// Backup writes everything there is at one moment into a new file of SQLite, which [Open] can open, while the database is
// in use. It refuses a file that exists, and leaves none when it fails.
func (d *DB) Backup(ctx context.Context, file string) error {
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("backup %s: it exists; allowed: a new file", file)
	}
	partial, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*") // for its owner alone
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
	err = os.Link(partial.Name(), file) // unlike Rename it does not replace a file
	if err != nil && !errors.Is(err, os.ErrExist) {
		err = os.Rename(partial.Name(), file) // not every file system has links
	}
	if err != nil {
		return fmt.Errorf("backup %s: %w", file, err)
	}
	_ = flush(filepath.Dir(file)) // not every system can
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

// kept are the tables of the schema that a backup has, with their columns.
var kept = []struct {
	table   string
	columns string
	n       int
}{
	{"events", "table_id, seq, at, body", 4},
	{"tables", "id, rules, book, listed, opened, changed, phase, name1, name2, level1, level2, game, wins1, wins2, draws, deadline, starts, openings, terms", 19},
	{"games", "table_id, number, record, book, score, reason, plies, name1, name2, level1, level2, ended, public", 13},
	{"counts", "book, score, reason, part, games, plies", 6},
	{"sittings", "id, exam, items, answered, changed", 5},
	{"answers", "sitting, item, at, answer", 4},
	{"uptime", "server, since, until", 3},
	{"meta", "name, value", 2},
}

// backup copies every row that one snapshot of the database has.
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
	if _, err := to.ExecContext(ctx, "DELETE FROM meta"); err != nil { // the secret is that of the original
		return err
	}
	from, err := c.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return err
	}
	defer from.Rollback(context.WithoutCancel(ctx))
	if _, err := from.Exec(ctx, unhurried); err != nil {
		return err
	}
	for _, k := range kept {
		if err := copyRows(ctx, to, from, k.table, k.columns, k.n); err != nil {
			return fmt.Errorf("%s: %w", k.table, err)
		}
	}
	return to.Commit()
}

// insert returns the statement that adds a row to a table of the schema.
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

// addAll adds the rows of a table with a statement.
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
