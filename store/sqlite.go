package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"digitduel/match"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A file is a database of SQLite, with three handles: durable for writes that must be on the disk
// at once, relaxed for other writes, and read. Readers and a writer do not wait for each other.
type file struct {
	name   string
	place  place
	part   int  // the part of the counts it adds to
	server bool // whether it is a server; other programs report their events in the news

	durable *sql.DB // one connection, synchronous=FULL
	relaxed *sql.DB // one connection, synchronous=NORMAL
	read    *sql.DB

	lockFile *sql.DB // nil, or has the lock of the server
	held     *sql.Conn

	// writing holds a token for the writer. SQLite has a lock too, but polls at growing intervals.
	writing chan struct{}

	prepared map[string]*sql.Stmt // the statements of a commit, by text
}

// pragmas are set on every connection to a database in use. The busy timeout waits for the lock of
// another process.
var pragmas = []string{
	fmt.Sprintf("busy_timeout(%d)", patience.Milliseconds()),
	"journal_mode(WAL)", "foreign_keys(1)",
}

func openSQLite(ctx context.Context, d *DB, where string) (err error) {
	name, err := filepath.Abs(where)
	if err != nil {
		return err
	}
	f := &file{
		name: name, part: partOf(d.id), server: d.server,
		writing: make(chan struct{}, 1), prepared: map[string]*sql.Stmt{},
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("database %s: %w", where, f.explain(err)), f.close())
		}
	}()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	if d.server {
		if err := f.lockServer(ctx); errors.Is(err, errServed) {
			return fmt.Errorf("%w; allowed: one, or any number on one PostgreSQL", err)
		} else if err != nil {
			return err
		}
	}
	if err := refuseEmptied(name); err != nil {
		return err
	}
	if asMade(name) != nil {
		d.log.Warn("the database file was empty; creating a new database", "file", where)
	}
	if err := createPrivate(name); err != nil {
		return err
	}
	writes := []string{"synchronous(FULL)", "cache_size(-32000)", "journal_size_limit(64000000)"}
	f.durable = openRaw(name, 1, slices.Concat(asMade(name), pragmas, writes)...)
	f.relaxed = openFile(name, 1, "synchronous(NORMAL)")
	f.read = openFile(name, 4, "query_only(1)")
	if err := f.begin(ctx, d.upgrade()); err != nil {
		return err
	}
	if err := f.prepare(ctx); err != nil {
		return err
	}
	if err := f.place.note(name); err != nil {
		return err
	}
	d.engine, d.sql = f, f.read
	return nil
}

// createPrivate creates an empty file that only its owner can read, if there is none. It does not
// open an existing file: closing it would drop the locks of this process.
func createPrivate(name string) error {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(chownToFolder(file), file.Close())
}

// asMade returns the pragmas that must be set before an empty file is written.
func asMade(name string) []string {
	if info, err := os.Stat(name); err == nil && info.Size() == 0 {
		return []string{shrinkable}
	}
	return nil
}

// openFile returns a handle on a database in use.
func openFile(name string, connections int, more ...string) *sql.DB {
	return openRaw(name, connections, slices.Concat(pragmas, more)...)
}

// openRaw returns a handle on a file of SQLite, which must exist.
func openRaw(name string, connections int, pragmas ...string) *sql.DB {
	q := url.Values{"mode": {"rw"}, "_txlock": {"immediate"}, "_pragma": pragmas}
	u := url.URL{
		Scheme: "file", OmitHost: true, Path: filepath.ToSlash(name), RawQuery: q.Encode(),
	}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		panic(err) // the only possible error is a missing driver
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db
}

// openMemory returns a handle on an empty database in memory.
func openMemory() *sql.DB {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		panic(err) // as above
	}
	db.SetMaxOpenConns(1)
	return db
}

// lockServer takes the lock of a server. It locks another file, so that commands can use this one,
// and the lock ends with the process in any case.
func (f *file) lockServer(ctx context.Context) error {
	name := f.name + ".lock"
	if err := createPrivate(name); err != nil {
		return err
	}
	f.lockFile = openRaw(name, 1, "journal_mode(MEMORY)")
	var err error
	if f.held, err = f.lockFile.Conn(ctx); err == nil {
		_, err = f.held.ExecContext(ctx, "BEGIN EXCLUSIVE") // a transaction that never ends
	}
	if codeOf(err) == sqlite3.SQLITE_BUSY {
		err = fmt.Errorf("%w (and holds %s)", errServed, name)
	}
	if err != nil {
		return errors.Join(err, f.unlockServer())
	}
	return nil
}

// unlockServer releases the lock of a server.
func (f *file) unlockServer() error {
	var errs []error
	if f.held != nil {
		errs = append(errs, f.held.Close())
	}
	if f.lockFile != nil {
		errs = append(errs, f.lockFile.Close())
	}
	f.held, f.lockFile = nil, nil
	return errors.Join(errs...)
}

// errServed means that a database has a server.
var errServed = errors.New("another server serves it")

// upgradeTime is how long an upgrade by another process may take.
const upgradeTime = time.Minute

// begin upgrades the schema. It waits for locks, which SQLite does not do when several processes
// are the first to use a file.
func (f *file) begin(ctx context.Context, u upgrade) error {
	for deadline := time.Now().Add(upgradeTime); ; {
		err := u.run(ctx, f.durable, inSQLite)
		if codeOf(err) != sqlite3.SQLITE_BUSY || time.Now().After(deadline) {
			return err
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// prepare prepares the statements of a commit.
func (f *file) prepare(ctx context.Context) error {
	texts := []string{addEvent, setTable, setDeadline, addGame, publishGames, addCount}
	for _, text := range texts {
		s, err := f.durable.PrepareContext(ctx, text) //nolint:sqlclosecheck // f.close closes it
		if err != nil {
			return err
		}
		f.prepared[text] = s
	}
	return nil
}

func (f *file) commit(group []*entry) error {
	return f.keep(context.Background(), func(tx *sql.Tx) error { return f.add(tx, group) })
}

// finish commits durable writes and checks that they are in a file that can be found.
func (f *file) finish(tx *sql.Tx) error {
	if err := tx.Commit(); err != nil {
		return commitError(err)
	}
	if err := f.place.look(); err != nil { // it may have been lost before the commit
		return fmt.Errorf("%w: %w", match.ErrInDoubt, err)
	}
	return nil
}

// commitError adds [match.ErrInDoubt] to an error of a commit after which the data may be stored,
// as after an error of the disk. A full disk or a lock of others means that it is not.
func commitError(err error) error {
	switch codeOf(err) {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY:
		return err
	}
	return fmt.Errorf("%w: %w", match.ErrInDoubt, err)
}

// add writes a group of events.
func (f *file) add(tx *sql.Tx, group []*entry) error {
	slices.SortFunc(group, byTable) // neighbors share pages
	statements := map[string]*sql.Stmt{}
	exec := func(text string, args ...any) (sql.Result, error) {
		if statements[text] == nil {
			statements[text] = tx.Stmt(f.prepared[text])
		}
		return statements[text].Exec(args...)
	}
	var added []*entry
	for _, e := range group {
		n, err := affected(exec(addEvent, e.table, e.seq, e.at, e.body))
		if err != nil {
			return err
		}
		if n == 0 {
			e.err = match.ErrConflict
			continue
		}
		added = append(added, e)
	}
	also, news := derivedOf(added, f.part)
	if !f.server {
		if err := addNews(tx, news); err != nil {
			return err
		}
	}
	for _, s := range also {
		if _, err := exec(s.text, s.args...); err != nil {
			return err
		}
	}
	return nil
}

func (f *file) write(ctx context.Context, do func(*sql.Tx) error) error {
	return f.transact(ctx, f.relaxed, do, (*sql.Tx).Commit)
}

func (f *file) keep(ctx context.Context, do func(*sql.Tx) error) error {
	return f.transact(ctx, f.durable, do, f.finish)
}

// transact runs do in a transaction of a handle, when no other write is under way.
func (f *file) transact(ctx context.Context, db *sql.DB, do, commit func(*sql.Tx) error) error {
	select {
	case f.writing <- struct{}{}:
		defer func() { <-f.writing }()
	case <-ctx.Done():
		return fmt.Errorf("the database is busy: %w", ctx.Err())
	}
	if err := f.place.look(); err != nil {
		return err
	}
	return transact(ctx, db, do, commit)
}

func (f *file) usable() error { return f.place.look() }

// lock does nothing: there is one writer at a time.
func (f *file) lock(context.Context, *sql.Tx) error { return nil }

func (f *file) snapshot(ctx context.Context) (*sql.Tx, error) {
	return f.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
}

// inspect lets SQLite check every page of the file.
func (f *file) inspect(ctx context.Context, damaged func(string)) error {
	var found []string
	err := eachRow(ctx, f.read, "PRAGMA integrity_check", nil, appendTo(&found))
	for _, text := range found {
		if text != "ok" {
			damaged(text)
		}
	}
	return err
}

func (f *file) backup(ctx context.Context, name string) error {
	db := openFile(f.name, 1)
	_, err := db.ExecContext(ctx, "VACUUM INTO $1", name)
	return errors.Join(err, db.Close())
}

// codeOf returns the code of an error of SQLite without its details, or 0.
func codeOf(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// lost returns false: a file has no connection to lose.
func (f *file) lost(error) bool { return false }

func (f *file) explain(err error) error {
	switch codeOf(err) {
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("the disk is full: %w", err)
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("the database is busy: %w", err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR:
		return fmt.Errorf("the database cannot be used: %w", err)
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("not a database of this program, or it is damaged: %w", err)
	}
	return err
}

// close closes the handles of a database. If the database was lost, they stay open until the
// program ends: closing the last one would write the log into the file and delete the other files
// by name, which may belong to another database.
func (f *file) close() error {
	var errs []error
	for _, db := range []*sql.DB{f.read, f.relaxed, f.durable} {
		if db != nil && f.place.lost.Load() == nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(append(errs, f.unlockServer())...)
}
