package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/store/pgtest"

	"github.com/jackc/pgx/v5/pgconn"
)

// A proxy sits between a client and PostgreSQL, and can lose data and connections.
type proxy struct {
	target string
	mu     sync.Mutex
	watch  func(fromServer bool, data []byte) action // nil to forward all
	dead   bool                                      // refuse new connections
}

// An action says how a proxy treats data.
type action int

const (
	pass action = iota
	cut         // drop the data and close the connection
	hang        // drop the data and everything after it
)

// newProxy returns a proxy for a database, and the address of the database through it.
func newProxy(t *testing.T, dsn string) (*proxy, string) {
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &proxy{target: u.Host}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { w.forward(t, client) })
		}
	})
	t.Cleanup(func() { // runs after its clients have closed
		_ = l.Close()
		wg.Wait()
	})
	u.Host = l.Addr().String()
	return w, u.String()
}

// set changes the behavior of the proxy.
func (w *proxy) set(dead bool, watch func(fromServer bool, data []byte) action) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dead, w.watch = dead, watch
}

// forward forwards the data of a connection in both directions.
func (w *proxy) forward(t *testing.T, client net.Conn) {
	defer client.Close()
	w.mu.Lock()
	dead := w.dead
	w.mu.Unlock()
	if dead {
		return
	}
	server, err := net.Dial("tcp", w.target)
	if err != nil {
		t.Error(err)
		return
	}
	defer server.Close()
	done := make(chan struct{}, 2)
	copyData := func(to, from net.Conn) {
		defer func() { done <- struct{}{} }()
		buffer := make([]byte, 64<<10)
		for hung := false; ; {
			n, err := from.Read(buffer)
			if err != nil {
				return
			}
			if hung {
				continue
			}
			switch w.decide(from == server, buffer[:n]) {
			case pass:
				if _, err := to.Write(buffer[:n]); err != nil {
					return
				}
			case cut:
				return
			case hang:
				hung = true
			}
		}
	}
	go copyData(server, client)
	go copyData(client, server)
	<-done
	_ = server.Close()
	_ = client.Close()
	<-done
}

// decide returns the action for data. An action other than pass is taken once.
func (w *proxy) decide(fromServer bool, data []byte) action {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.watch == nil {
		return pass
	}
	v := w.watch(fromServer, data)
	if v != pass {
		w.watch = nil
	}
	return v
}

// isCommitted reports whether data is the answer to a commit.
func isCommitted(fromServer bool, data []byte) bool {
	return fromServer && bytes.Contains(data, []byte("COMMIT\x00"))
}

// onRequest returns a watch that takes an action on the first request after an event was added,
// which is the commit.
func onRequest(v action) func(bool, []byte) action {
	added := false
	return func(fromServer bool, data []byte) action {
		if added && !fromServer {
			return v
		}
		added = added || fromServer && bytes.Contains(data, []byte("INSERT 0 1\x00"))
		return pass
	}
}

// onAnswer returns a watch that takes an action on the answer to a commit.
func onAnswer(v action) func(bool, []byte) action {
	return func(fromServer bool, data []byte) action {
		if isCommitted(fromServer, data) {
			return v
		}
		return pass
	}
}

// TestACommitInDoubt loses the connection before or after a commit took place, which looks the same
// to the client: each event is stored once.
func TestACommitInDoubt(t *testing.T) {
	tests := []struct {
		name  string
		watch func(bool, []byte) action
	}{
		{"the request is lost", onRequest(cut)},
		{"the answer is lost", onAnswer(cut)},
		{"the request hangs", onRequest(hang)},
		{"the answer hangs", onAnswer(hang)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dsn := pgtest.Start(t)
			w, proxied := newProxy(t, dsn)
			d := openAt(t, proxied, Config{})
			setup := match.Setup{Rules: digit.Dilemma, Terms: match.Terms{TurnTime: time.Hour}}
			steps := script(t, setup, fiveMoves+"; 2 2c")
			appendSteps(t, d, "t", steps[:7])
			w.set(false, test.watch)
			began := time.Now()
			appendSteps(t, d, "t", steps[7:])
			if took := time.Since(began); took > 2*patience { // a machine may be busy
				t.Errorf("it took %v", took)
			}
			w.mu.Lock()
			if w.watch != nil {
				t.Error("the proxy did not act")
			}
			w.mu.Unlock()
			if n := checkWhole(t, openAt(t, dsn, Config{}), len(steps)); n != len(steps) {
				t.Errorf("%d events are stored, want %d", n, len(steps))
			}
		})
	}
}

// TestACommitInDoubtThatSomebodyElseMade loses a commit, and another writer stores the event before
// it is repeated: the repetition returns ErrConflict.
func TestACommitInDoubtThatSomebodyElseMade(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Start(t)
	w, proxied := newProxy(t, dsn)
	d, other := openAt(t, proxied, Config{}), openAt(t, dsn, Config{})
	steps := script(t, match.Setup{Rules: digit.Dilemma}, "began; 1 7a")
	appendSteps(t, d, "t", steps[:2])
	done := make(chan error, 1)
	lost := onRequest(cut)
	w.set(false, func(fromServer bool, data []byte) action {
		v := lost(fromServer, data)
		if v == cut { // the next request comes later, since it needs the lock of the proxy
			go func() { done <- other.Append(t.Context(), "t", steps[2].Event, steps[2].After) }()
			w.dead = true
		}
		return v
	})
	mine := steps[2]
	mine.Event.At = mine.Event.At.Add(time.Second)
	answer := make(chan error, 1)
	go func() { answer <- d.Append(t.Context(), "t", mine.Event, mine.After) }()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	w.set(false, nil)
	if err := <-answer; !errors.Is(err, match.ErrConflict) {
		t.Errorf("got %v, want %v", err, match.ErrConflict)
	}
	events, err := d.Events(t.Context(), "t", 2)
	if err != nil || len(events) != 1 || events[0].At != steps[2].Event.At {
		t.Errorf("%v, %v", events, err)
	}
}

// TestACommitThatStaysInDoubt loses the answer to a commit, and then the database: the error is
// ErrInDoubt.
func TestACommitThatStaysInDoubt(t *testing.T) {
	t.Parallel()
	w, proxied := newProxy(t, pgtest.Start(t))
	d := openAt(t, proxied, Config{})
	steps := script(t, match.Setup{Rules: digit.Dilemma}, "began")
	appendSteps(t, d, "t", steps[:1])
	w.set(false, func(fromServer bool, data []byte) action {
		if !isCommitted(fromServer, data) {
			return pass
		}
		w.dead = true
		return cut
	})
	began := time.Now()
	err := d.Append(t.Context(), "t", steps[1].Event, steps[1].After)
	if took := time.Since(began); took > 2*patience {
		t.Errorf("it took %v", took)
	}
	if !errors.Is(err, match.ErrInDoubt) ||
		!strings.Contains(err.Error(), "the connection was lost during a commit") {
		t.Errorf("got %v", err)
	}
	w.set(false, nil)
	err = d.Append(t.Context(), "t", steps[1].Event, steps[1].After)
	if !errors.Is(err, match.ErrConflict) {
		t.Errorf("append again: got %v, want %v", err, match.ErrConflict)
	}
}

// TestAMoveInDoubt loses the connection to PostgreSQL during the commit of a move, before or after
// it took place. A repeated move succeeds, and is played once.
func TestAMoveInDoubt(t *testing.T) {
	for name, lose := range map[string]func(bool, []byte) action{
		"not stored": onRequest(cut), "stored": onAnswer(cut),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, proxied := newProxy(t, pgtest.Start(t))
			d := openAt(t, proxied, Config{})
			table, err := match.Open(t.Context(), "t", match.Setup{Rules: digit.Dilemma}, d, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer table.Close()
			if _, err := table.Begin(t.Context()); err != nil {
				t.Fatal(err)
			}
			w.set(false, func(fromServer bool, data []byte) action {
				v := lose(fromServer, data)
				w.dead = w.dead || v == cut
				return v
			})
			move, _ := digit.ParseMove("7a")
			s, err := table.Play(t.Context(), match.One, move, 2)
			if !errors.Is(err, match.ErrInDoubt) || s.Seq != 2 {
				t.Fatalf("event %d, %v", s.Seq, err)
			}
			w.set(false, nil)
			for range 2 {
				if s, err := table.Play(t.Context(), match.One, move, 2); err != nil || s.Seq != 3 {
					t.Errorf("again: event %d, %v", s.Seq, err)
				}
			}
			if events, err := d.Events(t.Context(), "t", 0); err != nil || len(events) != 3 {
				t.Errorf("%d events are stored, %v, want 3", len(events), err)
			}
		})
	}
}

// TestALostDatabaseComesBack stops and crashes PostgreSQL while a server uses it: the server
// reports errors, and continues when PostgreSQL is back.
func TestALostDatabaseComesBack(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	where := s.Database(t)
	d := openAt(t, where, Config{Server: true})
	heard := listen(t, d)
	steps := script(t, match.Setup{Rules: digit.Dilemma}, fiveMoves)
	if err := d.Here(t.Context(), "t", match.Presence{Watchers: 7}); err != nil {
		t.Fatal(err)
	}
	for i, lose := range []func(testing.TB){s.Stop, s.Kill} {
		appendSteps(t, d, "t", steps[i:i+1])
		lose(t)
		began := time.Now()
		err := d.Append(t.Context(), "t", steps[i+1].Event, steps[i+1].After)
		_, readErr := d.Events(t.Context(), "t", 0)
		for _, err := range []error{err, readErr, d.Ping(t.Context())} {
			if err == nil || !strings.HasPrefix(err.Error(), "the database does not answer") {
				t.Errorf("without a database: %v", err)
			}
		}
		if took := time.Since(began); took > 2*patience { // a machine may be busy
			t.Errorf("that took %v", took)
		}
		s.Start(t)
		if err := d.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		skipTo(t, heard, match.Notice{})
		if events, err := d.Events(t.Context(), "t", 0); err != nil || len(events) != i+1 {
			t.Errorf("%d events, %v, want %d", len(events), err, i+1)
		}
	}
	// A restart between requests causes no error.
	s.Stop(t)
	s.Start(t)
	appendSteps(t, d, "t", steps[2:])
	// The crash has emptied the table of guests. When d listens again, it writes and announces its
	// guests.
	skipTo(t, heard, match.Notice{})
	other := openAt(t, where, Config{})
	heardByOther := listen(t, other)
	for {
		there, err := other.OtherServers(t.Context(), "t")
		if err != nil {
			t.Fatal(err)
		}
		if there["t"].Watchers == 7 {
			break
		}
		expect(t, heardByOther, match.Notice{Table: "t"})
	}
}

// A disk is a folder on a file system that can be filled and freed.
type disk struct {
	dir        string
	fill, free func()
}

// smallDisk mounts a small file system, or skips the test if it may not.
func smallDisk(t *testing.T) disk {
	dir := t.TempDir()
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", dir).Run(); err != nil {
		t.Skipf("cannot mount a small disk: %v", err)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	filler := filepath.Join(dir, "filler")
	fill := func() {
		f, err := os.Create(filler)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close() //nolint:errcheck // the disk is to be full
		for size := 64 << 10; size > 0; size /= 2 {
			for err = nil; err == nil; {
				_, err = f.Write(make([]byte, size))
			}
		}
	}
	free := func() {
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
	}
	return disk{dir, fill, free}
}

// TestAFullDisk fills the disk of a file, on a real file system and with a limit of SQLite.
func TestAFullDisk(t *testing.T) {
	t.Run("mounted", func(t *testing.T) {
		disk := smallDisk(t)
		d := openAt(t, filepath.Join(disk.dir, "duel.db"), Config{Server: true})
		fillUp(t, d, disk.fill, func() {
			err := d.Ping(t.Context())
			if err == nil || !strings.HasPrefix(err.Error(), "the disk is full: ") {
				t.Errorf("ping: %v", err)
			}
			disk.free()
		})
	})
	t.Run("limited", func(t *testing.T) {
		d := openAt(t, kinds[0].where(t), Config{})
		limit := func(pages int) {
			_, err := d.engine.(*file).durable.Exec(fmt.Sprint("PRAGMA max_page_count = ", pages))
			if err != nil {
				t.Fatal(err)
			}
		}
		fillUp(t, d, func() { limit(1) }, func() { limit(1 << 30) })
	})
}

// fillUp writes until the disk is full, frees it, and checks that writing works again and that all
// stored tables are there.
func fillUp(t *testing.T, d *DB, fill, free func()) {
	names := [2]string{strings.Repeat("é", 32), strings.Repeat("ö", 32)}
	setup := match.Setup{Rules: digit.Dilemma, Names: names}
	opened := script(t, setup, "")[0]
	var ids []string
	open := func() error {
		id := fmt.Sprint("t", len(ids))
		err := d.Append(t.Context(), id, opened.Event, opened.After)
		if err == nil {
			ids = append(ids, id)
		}
		return err
	}
	if err := open(); err != nil {
		t.Fatal(err)
	}
	fill()
	var err error
	for err == nil && len(ids) < 20000 {
		err = open()
	}
	if err == nil || !strings.HasPrefix(err.Error(), "the disk is full: ") {
		t.Errorf("after %d tables: %v", len(ids), err)
	}
	if err := open(); err == nil || !strings.HasPrefix(err.Error(), "the disk is full: ") {
		t.Errorf("again: %v", err)
	}
	free()
	if err := errors.Join(open(), open(), d.Ping(t.Context())); err != nil {
		t.Errorf("with room again: %v", err)
	}
	tables, err := d.Tables(t.Context(), match.TableFilter{})
	if err != nil || len(tables) != len(ids) {
		t.Errorf("%d tables are listed, %v, want %d", len(tables), err, len(ids))
	}
	for _, id := range ids {
		if events, err := d.Events(t.Context(), id, 0); err != nil || len(events) != 1 {
			t.Fatalf("%s has %d events, %v", id, len(events), err)
		}
	}
}

func TestErrorsOfPostgresArePlain(t *testing.T) {
	tests := []struct {
		err  error
		want string
	}{
		{nil, "<nil>"},
		{&pgconn.PgError{Severity: "ERROR", Code: "53100", Message: "could not extend file"}, "the disk is full: ERROR: could not extend file (SQLSTATE 53100)"},
		{&pgconn.PgError{Severity: "FATAL", Code: "57P01", Message: "shutting down"}, "the database cannot be used now: FATAL: shutting down (SQLSTATE 57P01)"},
		{&pgconn.PgError{Severity: "FATAL", Code: "53300", Message: "too many clients"}, "the database cannot be used now: FATAL: too many clients (SQLSTATE 53300)"},
		{&pgconn.PgError{Severity: "ERROR", Code: "42P01", Message: "no such table"}, "ERROR: no such table (SQLSTATE 42P01)"},
		{context.DeadlineExceeded, "the database does not answer: context deadline exceeded"},
		{context.Canceled, "context canceled"},
	}
	for _, test := range tests {
		if got := fmt.Sprint(new(cluster).explain(test.err)); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}
