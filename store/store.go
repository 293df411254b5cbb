// Package store keeps tables in a database: SQLite in a file, which needs no other program, or
// PostgreSQL 15 or later, which several servers can share. [DB] is a [match.Store] with lists,
// statistics, presence, exams, classes and backups.
//
// # Data
//
// The log of every table is stored event by event, and all other data is derived from it. Lists
// cannot read all logs, so an event that changes the row of its table also rewrites that row, and
// one that ends a game also adds a row for the game and counts it. All of this is written in the
// transaction of the event. A plain move costs one INSERT, and with a clock also an UPDATE of the
// deadline.
//
// # Durability
//
// Events are committed in groups: all events that wait when a commit is done go into the next one,
// and the callers share the wait for the disk. An event must be the next of its table, otherwise
// Append returns [match.ErrConflict]; the first of two writers wins, in one process or in two.
// Append returns when the event is on the disk (SQLite: synchronous=FULL in WAL mode), or with an
// error if it is not stored. If a connection to PostgreSQL is lost during a commit, the outcome is
// unknown: the same events are offered again until the database knows, and after a few seconds the
// error is [match.ErrInDoubt]. An error of the disk during a commit gives the same error. A file
// that is no longer where it was opened is not written to, since the data would be lost.
//
// # Several servers
//
// Servers on one PostgreSQL receive notices of each other's events ([DB.Listen]), know which of
// them are alive by a row that each writes every second, and see who is at each other's tables
// ([DB.Here], [DB.OtherServers]). They compare times, so their clocks should agree to a second. A
// file of SQLite has one server, enforced by a lock file. Commands such as backup can run at the
// same time, and so can other programs that add events, of which the server is notified.
package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"digitduel/match"
)

// A Config configures an open database. The zero Config is for a command that reads or maintains
// it.
type Config struct {
	Server bool             // serve tables; the database gets a heartbeat every second
	Now    func() time.Time // nil: time.Now
	Log    *slog.Logger     // for errors in the background; nil: none
}

// patience is how long the database may take to answer.
const patience = 5 * time.Second

// A DB is an open database. Its methods may be called from any goroutine.
type DB struct {
	engine engine
	sql    *sql.DB // for reading, and with PostgreSQL also for writing
	now    func() time.Time
	log    *slog.Logger
	id     string // identifies this DB among the open ones
	server bool
	shared bool // whether other servers may be on the same database

	queue  queue
	pulse  pulse
	guests guests

	events, commits atomic.Int64 // written so far

	running sync.WaitGroup // the committer and the heartbeat
	stop    context.CancelFunc
}

// An engine implements the parts that differ between SQLite and PostgreSQL.
type engine interface {
	// commit stores a group of events in one transaction. It returns an error if it stores none,
	// and sets the error of an event that is not the next of its table.
	commit(group []*entry) error
	// write runs do in a transaction that need not be on the disk when write returns.
	write(ctx context.Context, do func(*sql.Tx) error) error
	// keep runs do in a transaction that is on the disk when keep returns.
	keep(ctx context.Context, do func(*sql.Tx) error) error
	// lock prevents others from adding events until the transaction ends.
	lock(ctx context.Context, tx *sql.Tx) error
	// usable returns an error if the open files are no longer those of the database.
	usable() error
	// listen calls heard for the events of other programs, until ctx is done.
	listen(ctx context.Context, heard func(match.Notice)) error
	// snapshot begins a read-only transaction on a snapshot, without a time limit.
	snapshot(ctx context.Context) (*sql.Tx, error)
	// inspect calls damaged for each damage to the database files.
	inspect(ctx context.Context, damaged func(string)) error
	// backup writes a snapshot to an empty file of SQLite.
	backup(ctx context.Context, file string) error
	// alone runs do like keep, while no one else uses the database. No server may be alive now.
	alone(ctx context.Context, now time.Time, do func(*sql.Tx) error) error
	// shrink returns the space of rows that were deleted in a transaction to the system.
	shrink(ctx context.Context, tx *sql.Tx) error
	// lost reports whether a read failed because its connection was lost, and can be retried.
	lost(err error) bool
	// explain adds a plain description to an error of the database.
	explain(err error) error
	close() error
}

// Open opens a database and upgrades its schema. Where is a file or, if it begins with postgres://
// or postgresql://, the address of a PostgreSQL database. The caller closes it.
func Open(ctx context.Context, where string, o Config) (*DB, error) {
	d := &DB{now: o.Now, id: rand.Text(), server: o.Server}
	if d.now == nil {
		d.now = time.Now
	}
	d.log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	d.queue.init()
	d.pulse.init()
	open := openSQLite
	if strings.HasPrefix(where, "postgres://") || strings.HasPrefix(where, "postgresql://") {
		open = openPostgres
	}
	if err := open(ctx, d, where); err != nil {
		return nil, err
	}
	var background context.Context
	background, d.stop = context.WithCancel(context.Background())
	d.running.Go(d.commit)
	if o.Server {
		if err := d.begin(ctx); err != nil {
			return nil, errors.Join(err, d.Close())
		}
		d.running.Go(func() { d.beatLoop(background) })
	}
	return d, nil
}

// Close waits for writes under way and closes the database.
func (d *DB) Close() error {
	if !d.queue.close() {
		return nil
	}
	d.stop()
	d.running.Wait()
	return errors.Join(d.leave(context.Background()), d.engine.close())
}

// Ping reports whether the database can be read and written now.
func (d *DB) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := d.engine.usable(); err != nil {
		return err
	}
	var value string
	if err := d.sql.QueryRowContext(ctx, getSecret).Scan(&value); err != nil {
		return d.engine.explain(err)
	}
	return d.engine.explain(d.engine.write(ctx, func(tx *sql.Tx) error {
		return execute(ctx, tx, setMeta, "ping", d.now().UTC().Format(time.RFC3339Nano))
	}))
}

const (
	setMeta = "INSERT INTO meta (name, value) VALUES ($1, $2) " +
		"ON CONFLICT (name) DO UPDATE SET value = excluded.value"
	getSecret = "SELECT value FROM meta WHERE name = 'secret'"
)

// Secret returns the 32 random bytes that were made with the database and are shared by its
// servers.
func (d *DB) Secret(ctx context.Context) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var text string
	if err := d.sql.QueryRowContext(ctx, getSecret).Scan(&text); err != nil {
		return nil, fmt.Errorf("read the secret of the database: %w", d.engine.explain(err))
	}
	return base64.StdEncoding.DecodeString(text)
}

// mostNote is the size of the longest note, in bytes.
const mostNote = 1 << 18

// Note returns the text saved under a name, or nil.
func (d *DB) Note(ctx context.Context, name string) (text []byte, err error) {
	const get = "SELECT value FROM meta WHERE name = $1"
	err = d.query(ctx, get, []any{"note " + name}, func(rows *sql.Rows) error {
		err := rows.Scan(&text)
		_, text, _ = bytes.Cut(text, []byte(" ")) // the time
		return err
	})
	return text, err
}

// SetNote saves a text under a name durably, in place of an earlier one, until [DB.Prune] deletes
// it.
func (d *DB) SetNote(ctx context.Context, name string, text []byte) error {
	if err := checkLength(string(text), mostNote); err != nil {
		return err
	}
	return d.keep(ctx, func(ctx context.Context, tx *sql.Tx) error {
		// Such times compare like texts.
		value := fmt.Sprintf("%016d %s", micros(d.now()), text)
		return execute(ctx, tx, setMeta, "note "+name, value)
	})
}

// newSecret returns a secret as text.
func newSecret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // it never fails
	return base64.StdEncoding.EncodeToString(b[:])
}

// query calls scan for each row. If the connection is lost before the first row, it tries another
// one.
func (d *DB) query(
	ctx context.Context, statement string, args []any, scan func(*sql.Rows) error,
) error {
	if err := d.engine.usable(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	scanned := false
	read := func() error {
		return eachRow(ctx, d.sql, statement, args, func(rows *sql.Rows) error {
			scanned = true
			return scan(rows)
		})
	}
	err := read()
	if err != nil && !scanned && ctx.Err() == nil && d.engine.lost(err) {
		err = read()
	}
	return d.engine.explain(err)
}

// A queryer is a database or a transaction.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// eachRow calls scan for each row that a query finds.
func eachRow(
	ctx context.Context, from queryer, query string, args []any, scan func(*sql.Rows) error,
) error {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// appendTo returns a scan that appends the text of each row to all.
func appendTo(all *[]string) func(*sql.Rows) error {
	return func(rows *sql.Rows) error {
		var text string
		err := rows.Scan(&text)
		*all = append(*all, text)
		return err
	}
}

// execute runs a statement in a transaction.
func execute(ctx context.Context, tx *sql.Tx, text string, args ...any) error {
	_, err := tx.ExecContext(ctx, text, args...)
	return err
}

// transact runs do in a transaction of db, and commits it.
func transact(ctx context.Context, db *sql.DB, do, commit func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return err
	}
	return commit(tx)
}

// micros and fromMicros convert times to and from their form in the database.
func micros(t time.Time) int64 { return t.UnixMicro() }

func fromMicros(n int64) time.Time { return time.UnixMicro(n).UTC() }
