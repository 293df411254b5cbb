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
)

// ErrNotEmpty means that a database has tables, so a backup was not restored.
var ErrNotEmpty = errors.New("the database has tables already")

// Restore replaces the contents of a database by a backup: completely or, after an error, not at
// all. It creates the database if necessary. No server may use the database, and without replace it
// must be empty. It returns the number of rows.
func Restore(ctx context.Context, where, name string, replace bool) (rows int, err error) {
	var b backup
	defer b.close()
	if err := b.open(ctx, name); err != nil {
		return 0, fmt.Errorf("backup %s: %w", name, new(file).explain(err))
	}
	d, err := Open(ctx, where, Config{})
	if err != nil {
		return 0, err
	}
	err = d.engine.alone(ctx, d.now(), func(tx *sql.Tx) error {
		filled := false
		err := tx.QueryRowContext(ctx, hasTables).Scan(&filled)
		switch {
		case err != nil:
			return err
		case filled && !replace:
			return ErrNotEmpty
		}
		rows, err = copyAll(ctx, tx, b.tx)
		return err
	})
	if err = errors.Join(d.engine.explain(err), d.Close()); err != nil {
		return 0, fmt.Errorf("nothing was restored: %w", err)
	}
	return rows, nil
}

// hasTables asks whether the database is not empty.
const hasTables = "SELECT EXISTS (SELECT 1 FROM events) OR EXISTS (SELECT 1 FROM tables) OR " +
	"EXISTS (SELECT 1 FROM games) OR EXISTS (SELECT 1 FROM sittings) OR " +
	"EXISTS (SELECT 1 FROM classes)"

// A backup is a file from which a database is restored.
type backup struct {
	db     *sql.DB // nil: it is not open
	tx     *sql.Tx // nil: it was not complete
	folder string  // has an upgraded copy; empty: none was needed
}

// open opens a backup and checks that it is complete. If it is of an older version, it uses an
// upgraded copy and leaves the backup unchanged.
func (b *backup) open(ctx context.Context, name string) error {
	if info, err := os.Stat(name); err != nil {
		return err
	} else if !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	b.db = openRaw(name, 1)
	is, err := inspectBackup(ctx, b.db)
	if err == nil && is < version {
		err = b.upgradeCopy(ctx)
	}
	if err == nil {
		b.tx, err = b.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	}
	return err
}

// inspectBackup checks a backup and returns the version of its schema.
func inspectBackup(ctx context.Context, db *sql.DB) (is int, err error) {
	if err := db.QueryRowContext(ctx, maxVersion).Scan(&is); err != nil {
		return 0, fmt.Errorf("not a backup of this program: %w", err)
	}
	if is > version {
		return 0, errNewer(is)
	}
	var state, secret string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&state); err != nil {
		return 0, err
	}
	if state != "ok" {
		return 0, fmt.Errorf("it is damaged: %s", state)
	}
	if err := db.QueryRowContext(ctx, getSecret).Scan(&secret); err != nil {
		return 0, fmt.Errorf("it has no secret for links: %w", err)
	}
	return is, nil
}

// upgradeCopy replaces b.db by a copy with the current schema.
func (b *backup) upgradeCopy(ctx context.Context) (err error) {
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
	// The zero idle time skips the check for servers: the copy has none.
	return upgrade{log: slog.New(slog.DiscardHandler)}.run(ctx, b.db, inSQLite)
}

func (b *backup) close() {
	if b.tx != nil {
		_ = b.tx.Rollback() // it only reads
	}
	if b.db != nil {
		_ = b.db.Close()
	}
	if b.folder != "" {
		_ = os.RemoveAll(b.folder)
	}
}

func (f *file) alone(ctx context.Context, _ time.Time, do func(*sql.Tx) error) (err error) {
	if err := f.lockServer(ctx); err != nil {
		return fmt.Errorf("%w; stop it first", err)
	}
	defer func() { err = errors.Join(err, f.unlockServer()) }()
	return f.keep(ctx, do)
}

func (c *cluster) alone(ctx context.Context, now time.Time, do func(*sql.Tx) error) error {
	return c.keep(ctx, func(tx *sql.Tx) error {
		var lock strings.Builder
		lock.WriteString(noTimeouts + "; LOCK TABLE presence")
		for _, k := range backupTables {
			lock.WriteString(", " + k.table)
		}
		if err := execute(ctx, tx, lock.String()+" IN ACCESS EXCLUSIVE MODE"); err != nil {
			return err
		}
		served := false
		const recent = "SELECT EXISTS (SELECT 1 FROM uptime WHERE until >= $1)"
		err := tx.QueryRowContext(ctx, recent, micros(now.Add(-aliveFor))).Scan(&served)
		if err == nil && served {
			err = fmt.Errorf("%w, or did %v ago; stop it first", errServed, aliveFor)
		}
		if err != nil {
			return err
		}
		return do(tx)
	})
}
