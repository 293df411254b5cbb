package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrNotEmpty says that a backup is not restored because there are tables in the database.
var ErrNotEmpty = errors.New("the database has tables already")

// Restore puts what a backup has into a database, which is made if it is not there: all of it, or after an error nothing. No server may
// be on the database, and it has to be empty unless what is there is to be replaced. Copied is called after each row with how many
// there are now, of all.
func Restore(ctx context.Context, where, name string, replace bool, copied func(rows, all int)) error {
	b, err := openBackup(ctx, name)
	if err != nil {
		return fmt.Errorf("backup %s: %w", name, new(file).explain(err))
	}
	defer b.close()
	b.copied = copied
	d, err := Open(ctx, where, Config{})
	if err != nil {
		return err
	}
	if err := errors.Join(d.engine.explain(d.engine.restore(ctx, b, replace, d.now())), d.Close()); err != nil {
		return fmt.Errorf("nothing was restored: %w", err)
	}
	return nil
}

// A backup is a file from which a database is restored.
type backup struct {
	db     *sql.DB
	tx     *sql.Tx
	folder string // with a copy of it that was brought forward; empty: there is none

	rows, all int // how many are copied, of how many
	copied    func(rows, all int)
}

// openBackup opens a backup, and sees to it that it is whole and of the form this program knows. One of an older form is left as
// it is, and a copy is brought forward.
func openBackup(ctx context.Context, name string) (*backup, error) {
	if info, err := os.Stat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errors.New("that is not a file")
	}
	b := &backup{db: openRaw(name, 1)}
	if err := b.begin(ctx); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *backup) begin(ctx context.Context) error {
	is, err := inspectBackup(ctx, b.db)
	if err != nil {
		return err
	}
	if is < version {
		if err := b.bringForward(ctx); err != nil {
			return err
		}
	}
	if b.tx, err = b.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}); err != nil {
		return err
	}
	for _, k := range kept {
		n := 0
		if err := b.tx.QueryRowContext(ctx, "SELECT count(*) FROM "+k.table).Scan(&n); err != nil {
			return err
		}
		b.all += n
	}
	return nil
}

// inspectBackup returns the version of the schema of a backup that is whole.
func inspectBackup(ctx context.Context, db *sql.DB) (is int, err error) {
	if err := db.QueryRowContext(ctx, "SELECT max(version) FROM schema_version").Scan(&is); err != nil {
		return 0, fmt.Errorf("that is not a backup of this program: %w", err)
	}
	if is > version {
		return 0, fmt.Errorf("its schema has version %d, which is newer than this program; allowed: up to %d", is, version)
	}
	var state, secret string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&state); err != nil {
		return 0, err
	}
	if state != "ok" {
		return 0, fmt.Errorf("it is damaged: %s", state)
	}
	if err := db.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'secret'").Scan(&secret); err != nil {
		return 0, fmt.Errorf("it has no secret to make links with: %w", err)
	}
	return is, nil
}

// bringForward goes on with a copy that has the form this program knows.
func (b *backup) bringForward(ctx context.Context) (err error) {
	if b.folder, err = os.MkdirTemp("", "duel-restore-"); err != nil {
		return err
	}
	name := filepath.Join(b.folder, "duel.db")
	if _, err := b.db.ExecContext(ctx, "VACUUM INTO $1", name); err != nil {
		return err
	}
	if err := b.db.Close(); err != nil {
		return err
	}
	b.db = openRaw(name, 1)
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// Of the copy there is no server, whenever the one of the original was last up.
	if err := (upgrade{log: slog.New(slog.DiscardHandler)}).migrate(ctx, tx, inSQLite); err != nil {
		return err
	}
	return tx.Commit()
}

func (b *backup) close() {
	if b.tx != nil {
		_ = b.tx.Rollback() // it was read
	}
	_ = b.db.Close()
	if b.folder != "" {
		_ = os.RemoveAll(b.folder)
	}
}

// read returns the rows of a table of the schema.
func (b *backup) read(ctx context.Context, table, columns string, n int) (*source, error) {
	rows, err := b.tx.QueryContext(ctx, "SELECT "+columns+" FROM "+table) //nolint:rowserrcheck // whoever reads them does
	if err != nil {
		return nil, err
	}
	s := &source{backup: b, Rows: rows, values: make([]any, n), into: make([]any, n)}
	for i := range s.values {
		s.into[i] = &s.values[i]
	}
	return s, nil
}

// A source is rows of a backup, for [pgx.CopyFromSource].
type source struct {
	*sql.Rows
	backup       *backup
	values, into []any
}

// Values implements [pgx.CopyFromSource].
func (s *source) Values() ([]any, error) {
	if err := s.Scan(s.into...); err != nil {
		return nil, err
	}
	b := s.backup
	b.rows++
	b.copied(b.rows, b.all)
	return s.values, nil
}

func (f *file) restore(ctx context.Context, b *backup, replace bool, _ time.Time) (err error) {
	if err := f.hold(ctx); err != nil {
		return fmt.Errorf("%w; stop it first", err)
	}
	defer func() { err = errors.Join(err, f.release()) }()
	if err := f.place.look(); err != nil {
		return err
	}
	tx, err := f.firm.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	filled := false
	if err := tx.QueryRowContext(ctx, "SELECT "+hasTables).Scan(&filled); err != nil {
		return err
	}
	if filled && !replace {
		return ErrNotEmpty
	}
	for _, k := range kept {
		if _, err := tx.ExecContext(ctx, "DELETE FROM "+k.table); err != nil {
			return err
		}
		if err := insertRows(ctx, tx, b, k.table, k.columns, k.n); err != nil {
			return fmt.Errorf("%s: %w", k.table, err)
		}
	}
	return f.finish(tx)
}

// hasTables is whether there are tables.
const hasTables = "EXISTS (SELECT 1 FROM events) OR EXISTS (SELECT 1 FROM tables) OR EXISTS (SELECT 1 FROM games) OR EXISTS (SELECT 1 FROM sittings)"

func insertRows(ctx context.Context, tx *sql.Tx, b *backup, table, columns string, n int) error {
	rows, err := b.read(ctx, table, columns, n)
	if err != nil {
		return err
	}
	defer rows.Close()
	add, err := tx.PrepareContext(ctx, insert(table, columns, n))
	if err != nil {
		return err
	}
	defer add.Close()
	if err := addAll(ctx, add, rows); err != nil {
		return err
	}
	return rows.Err()
}

func (c *cluster) restore(ctx context.Context, b *backup, replace bool, now time.Time) error {
	tx, err := c.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(context.WithoutCancel(ctx))
	names := []string{"presence"}
	for _, k := range kept {
		names = append(names, k.table)
	}
	all := strings.Join(names, ", ")
	if _, err := tx.Exec(ctx, unhurried+"; LOCK TABLE "+all+" IN ACCESS EXCLUSIVE MODE"); err != nil {
		return err
	}
	var served, filled bool
	state := "SELECT EXISTS (SELECT 1 FROM uptime WHERE until >= $1), " + hasTables
	if err := tx.QueryRow(ctx, state, micros(now.Add(-aliveFor))).Scan(&served, &filled); err != nil {
		return err
	}
	switch {
	case served:
		return fmt.Errorf("%w, or did %v ago; stop it first", errServed, aliveFor)
	case filled && !replace:
		return ErrNotEmpty
	}
	if _, err := tx.Exec(ctx, "TRUNCATE "+all); err != nil {
		return err
	}
	for _, k := range kept {
		if err := copyInto(ctx, tx, b, k.table, k.columns, k.n); err != nil {
			return fmt.Errorf("%s: %w", k.table, err)
		}
	}
	return tx.Commit(ctx)
}

func copyInto(ctx context.Context, tx pgx.Tx, b *backup, table, columns string, n int) error {
	rows, err := b.read(ctx, table, columns, n)
	if err != nil {
		return err
	}
	defer rows.Close()
	_, err = tx.CopyFrom(ctx, pgx.Identifier{table}, strings.Split(columns, ", "), rows)
	return err
}
