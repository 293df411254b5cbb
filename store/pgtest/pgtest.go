//go:build unix

// Package pgtest runs a temporary PostgreSQL for tests: a separate cluster on a free loopback port,
// in a temporary folder.
//
// Tests that only need a database share one cluster for their whole binary ([Start]); tests that
// stop or kill the database have their own ([New]). Only the cluster of a benchmark waits for the
// disk. Without PostgreSQL on the machine a test is skipped or, if DUEL_REQUIRE_POSTGRES is set,
// fails.
package pgtest

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
)

//go:embed postgres.sh
var script string

// A Server is a cluster and its server process. Stop, Kill and Start are for tests of a database
// that is lost and comes back at the same address.
type Server struct {
	port      int
	mu        sync.Mutex
	process   *exec.Cmd // runs the script
	in        io.WriteCloser
	out       *bufio.Scanner
	databases atomic.Int64
}

// shared returns the clusters of the test binary: one for its tests and one for its benchmarks.
var shared = [2]func() (*Server, error){
	sync.OnceValues(func() (*Server, error) { return launch("off") }),
	sync.OnceValues(func() (*Server, error) { return launch("on") }),
}

// Start returns the address of a new, empty database for a test, in the cluster that all tests of
// the binary share.
func Start(t testing.TB) (dsn string) {
	t.Helper()
	get := shared[0]
	if _, ok := t.(*testing.B); ok {
		get = shared[1]
	}
	s, err := get()
	require(t, err)
	return s.Database(t)
}

// New returns a cluster for one test, which may stop and restart it. It is removed after the test.
func New(t testing.TB) *Server {
	t.Helper()
	s, err := launch("off")
	require(t, err)
	t.Cleanup(func() {
		if err := errors.Join(s.in.Close(), s.process.Wait()); err != nil {
			t.Error(err)
		}
	})
	return s
}

// errMissing means that PostgreSQL is not installed.
var errMissing = errors.New("no PostgreSQL server is installed here (Debian package postgresql)")

// require skips or fails a test that has no database, or not the one it wants.
func require(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, errMissing) && os.Getenv("DUEL_REQUIRE_POSTGRES") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// launch starts a cluster. PostgreSQL refuses to run as root, but not as its own user.
func launch(fsync string) (*Server, error) {
	const unprivileged = `[ $(id -u) != 0 ] || exec su -s /bin/sh postgres -c "$0"; eval "$0"`
	s := &Server{process: exec.Command("/bin/sh", "-c", unprivileged, script)}
	s.process.Env = append(os.Environ(), "FSYNC="+fsync)
	in, err := s.process.StdinPipe()
	out, err2 := s.process.StdoutPipe()
	if err := errors.Join(err, err2, s.process.Start()); err != nil {
		return nil, err
	}
	s.in, s.out = in, bufio.NewScanner(out)
	s.out.Scan()
	if s.out.Text() == "missing" {
		return nil, errMissing
	}
	if s.port, err = strconv.Atoi(s.out.Text()); err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	return s, nil
}

// do lets the script do something.
func (s *Server) do(words string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := fmt.Fprintln(s.in, words); err != nil {
		return err
	}
	if s.out.Scan(); s.out.Text() != "ok" {
		return fmt.Errorf("postgres: %s: %s", words, s.out.Text())
	}
	return nil
}

// Database returns the address of a new, empty database of the cluster. It is dropped after the
// test.
func (s *Server) Database(t testing.TB) (dsn string) {
	t.Helper()
	name := fmt.Sprintf("test%d", s.databases.Add(1))
	require(t, s.do("create "+name))
	// If the test has stopped the server, the database is removed with the folder.
	t.Cleanup(func() { _ = s.do("drop " + name) })
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", s.port, name)
}

// Stop stops the server; its clients lose their connections.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	require(t, s.do("stop"))
}

// Kill ends the server like a crash: it writes nothing more, and the next start recovers.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	require(t, s.do("kill"))
}

// Start restarts the server at the same address.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	require(t, s.do("start"))
}
