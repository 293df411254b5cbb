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

// A wire lies between a client and PostgreSQL, and can be cut.
type wire struct {
	target string
	mu     sync.Mutex
	watch  func(fromServer bool, data []byte) verdict // nil: all is well
	dead   bool                                       // no new connections
}

// A verdict is what becomes of data on a wire.
type verdict int

const (
	pass verdict = iota
	cut          // it does not arrive, and the connection is gone
	hang         // it does not arrive, nor does anything after it
)

// newWire returns a wire to a database, and its address by the wire.
func newWire(t *testing.T, dsn string) (*wire, string) {
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{target: u.Host}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { w.carry(t, client) })
		}
	})
	t.Cleanup(func() { // after those that use it have closed
		_ = l.Close()
		wg.Wait()
	})
	u.Host = l.Addr().String()
	return w, u.String()
}

// set changes what happens on the wire.
func (w *wire) set(dead bool, watch func(fromServer bool, data []byte) verdict) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dead, w.watch = dead, watch
}

func (w *wire) carry(t *testing.T, client net.Conn) {
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
	carry := func(to, from net.Conn) {
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
			switch w.judge(from == server, buffer[:n]) {
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
	go carry(server, client)
	go carry(client, server)
	<-done
	_ = server.Close()
	_ = client.Close()
	<-done
}

func (w *wire) judge(fromServer bool, data []byte) verdict {
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

// onQuestion returns a watch that does something to the first question after an event was added,
// which is that of the commit.
func onQuestion(v verdict) func(bool, []byte) verdict {
	added := false
	return func(fromServer bool, data []byte) verdict {
		if added && !fromServer {
			return v
		}
		added = added || fromServer && bytes.Contains(data, []byte("INSERT 0 1\x00"))
		return pass
	}
}

// onAnswer returns a watch that does something to the answer to a commit.
func onAnswer(v verdict) func(bool, []byte) verdict {
	return func(fromServer bool, data []byte) verdict {
		if isCommitted(fromServer, data) {
			return v
		}
		return pass
	}
}

// TestACommitInDoubt cuts the wire before or after a commit took place, which looks the same from
// here.
func TestACommitInDoubt(t *testing.T) {
	tests := []struct {
		name  string
		watch func(bool, []byte) verdict
	}{
		{"the question is lost", onQuestion(cut)},
		{"the answer is lost", onAnswer(cut)},
		{"the question hangs", onQuestion(hang)},
		{"the answer hangs", onAnswer(hang)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dsn := pgtest.Start(t)
			w, wired := newWire(t, dsn)
			d := openAt(t, wired, Config{})
			steps := script(t, match.Setup{Rules: digit.Dilemma, Terms: match.Terms{TurnTime: time.Hour}}, fiveMoves+"; 2 2c")
			keep(t, d, "t", steps[:7])
			w.set(false, test.watch)
			begun := time.Now()
			keep(t, d, "t", steps[7:])
			if took := time.Since(begun); took > 2*patience { // a machine may be busy
				t.Errorf("that took %v", took)
			}
			w.mu.Lock()
			if w.watch != nil {
				t.Error("the wire was not touched")
			}
			w.mu.Unlock()
			if n := checkWhole(t, openAt(t, dsn, Config{}), len(steps)); n != len(steps) {
				t.Errorf("%d events are kept, want %d", n, len(steps))
			}
		})
	}
}

// TestACommitInDoubtThatSomebodyElseMade loses a request, and another writer is faster than the
// next one.
func TestACommitInDoubtThatSomebodyElseMade(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Start(t)
	w, wired := newWire(t, dsn)
	d, other := openAt(t, wired, Config{}), openAt(t, dsn, Config{})
	steps := script(t, match.Setup{Rules: digit.Dilemma}, "began; 1 7a")
	keep(t, d, "t", steps[:2])
	done := make(chan error, 1)
	lost := onQuestion(cut)
	w.set(false, func(fromServer bool, data []byte) verdict {
		v := lost(fromServer, data)
		if v == cut { // the next question comes after what is done here, since it needs the lock of the wire
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

// TestACommitThatStaysInDoubt loses the answer, and the database for good.
func TestACommitThatStaysInDoubt(t *testing.T) {
	t.Parallel()
	w, wired := newWire(t, pgtest.Start(t))
	d := openAt(t, wired, Config{})
	steps := script(t, match.Setup{Rules: digit.Dilemma}, "began")
	keep(t, d, "t", steps[:1])
	w.set(false, func(fromServer bool, data []byte) verdict {
		if !isCommitted(fromServer, data) {
			return pass
		}
		w.dead = true
		return cut
	})
	begun := time.Now()
	err := d.Append(t.Context(), "t", steps[1].Event, steps[1].After)
	if took := time.Since(begun); took > 2*patience {
		t.Errorf("that took %v", took)
	}
	if !errors.Is(err, match.ErrInDoubt) || !strings.Contains(err.Error(), "the connection was lost during a commit") {
		t.Errorf("got %v", err)
	}
	w.set(false, nil)
	if err := d.Append(t.Context(), "t", steps[1].Event, steps[1].After); !errors.Is(err, match.ErrConflict) {
		t.Errorf("it had taken place, but now: %v", err)
	}
}

// TestAMoveInDoubt loses PostgreSQL during the commit of a move, before or after it took place. A
// repeated move returns the outcome, and is played once.
func TestAMoveInDoubt(t *testing.T) {
	for name, lose := range map[string]func(bool, []byte) verdict{"not kept": onQuestion(cut), "kept": onAnswer(cut)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, wired := newWire(t, pgtest.Start(t))
			d := openAt(t, wired, Config{})
			table, err := match.Open(t.Context(), "t", match.Setup{Rules: digit.Dilemma}, d, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer table.Close()
			if _, err := table.Begin(t.Context()); err != nil {
				t.Fatal(err)
			}
			w.set(false, func(fromServer bool, data []byte) verdict {
				v := lose(fromServer, data)
				w.dead = w.dead || v == cut
				return v
			})
			move, _ := digit.ParseMove("7a")
			if s, err := table.Play(t.Context(), match.One, move, 2); !errors.Is(err, match.ErrInDoubt) || s.Seq != 2 {
				t.Fatalf("event %d, %v", s.Seq, err)
			}
			w.set(false, nil)
			for range 2 {
				if s, err := table.Play(t.Context(), match.One, move, 2); err != nil || s.Seq != 3 {
					t.Errorf("again: event %d, %v", s.Seq, err)
				}
			}
			if events, err := d.Events(t.Context(), "t", 0); err != nil || len(events) != 3 {
				t.Errorf("%d events are kept, %v", len(events), err)
			}
		})
	}
}

// TestALostDatabaseComesBack stops PostgreSQL, and crashes it, under a server.
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
		keep(t, d, "t", steps[i:i+1])
		lose(t)
		begun := time.Now()
		err := d.Append(t.Context(), "t", steps[i+1].Event, steps[i+1].After)
		_, readErr := d.Events(t.Context(), "t", 0)
		for _, err := range []error{err, readErr, d.Ping(t.Context())} {
			if err == nil || !strings.HasPrefix(err.Error(), "the database does not answer") {
				t.Errorf("without a database: %v", err)
			}
		}
		if took := time.Since(begun); took > 2*patience { // a machine may be busy
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
	// Of a restart nobody needs to notice anything.
	s.Stop(t)
	s.Start(t)
	keep(t, d, "t", steps[2:])
	// The crash has emptied the table of guests, which d fills again when it listens, and
	// announces.
	skipTo(t, heard, match.Notice{})
	other := openAt(t, where, Config{})
	told := listen(t, other)
	for {
		there, err := other.Elsewhere(t.Context(), "t")
		if err != nil {
			t.Fatal(err)
		}
		if there["t"].Watchers == 7 {
			break
		}
		expect(t, told, match.Notice{Table: "t"})
	}
}

// A disk is what a file of SQLite is on, which can be full.
type disk struct {
	dir        string
	fill, free func()
}

// smallDisk returns a file system with little room, where it may be mounted.
func smallDisk(t *testing.T) disk {
	dir := t.TempDir()
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", dir).Run(); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
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

func TestAFullDisk(t *testing.T) {
	t.Run("mounted", func(t *testing.T) {
		disk := smallDisk(t)
		d := openAt(t, filepath.Join(disk.dir, "duel.db"), Config{Server: true})
		fillUp(t, d, disk.fill, func() {
			if err := d.Ping(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "the disk is full: ") {
				t.Errorf("ping: %v", err)
			}
			disk.free()
		})
	})
	t.Run("limited", func(t *testing.T) {
		d := openAt(t, kinds[0].where(t), Config{})
		limit := func(pages int) {
			if _, err := d.engine.(*file).durable.Exec(fmt.Sprint("PRAGMA max_page_count = ", pages)); err != nil {
				t.Fatal(err)
			}
		}
		fillUp(t, d, func() { limit(1) }, func() { limit(1 << 30) })
	})
}

// fillUp writes until the disk is full, frees it, and goes on.
func fillUp(t *testing.T, d *DB, fill, free func()) {
	setup := match.Setup{Rules: digit.Dilemma, Names: [2]string{strings.Repeat("é", 32), strings.Repeat("ö", 32)}}
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
