package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"time"
)

// schema has in N.sql the statements that upgrade version N-1 of the schema to version N.
//
//go:embed schema/*.sql
var schema embed.FS

// version is the current version of the schema.
const version = 7

const maxVersion = "SELECT max(version) FROM schema_version"

// fills run during the upgrade to a version, for changes that need more than SQL: at the line
// fillHere of its statements, or after them.
var fills = map[int]func(ctx context.Context, tx *sql.Tx, log *slog.Logger) error{
	2: fillPrivate(true), 5: fillTerms, 6: fillPrivate(false),
}

const fillHere = "\n-- fill\n"

// A dialect names a kind of database in the comments of the schema.
type dialect string

const (
	inSQLite   dialect = "sqlite"
	inPostgres dialect = "postgres"
)

// statements returns the statements that upgrade to a version.
func (d dialect) statements(version int) (string, error) {
	text, err := schema.ReadFile(fmt.Sprintf("schema/%d.sql", version))
	own := regexp.MustCompile(`/\*` + string(d) + ` (.*?)\*/`)
	return own.ReplaceAllString(string(text), "$1"), err
}

// isCurrent reports whether the schema is up to date, without waiting for a lock.
func isCurrent(ctx context.Context, db *sql.DB) bool {
	var is int
	err := db.QueryRowContext(ctx, maxVersion).Scan(&is)
	return err == nil && is == version // the table, or its first row, may not be there yet
}

// An upgrade brings a schema up to date. Idle is the time since which no server may have used the
// database, since an upgrade would break it; the zero time skips that check.
type upgrade struct {
	log  *slog.Logger
	idle time.Time
}

func (d *DB) upgrade() upgrade {
	u := upgrade{log: d.log}
	if !d.server {
		u.idle = d.now().Add(-aliveFor)
	}
	return u
}

// run upgrades the schema of a database, unless it is up to date.
func (u upgrade) run(ctx context.Context, db *sql.DB, d dialect) error {
	if isCurrent(ctx, db) {
		return nil
	}
	return transact(ctx, db, func(tx *sql.Tx) error {
		if d == inPostgres {
			const alone = noTimeouts + "; SET LOCAL lock_timeout = 0; " +
				"SELECT pg_advisory_xact_lock(hashtext('duel schema'))"
			if err := execute(ctx, tx, alone); err != nil {
				return err
			}
		}
		return u.migrate(ctx, tx, d)
	}, (*sql.Tx).Commit)
}

// migrate upgrades the schema in a transaction that locks out other upgrades. Until the commit
// nothing changes.
func (u upgrade) migrate(ctx context.Context, tx *sql.Tx, d dialect) error {
	const create = "CREATE TABLE IF NOT EXISTS schema_version (version integer PRIMARY KEY)"
	if err := execute(ctx, tx, create); err != nil {
		return err
	}
	var is int
	const newest = "SELECT coalesce(max(version), 0) FROM schema_version"
	if err := tx.QueryRowContext(ctx, newest).Scan(&is); err != nil {
		return err
	}
	if is > version {
		return errNewer(is)
	}
	log := u.log
	if is == 0 {
		log = slog.New(slog.DiscardHandler) // a new database needs no messages
	} else if err := u.check(ctx, tx, is); err != nil {
		return err
	}
	for v := is + 1; v <= version; v++ {
		if err := migrateTo(ctx, tx, d, v, log); err != nil {
			return fmt.Errorf("to version %d of the schema: %w", v, err)
		}
	}
	const addSecret = "INSERT INTO meta (name, value) VALUES ('secret', $1) ON CONFLICT DO NOTHING"
	return execute(ctx, tx, addSecret, newSecret())
}

// errNewer returns the error for a schema newer than this program.
func errNewer(is int) error {
	return fmt.Errorf("its schema has version %d, which is newer than this program; "+
		"allowed: up to %d", is, version)
}

// check returns an error if a server uses the schema that is to be upgraded.
func (u upgrade) check(ctx context.Context, tx *sql.Tx, is int) error {
	var servers int
	if u.idle.IsZero() || is == version {
		return nil
	}
	const recent = "SELECT count(*) FROM uptime WHERE until > $1"
	err := tx.QueryRowContext(ctx, recent, micros(u.idle)).Scan(&servers)
	if err == nil && servers > 0 {
		return fmt.Errorf("its schema has version %d, and a server uses it; "+
			"stop the server, or use the same version of the program", is)
	}
	return err
}

func migrateTo(ctx context.Context, tx *sql.Tx, d dialect, v int, log *slog.Logger) error {
	begun := time.Now()
	log.Info("upgrading the database; nothing is served until that is done", "version", v)
	text, err := d.statements(v)
	if err != nil {
		return err
	}
	before, after, _ := strings.Cut(text, fillHere)
	if err := execute(ctx, tx, before); err != nil {
		return err
	}
	if fill := fills[v]; fill != nil {
		if err := fill(ctx, tx, log); err != nil {
			return err
		}
	}
	if err := execute(ctx, tx, after); err != nil {
		return err
	}
	const add = "INSERT INTO schema_version (version) VALUES ($1)"
	if err := execute(ctx, tx, add, v); err != nil {
		return err
	}
	took := time.Since(begun).Round(time.Millisecond)
	log.Info("the database is upgraded", "version", v, "took", took)
	return nil
}
