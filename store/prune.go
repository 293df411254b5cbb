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
// table may be out of date, so its last event decides. Tables with people on a live server are left
// out.
const stale = `SELECT id FROM tables WHERE listed = $1 AND phase = $2 AND changed < $3
AND (SELECT at FROM events WHERE table_id = tables.id ORDER BY seq DESC LIMIT 1) < $3
AND NOT EXISTS (SELECT 1 FROM presence p JOIN uptime u ON u.server = p.server
WHERE p.table_id = tables.id AND u.until >= $4)
ORDER BY changed LIMIT $5`

// Prune deletes unfinished tables not changed since idle, and finished ones not changed since
// finished, with their events and games. It returns how many it deleted. A zero time deletes none.
// Tables with people at a server on PostgreSQL are kept; the server of a file does not report who
// is at a table, and finds out that a table was deleted.
func (d *DB) Prune(ctx context.Context, idle, finished time.Time) (tables int, err error) {
	return d.prune(ctx, func() (int, error) { return d.pruneSome(ctx, idle, finished) })
}

// prune calls some until there is nothing left to delete, and returns the total.
func (d *DB) prune(ctx context.Context, some func() (int, error)) (all int, err error) {
	const tries = 6 // a busy server can block a command for a while
	for failed := 0; ; {
		begun := time.Now()
		n, err := some()
		all += n
		switch {
		case isBusy(err) && failed < tries:
			failed++
			continue
		case err != nil || n < pruneAtOnce:
			return all, d.engine.explain(err)
		}
		failed = 0
		select {
		case <-time.After(time.Since(begun)): // gives others as much time
		case <-ctx.Done():
			return all, ctx.Err()
		}
	}
}

// isBusy reports whether an error means that others have locked the database for too long.
func isBusy(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return codeOf(err) == sqlite3.SQLITE_BUSY || ok && e.Code == "55P03"
}

func (d *DB) pruneSome(ctx context.Context, idle, finished time.Time) (n int, err error) {
	err = d.engine.write(ctx, func(tx *sql.Tx) error {
		if err := d.engine.lock(ctx, tx); err != nil {
			return err
		}
		ids, err := staleTables(ctx, tx, idle, finished, d.now().Add(-aliveFor))
		if err != nil || len(ids) == 0 {
			return err
		}
		n = len(ids)
		drop := fmt.Sprintf(dropCounts, places(1, n))
		if _, err := tx.ExecContext(ctx, drop, ids...); err != nil {
			return err
		}
		return deleteAll(ctx, tx, ids,
			"events WHERE table_id", "games WHERE table_id", "tables WHERE id")
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// deleteAll deletes the rows with some names. Each from is a database table and the column with the
// name.
func deleteAll(ctx context.Context, tx *sql.Tx, ids []any, from ...string) error {
	if len(ids) == 0 {
		return nil
	}
	in := " IN (" + places(1, len(ids)) + ")"
	for _, where := range from {
		if _, err := tx.ExecContext(ctx, "DELETE FROM "+where+in, ids...); err != nil {
			return err
		}
	}
	return nil
}

// staleTables returns some tables to delete.
func staleTables(
	ctx context.Context, tx *sql.Tx, idle, finished, alive time.Time,
) (ids []any, err error) {
	for _, phase := range []match.Phase{match.Waiting, match.UnderWay, match.Between, match.Over} {
		bound := idle
		if phase == match.Over {
			bound = finished
		}
		if bound.IsZero() {
			continue
		}
		for _, listed := range []bool{false, true} {
			ids, err = staleOf(ctx, tx, ids, stale, number(listed), string(phase),
				micros(bound), micros(alive), pruneAtOnce-len(ids))
			if err != nil {
				return nil, err
			}
		}
	}
	return ids, nil
}

// staleOf appends the names that a statement finds to ids.
func staleOf(
	ctx context.Context, tx *sql.Tx, ids []any, statement string, args ...any,
) ([]any, error) {
	rows, err := tx.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
