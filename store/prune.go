package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"digitduel/match"

	"github.com/jackc/pgx/v5/pgconn"
	sqlite3 "modernc.org/sqlite/lib"
)

// pruneAtOnce is how many tables are deleted in one transaction, during which players wait.
const pruneAtOnce = 200

// stale finds tables of a phase, listed or not, that have not changed since a time. The row of a
// table may be out of date, so its last event decides. Tables with people on a live server, and
// those of a class, are left out.
const stale = `SELECT id FROM tables WHERE listed = $1 AND phase = $2 AND changed < $3
AND (SELECT at FROM events WHERE table_id = tables.id ORDER BY seq DESC LIMIT 1) < $3
AND NOT EXISTS (SELECT 1 FROM presence p JOIN uptime u ON u.server = p.server
WHERE p.table_id = tables.id AND u.until >= $4)
AND NOT EXISTS (SELECT 1 FROM classes WHERE classes.id = tables.class)
ORDER BY changed LIMIT $5`

// Prune deletes unfinished tables not changed since idle, and finished ones not changed since
// finished, with their events and games, and notes not saved since idle. It returns how many tables
// it deleted. A zero time deletes none. Tables of a class are kept, and those with people at a
// server on PostgreSQL; the server of a file does not report who is at a table, and finds out that
// a table was deleted.
func (d *DB) Prune(ctx context.Context, idle, finished time.Time) (tables int, err error) {
	return d.prune(ctx, func(tx *sql.Tx) ([]string, error) {
		return d.pruneSome(ctx, tx, idle, finished)
	})
}

// prune runs some in transactions until it deletes fewer than it could, and returns how many it
// deleted. Each transaction returns its space to the system.
func (d *DB) prune(
	ctx context.Context, some func(*sql.Tx) (ids []string, err error),
) (all int, err error) {
	const tries = 6 // a busy server can block a command for a while
	for failed := 0; ; {
		begun, n := time.Now(), 0
		err := d.engine.write(ctx, func(tx *sql.Tx) error {
			ids, err := some(tx)
			if n = len(ids); err != nil {
				return err
			}
			return d.engine.shrink(ctx, tx)
		})
		switch {
		case isBusy(err) && failed < tries:
			failed++
			continue
		case err != nil:
			return all, d.engine.explain(err)
		}
		if all += n; n < pruneAtOnce {
			return all, nil
		}
		failed = 0
		select {
		case <-time.After(time.Since(begun)): // gives others as much time
		case <-ctx.Done():
			return all, ctx.Err()
		}
	}
}

// pruneSome deletes old notes and some tables, and returns the tables.
func (d *DB) pruneSome(
	ctx context.Context, tx *sql.Tx, idle, finished time.Time,
) (ids []string, err error) {
	if err := d.engine.lock(ctx, tx); err != nil {
		return nil, err
	}
	const oldNotes = "DELETE FROM meta WHERE name LIKE 'note %' AND value < $1"
	oldest := fmt.Sprintf("%016d", max(0, micros(idle)))
	if err := execute(ctx, tx, oldNotes, oldest); err != nil {
		return nil, err
	}
	alive := micros(d.now().Add(-aliveFor))
	for _, phase := range []match.Phase{
		match.Waiting, match.UnderWay, match.Between, match.Over,
	} {
		since := idle
		if phase == match.Over {
			since = finished
		}
		for listed := 0; listed <= 1 && !since.IsZero(); listed++ {
			args := []any{listed, string(phase), micros(since), alive, pruneAtOnce - len(ids)}
			if err := eachRow(ctx, tx, stale, args, appendTo(&ids)); err != nil {
				return nil, err
			}
		}
	}
	return ids, execFor(ctx, tx, ids, nil, deleteTables...)
}

// isBusy reports whether an error means that others have locked the database for too long.
func isBusy(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return codeOf(err) == sqlite3.SQLITE_BUSY || ok && e.Code == "55P03"
}

// deleteTables are the statements that delete some tables.
var deleteTables = []string{
	dropCounts, "DELETE FROM events WHERE table_id IN (%s)",
	"DELETE FROM games WHERE table_id IN (%s)", "DELETE FROM tables WHERE id IN (%s)",
}

// execFor runs statements that have %s in the place of a list of names, after other arguments.
func execFor(
	ctx context.Context, tx *sql.Tx, names []string, args []any, statements ...string,
) error {
	if len(names) == 0 {
		return nil
	}
	list := places(len(args)+1, len(names))
	for _, name := range names {
		args = append(args, name)
	}
	for _, text := range statements {
		if err := execute(ctx, tx, fmt.Sprintf(text, list), args...); err != nil {
			return err
		}
	}
	return nil
}
