package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net/url"
	"slices"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"
)

// A recorder hears every statement that goes to a database.
type recorder struct {
	mu    sync.Mutex
	heard map[string][]any // the arguments of the last time, if they are known
	whole map[string]bool  // those that are meant to read everything
	all   bool             // whether what is heard now is
}

// record puts a recorder between a DB, which nobody uses yet, and its database.
func record(t testing.TB, d *DB) *recorder {
	t.Helper()
	r := &recorder{heard: map[string][]any{}, whole: map[string]bool{}}
	var err error
	switch e := d.engine.(type) {
	case *file:
		for _, handle := range []**sql.DB{&e.durable, &e.relaxed, &e.read} {
			before := *handle
			q := url.Values{"_txlock": {"immediate"}, "_pragma": pragmas}
			*handle = sql.OpenDB(listener{r, before.Driver(), "file:" + e.name + "?" + q.Encode()})
			(*handle).SetMaxOpenConns(1)
			err = errors.Join(err, (*handle).PingContext(t.Context()), before.Close()) // in this order, so that the file stays open
		}
		d.sql = e.read
		err = errors.Join(err, e.prepare(t.Context()))
	case *cluster:
		config := e.pool.Config()
		config.ConnConfig.Tracer = r
		shut(t, e.sql)
		e.pool.Close()
		if e.pool, err = pgxpool.NewWithConfig(t.Context(), config); err == nil {
			e.sql = stdlib.OpenDBFromPool(e.pool)
			d.sql = e.sql
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *recorder) hear(text string, args []any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.heard[text] = args
	if r.all {
		r.whole[text] = true
	}
}

// readsAll runs what is meant to read everything.
func (r *recorder) readsAll(do func()) {
	r.mu.Lock()
	r.all = true
	r.mu.Unlock()
	do()
	r.mu.Lock()
	r.all = false
	r.mu.Unlock()
}

// TraceQueryStart, TraceQueryEnd, TraceBatchStart, TraceBatchQuery and TraceBatchEnd are called by
// pgx.
func (r *recorder) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	r.hear(data.SQL, data.Args)
	return ctx
}

func (r *recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (r *recorder) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (r *recorder) TraceBatchQuery(_ context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	r.hear(data.SQL, data.Args)
}

func (r *recorder) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// A listener makes connections to SQLite that report their statements to a recorder.
type listener struct {
	*recorder
	driver driver.Driver
	name   string
}

func (l listener) Driver() driver.Driver { return l.driver }

func (l listener) Connect(context.Context) (driver.Conn, error) {
	c, err := l.driver.Open(l.name)
	if err != nil {
		return nil, err
	}
	return overheard{c.(conn), l.recorder}, nil
}

// A conn is what a connection to SQLite can do.
type conn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.ExecerContext
	driver.QueryerContext
	sqlite.FileControl
}

type overheard struct {
	conn
	*recorder
}

func (o overheard) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	o.hear(text, nil)
	return o.conn.PrepareContext(ctx, text)
}

func (o overheard) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	o.hear(text, nil)
	return o.conn.ExecContext(ctx, text, args)
}

func (o overheard) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	o.hear(text, nil)
	return o.conn.QueryContext(ctx, text, args)
}

// statements returns what was heard.
func (r *recorder) statements() (all []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for text := range r.heard {
		all = append(all, text)
	}
	slices.Sort(all)
	return all
}
