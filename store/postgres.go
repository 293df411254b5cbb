package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"digitduel/match"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// A cluster is a PostgreSQL database, which servers may share.
type cluster struct {
	pool   *pgxpool.Pool
	sql    *sql.DB // on the pool
	sender string  // identifies this server in notices
	part   int     // the part of the counts it adds to
	log    *slog.Logger
	// announceAll is called whenever notices can be received, first or again.
	announceAll func(ctx context.Context) error
}

// settings are the settings of every connection, unless the address sets them. They limit how long
// a statement, a lock or an open transaction can delay others.
var settings = map[string]string{
	"application_name":                    "duel",
	"statement_timeout":                   "5s",
	"lock_timeout":                        "4s",
	"idle_in_transaction_session_timeout": "2s",
}

func openPostgres(ctx context.Context, d *DB, where string) (err error) {
	config, err := pgxpool.ParseConfig(where)
	if err != nil {
		return err
	}
	for name, value := range settings {
		if _, set := config.ConnConfig.RuntimeParams[name]; !set {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = patience
	}
	if !strings.Contains(where, "pool_max_conns") {
		config.MaxConns = max(config.MaxConns, 8)
	}
	c := &cluster{sender: d.id, part: partOf(d.id), log: d.log, announceAll: d.announceAll}
	if c.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return err
	}
	c.sql = stdlib.OpenDBFromPool(c.pool)
	if err := d.upgrade().run(ctx, c.sql, inPostgres); err != nil {
		at := config.ConnConfig
		err = fmt.Errorf("database %s of %s: %w", at.Database, at.Host, c.explain(err))
		return errors.Join(err, c.close())
	}
	d.engine, d.sql, d.shared = c, c.sql, true
	return nil
}

func (c *cluster) commit(group []*entry) error {
	left := time.Until(group[0].queued.Add(patience)) // the first of the group has waited longest
	slices.SortFunc(group, byTable)
	ctx, cancel := context.WithTimeout(context.Background(), max(left, time.Second))
	defer cancel()
	doubt := false
	for {
		lost, err := c.attempt(ctx, group, doubt)
		doubt = doubt || lost
		switch {
		case err == nil:
			return nil
		case !doubt && !isTransient(err):
			return err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			if doubt {
				return fmt.Errorf("the connection was lost during a commit: %w: %w",
					match.ErrInDoubt, err)
			}
			return err
		}
	}
}

// isTransient reports whether an error that changed nothing may go away with the next attempt: a
// deadlock, or a connection lost since its last use. A failure to connect is not transient.
func isTransient(err error) bool {
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return false
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code == "40P01" || e.Code == "40001" || strings.HasPrefix(e.Code, "57P")
	}
	return true
}

// addEvents inserts the events of a group that are the next of their tables, in a fixed order, so
// that two servers cannot deadlock. It does not use EXISTS, which can be planned as a scan of all
// events.
const addEvents = `INSERT INTO events (table_id, seq, at, body)
SELECT table_id, seq, at, body
FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::text[])
WITH ORDINALITY AS new (table_id, seq, at, body, place)
WHERE seq = 1 OR
(SELECT e.seq FROM events e WHERE e.table_id = new.table_id AND e.seq = new.seq - 1) IS NOT NULL
ORDER BY place ON CONFLICT DO NOTHING RETURNING table_id`

// attempt commits a group. Lost means that the outcome is unknown. With doubt, an event that
// already exists may be this group's own.
func (c *cluster) attempt(ctx context.Context, group []*entry, doubt bool) (lost bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience/2) // leaves time to find out the outcome
	defer cancel()
	conn, err := c.pool.Acquire(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Release() // closes it if a transaction is still open
	n := len(group)
	tables, bodies := make([]string, n), make([]string, n)
	seqs, ats := make([]int32, n), make([]int64, n)
	for i, e := range group {
		tables[i], seqs[i], ats[i], bodies[i] = e.table, int32(e.seq), e.at, e.body
	}
	var begin pgx.Batch
	begin.Queue("BEGIN")
	added := map[string]bool{}
	begin.Queue(addEvents, tables, seqs, ats, bodies).Query(collect(added))
	if err := conn.SendBatch(ctx, &begin).Close(); err != nil {
		return false, err
	}
	there := map[string]bool{}
	if doubt {
		const same = `SELECT e.table_id
FROM events e JOIN unnest($1::text[], $2::integer[], $3::text[]) AS new (table_id, seq, body)
ON e.table_id = new.table_id AND e.seq = new.seq AND e.body = new.body`
		rows, err := conn.Query( //nolint:rowserrcheck // see collect
			ctx, same, tables, seqs, bodies)
		if err != nil {
			return false, err
		}
		if err := collect(there)(rows); err != nil {
			return false, err
		}
	}
	var kept []*entry
	for _, e := range group {
		switch e.err = nil; {
		case added[e.table]:
			kept = append(kept, e)
		case !there[e.table]:
			e.err = match.ErrConflict
		}
	}
	var end pgx.Batch
	also, news := derivedOf(kept, c.part)
	for _, s := range also {
		end.Queue(s.text, s.args...)
	}
	for _, text := range notices(c.sender, news) {
		end.Queue(notify, text)
	}
	end.Queue("COMMIT")
	if err := conn.SendBatch(ctx, &end).Close(); err != nil {
		return !rolledBack(err), err
	}
	return false, nil
}

// collect returns a reader of rows that adds the text of each to a set.
func collect(set map[string]bool) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var text string
		_, err := pgx.ForEachRow(rows, []any{&text}, func() error {
			set[text] = true
			return nil
		})
		return err
	}
}

// rolledBack reports whether an error of a commit means for certain that it did not take place. The
// driver also reports a connection as closed that was lost while it waited for the answer.
func rolledBack(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.SeverityUnlocalized == "ERROR" ||
		pgconn.SafeToRetry(err) && !errors.Is(err, pgconn.ErrConnClosed)
}

func (c *cluster) write(ctx context.Context, do func(*sql.Tx) error) error {
	return transact(ctx, c.sql, do, (*sql.Tx).Commit)
}

func (c *cluster) keep(ctx context.Context, do func(*sql.Tx) error) error {
	return transact(ctx, c.sql, do, func(tx *sql.Tx) error {
		err := tx.Commit()
		if err != nil && !rolledBack(err) {
			err = fmt.Errorf("%w: %w", match.ErrInDoubt, err)
		}
		return err
	})
}

func (c *cluster) usable() error { return nil }

// noTimeouts lets a transaction take as long as it needs.
const noTimeouts = "SET LOCAL statement_timeout = 0; " +
	"SET LOCAL idle_in_transaction_session_timeout = 0"

func (c *cluster) snapshot(ctx context.Context) (*sql.Tx, error) {
	readOnly := &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead}
	tx, err := c.sql.BeginTx(ctx, readOnly)
	if err != nil {
		return nil, err
	}
	if err := execute(ctx, tx, noTimeouts); err != nil {
		return nil, errors.Join(err, tx.Rollback())
	}
	return tx, nil
}

// inspect does nothing: PostgreSQL checks its own files.
func (c *cluster) inspect(context.Context, func(string)) error { return nil }

func (c *cluster) lock(ctx context.Context, tx *sql.Tx) error {
	return execute(ctx, tx, "LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE")
}

// lost also closes the other connections, since a restart of the database ends all of them.
func (c *cluster) lost(err error) bool {
	if !isTransient(err) {
		return false
	}
	c.pool.Reset()
	return true
}

func (c *cluster) explain(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch {
		case e.Code == "53100":
			return fmt.Errorf("the disk is full: %w", err)
		case strings.HasPrefix(e.Code, "57P"), strings.HasPrefix(e.Code, "53"):
			return fmt.Errorf("the database cannot be used now: %w", err)
		}
		return err
	}
	_, dial := errors.AsType[*pgconn.ConnectError](err)
	if dial || pgconn.Timeout(err) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("the database does not answer: %w", err)
	}
	return err
}

func (c *cluster) close() error {
	err := c.sql.Close()
	c.pool.Close()
	return err
}
