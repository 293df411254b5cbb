// Package store keeps tables in a database: SQLite in a file, which needs nothing beside the program, or PostgreSQL 15 or
// later, which several servers can share. [DB] is a [match.Store] and more: lists, statistics, who is where, exams that are sat, backups.
//
// # What is kept
//
// The log of every table is kept event by event, and everything else follows from the logs; but lists cannot read them
// all, so beside an event a row about its table is rewritten if the event changed what is in it, and when it ended a game
// that game gets a row and is counted. All that is written in the transaction of the event. A plain move without a clock costs one
// INSERT, and with a clock also the new deadline.
//
// # How it is kept
//
// Events are committed in groups: whatever waits when the last commit is done goes into the next one, so a commit, which
// waits for the disk, is shared by everybody who is waiting for one. An event is either the next of its table, or there is
// [match.ErrConflict]; whichever of two writers is first wins, in one process or in two. Append returns when the event is on
// the disk (SQLite: synchronous=FULL in WAL mode), or with an error when it is not kept. A connection to PostgreSQL that is
// lost during a commit leaves open which of the two it is: then the same events are offered again until the database says
// what became of them, and if it does not within a few seconds the error is [match.ErrInDoubt]; so it is after an error of the
// disk in a commit. A file that is no longer where it was opened is not written to: nobody would find there what was kept.
//
// # Several servers
//
// Servers on one PostgreSQL hear of each other's events ([DB.Listen]), know which of them are alive by a row that each of
// them writes every second, and see each other's guests ([DB.Here], [DB.Elsewhere]). They compare times, so their clocks
// should agree to a second. A file of SQLite has one server, which a lock beside the file makes sure of; commands such as
// backup run beside it, and so does whoever adds events without being a server, of which the server hears too.
package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"digitduel/match"
)

// A Config says how a database is opened. The zero Config is for a command that looks at it or tidies it up.
type Config struct {
	Server bool             // whether tables are served from here, which is told in the database every second
	Now    func() time.Time // nil: time.Now
	Log    *slog.Logger     // for what goes wrong while nobody waits; nil: none
}

// patience is how long the database may take to answer before that is an error.
const patience = 5 * time.Second

// A DB is an open database. All its methods may be called from any goroutine.
type DB struct {
	engine engine
	sql    *sql.DB // for reading, and with PostgreSQL also for writing
	now    func() time.Time
	log    *slog.Logger
	id     string // of this DB among those that are open
	server bool
	shared bool // whether other servers may be on the same database

	queue  queue
	writes writes
	pulse  pulse
	guests guests

	running sync.WaitGroup // the committer and the heartbeat
	stop    context.CancelFunc
}

// An engine is what differs between SQLite and PostgreSQL.
type engine interface {
	// commit keeps a group of events in one transaction. It returns an error if none is kept, and sets that of a single one
	// that is not the next of its table.
	commit(group []*entry) error
	// write runs statements in one transaction that need not be on the disk when it returns.
	write(ctx context.Context, do func(*sql.Tx) error) error
	// keep runs statements in one transaction that is on the disk when it returns.
	keep(ctx context.Context, do func(*sql.Tx) error) error
	// lock keeps others from adding events until the transaction ends.
	lock(ctx context.Context, tx *sql.Tx) error
	// sound reports whether what is read and written here is what others find.
	sound() error
	listen(ctx context.Context, heard func(match.Notice)) error
	// snapshot begins a transaction that reads everything as of one moment, for as long as it takes.
	snapshot(ctx context.Context) (*sql.Tx, error)
	// inspect calls damaged for whatever is wrong with how the database itself is kept.
	inspect(ctx context.Context, damaged func(string)) error
	backup(ctx context.Context, file string) error
	// restore puts what a backup has in the place of everything, if there are no tables or they may be replaced.
	restore(ctx context.Context, b *backup, replace bool, now time.Time) error
	// shrink gives room that is not needed any more back to the system; nil: that is not done here.
	shrink(ctx context.Context) (*Room, error)
	// lost reports whether a read failed since its connection was lost, so that it may do better on another one.
	lost(err error) bool
	// explain says in plain words what an error of the database means.
	explain(err error) error
	close() error
}

// Open opens a database, which is a file or, if it begins with postgres:// or postgresql://, the address of a database
// of PostgreSQL, and brings its tables to the form this program knows. The caller closes it.
func Open(ctx context.Context, where string, o Config) (*DB, error) {
	d := &DB{now: o.Now, log: o.Log, id: rand.Text(), server: o.Server}
	if d.now == nil {
		d.now = time.Now
	}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
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
		d.running.Go(func() { d.beatOn(background) })
	}
	return d, nil
}

// Close waits until what is being written is written, and closes the database.
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
	if err := d.engine.sound(); err != nil {
		return err
	}
	var value string
	if err := d.sql.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'secret'").Scan(&value); err != nil {
		return d.engine.explain(err)
	}
	return d.engine.explain(d.engine.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, setMeta, "ping", d.now().UTC().Format(time.RFC3339Nano))
		return err
	}))
}

const setMeta = "INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value"

// Secret returns 32 random bytes that were made with the database, and that all its servers share.
func (d *DB) Secret(ctx context.Context) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var text string
	if err := d.sql.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'secret'").Scan(&text); err != nil {
		return nil, fmt.Errorf("the secret of the database: %w", d.engine.explain(err))
	}
	return base64.StdEncoding.DecodeString(text)
}

// newSecret returns a secret as text.
func newSecret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // it never fails
	return base64.StdEncoding.EncodeToString(b[:])
}

// query reads rows, one call of scan for each. Before there was one it tries another connection if the first was lost.
func (d *DB) query(ctx context.Context, statement string, args []any, scan func(*sql.Rows) error) error {
	if err := d.engine.sound(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	scanned := false
	read := func() error {
		rows, err := d.sql.QueryContext(ctx, statement, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			scanned = true
			if err := scan(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	}
	err := read()
	if err != nil && !scanned && ctx.Err() == nil && d.engine.lost(err) {
		err = read()
	}
	return d.engine.explain(err)
}

// micros and fromMicros turn times into what the database keeps, and back.
func micros(t time.Time) int64 { return t.UnixMicro() }

func fromMicros(n int64) time.Time { return time.UnixMicro(n).UTC() }
