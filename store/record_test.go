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

// A recorder records every statement that is sent to a database.
type recorder struct {
	mu         sync.Mutex
	args       map[string][]any // the last arguments by statement, if known
	readsWhole map[string]bool  // the statements that may read everything
	whole      bool             // whether the current statements may read everything
}

// startRecording puts a recorder between a DB, which must not be in use yet, and its database.
func startRecording(t testing.TB, d *DB) *recorder {
	t.Helper()
	r := &recorder{args: map[string][]any{}, readsWhole: map[string]bool{}}
	var err error
	switch e := d.engine.(type) {
	case *file:
		for _, handle := range []**sql.DB{&e.durable, &e.relaxed, &e.read} {
			before := *handle
			q := url.Values{"_txlock": {"immediate"}, "_pragma": pragmas}
			*handle = sql.OpenDB(recordingConnector{r, before.Driver(), "file:" + e.name + "?" + q.Encode()})
			(*handle).SetMaxOpenConns(1)
			// The order keeps the file open.
			err = errors.Join(err, (*handle).PingContext(t.Context()), before.Close())
		}
		d.sql = e.read
		err = errors.Join(err, e.prepare(t.Context()))
	case *cluster:
		config := e.pool.Config()
		config.ConnConfig.Tracer = r
		mustClose(t, e.sql)
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

func (r *recorder) add(text string, args []any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.args[text] = args
	if r.whole {
		r.readsWhole[text] = true
	}
}

// readsAll calls do, whose statements may read everything.
func (r *recorder) readsAll(do func()) {
	r.mu.Lock()
	r.whole = true
	r.mu.Unlock()
	do()
	r.mu.Lock()
	r.whole = false
	r.mu.Unlock()
}

// TraceQueryStart, TraceQueryEnd, TraceBatchStart, TraceBatchQuery and TraceBatchEnd are called by
// pgx.
func (r *recorder) TraceQueryStart(
	ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData,
) context.Context {
	r.add(data.SQL, data.Args)
	return ctx
}

func (r *recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (r *recorder) TraceBatchStart(
	ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData,
) context.Context {
	return ctx
}

func (r *recorder) TraceBatchQuery(_ context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	r.add(data.SQL, data.Args)
}

func (r *recorder) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// A recordingConnector opens connections to SQLite that report their statements to a recorder.
type recordingConnector struct {
	*recorder
	driver driver.Driver
	name   string
}

func (l recordingConnector) Driver() driver.Driver { return l.driver }

func (l recordingConnector) Connect(context.Context) (driver.Conn, error) {
	c, err := l.driver.Open(l.name)
	if err != nil {
		return nil, err
	}
	return recordingConn{c.(conn), l.recorder}, nil
}

// A conn has the methods of a connection to SQLite.
type conn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.ExecerContext
	driver.QueryerContext
	sqlite.FileControl
}

// A recordingConn reports its statements to a recorder.
type recordingConn struct {
	conn
	*recorder
}

func (o recordingConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	o.add(text, nil)
	return o.conn.PrepareContext(ctx, text)
}

func (o recordingConn) ExecContext(
	ctx context.Context, text string, args []driver.NamedValue,
) (driver.Result, error) {
	o.add(text, nil)
	return o.conn.ExecContext(ctx, text, args)
}

func (o recordingConn) QueryContext(
	ctx context.Context, text string, args []driver.NamedValue,
) (driver.Rows, error) {
	o.add(text, nil)
	return o.conn.QueryContext(ctx, text, args)
}

// statements returns the recorded statements.
func (r *recorder) statements() (all []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for text := range r.args {
		all = append(all, text)
	}
	slices.Sort(all)
	return all
}
