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

// pruneAtOnce is how many tables are deleted in one transaction, for which players wait.
const pruneAtOnce = 200

// stale finds tables, listed or not, of a phase that did not change since a moment. What the row of a table says of that may lag, so
// its last event decides. A table that somebody is at, as far as servers tell, is not among them.
const stale = `SELECT id FROM tables WHERE listed = $1 AND phase = $2 AND changed < $3
AND (SELECT at FROM events WHERE table_id = tables.id ORDER BY seq DESC LIMIT 1) < $3
AND NOT EXISTS (SELECT 1 FROM presence p JOIN uptime u ON u.server = p.server WHERE p.table_id = tables.id AND u.until >= $4)
ORDER BY changed LIMIT $5`

// Prune deletes unfinished tables that nobody has changed since the moment idle, and finished ones that nobody has changed
// since the moment finished, with their events and games, and returns how many. The zero time keeps them all. Tables at which
// servers of a PostgreSQL say that somebody is are kept; the server of a file does not say, and finds that a table is gone.
func (d *DB) Prune(ctx context.Context, idle, finished time.Time) (tables int, err error) {
	return d.prune(ctx, func() (int, error) { return d.pruneSome(ctx, idle, finished) })
}

// prune deletes some after some until there are none, and returns how many there were.
func (d *DB) prune(ctx context.Context, some func() (int, error)) (all int, err error) {
	const tries = 6 // a busy server can keep a command out for a while
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
		case <-time.After(time.Since(begun)): // leaves the database to others for as long as it took
		case <-ctx.Done():
			return all, ctx.Err()
		}
	}
}

// isBusy reports whether an error says that others were at the database for too long.
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
		if _, err := tx.ExecContext(ctx, fmt.Sprintf(dropCounts, places(1, n)), ids...); err != nil {
			return err
		}
		return deleteAll(ctx, tx, ids, "events WHERE table_id", "games WHERE table_id", "tables WHERE id")
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// deleteAll deletes rows of some names from tables of the schema, each with the column of the name.
func deleteAll(ctx context.Context, tx *sql.Tx, ids []any, from ...string) error {
	if len(ids) == 0 {
		return nil
	}
	for _, where := range from {
		if _, err := tx.ExecContext(ctx, "DELETE FROM "+where+" IN ("+places(1, len(ids))+")", ids...); err != nil {
			return err
		}
	}
	return nil
}

// staleTables returns some tables that are to be deleted.
func staleTables(ctx context.Context, tx *sql.Tx, idle, finished, alive time.Time) (ids []any, err error) {
	for _, phase := range []match.Phase{match.Waiting, match.UnderWay, match.Between, match.Over} {
		bound := idle
		if phase == match.Over {
			bound = finished
		}
		if bound.IsZero() {
			continue
		}
		for _, listed := range []bool{false, true} {
			if ids, err = staleOf(ctx, tx, ids, stale, number(listed), string(phase), micros(bound), micros(alive), pruneAtOnce-len(ids)); err != nil {
				return nil, err
			}
		}
	}
	return ids, nil
}

// staleOf adds what a statement finds to a list, until that is full.
func staleOf(ctx context.Context, tx *sql.Tx, ids []any, statement string, args ...any) ([]any, error) {
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
