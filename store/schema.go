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

// schema holds in N.sql the statements that lead from version N-1 of the schema to version N.
//
//go:embed schema/*.sql
var schema embed.FS

// version is the version of the schema that this program knows.
const version = 5

// fills run on the way to a version, for what SQL alone cannot do: where the statements say so, or
// else after them.
var fills = map[int]func(ctx context.Context, tx *sql.Tx, log *slog.Logger) error{
	2: fillPublic, 5: fillTerms,
}

const fillHere = "\n-- fill\n"

// A dialect is a kind of database in the comments of the schema.
type dialect string

const (
	inSQLite   dialect = "sqlite"
	inPostgres dialect = "postgres"
)

// statements returns the statements that lead to a version.
func (d dialect) statements(version int) (string, error) {
	text, err := schema.ReadFile(fmt.Sprintf("schema/%d.sql", version))
	own := regexp.MustCompile(`/\*` + string(d) + ` (.*?)\*/`)
	return own.ReplaceAllString(string(text), "$1"), err
}

// isCurrent reports whether the schema is up to date, so that it need not be waited for others to find that out.
func isCurrent(ctx context.Context, db *sql.DB) bool {
	var is int
	err := db.QueryRowContext(ctx, "SELECT max(version) FROM schema_version").Scan(&is)
	return err == nil && is == version // the table, or its first row, may not be there yet
}

// An upgrade is how a schema is brought up to date: where that is told, and since when no server may have been there, whose form it would
// take away; the zero time is for a server, which may.
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

// migrate brings the schema up to date in a transaction that keeps others from doing the same. Until that is committed, everything is as
// it was.
func (u upgrade) migrate(ctx context.Context, tx *sql.Tx, d dialect) error {
	if _, err := tx.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS schema_version (version integer PRIMARY KEY)"); err != nil {
		return err
	}
	var is int
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(version), 0) FROM schema_version").Scan(&is); err != nil {
		return err
	}
	if is > version {
		return fmt.Errorf("its schema has version %d, which is newer than this program; allowed: up to %d", is, version)
	}
	log := u.log
	if is == 0 {
		log = slog.New(slog.DiscardHandler) // there is nothing yet to bring anywhere
	} else if err := u.check(ctx, tx, is); err != nil {
		return err
	}
	for v := is + 1; v <= version; v++ {
		if err := migrateTo(ctx, tx, d, v, log); err != nil {
			return fmt.Errorf("to version %d of the schema: %w", v, err)
		}
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES ('secret', $1) ON CONFLICT DO NOTHING", newSecret())
	return err
}

// check refuses to bring a schema forward under a server.
func (u upgrade) check(ctx context.Context, tx *sql.Tx, is int) error {
	var servers int
	if u.idle.IsZero() || is == version {
		return nil
	}
	err := tx.QueryRowContext(ctx, "SELECT count(*) FROM uptime WHERE until > $1", micros(u.idle)).Scan(&servers)
	if err == nil && servers > 0 {
		return fmt.Errorf("its schema has version %d, and a server uses that; stop it first, or take the program that it runs", is)
	}
	return err
}

func migrateTo(ctx context.Context, tx *sql.Tx, d dialect, v int, log *slog.Logger) error {
	begun := time.Now()
	log.Info("the database is brought to a newer form; nothing is served until that is done", "version", v)
	text, err := d.statements(v)
	if err != nil {
		return err
	}
	before, after, _ := strings.Cut(text, fillHere)
	if _, err := tx.ExecContext(ctx, before); err != nil {
		return err
	}
	if fill := fills[v]; fill != nil {
		if err := fill(ctx, tx, log); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, after); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO schema_version (version) VALUES ($1)", v); err != nil {
		return err
	}
	log.Info("the database has the newer form", "version", v, "took", time.Since(begun).Round(time.Millisecond))
	return nil
}
