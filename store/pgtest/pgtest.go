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
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// shared has the clusters of the test binary: one for its tests and one for its benchmarks.
var shared [2]struct {
	once   sync.Once
	server *Server
	err    error
}

// Start returns the address of a new, empty database for a test, in the cluster that all tests of
// the binary share.
func Start(t testing.TB) (dsn string) {
	t.Helper()
	durable := isBenchmark(t)
	cluster := &shared[0]
	if durable {
		cluster = &shared[1]
	}
	cluster.once.Do(func() { cluster.server, cluster.err = launch(durable) })
	require(t, cluster.err)
	return cluster.server.Database(t)
}

// New returns a cluster for one test, which may stop and restart it. It is removed after the test.
func New(t testing.TB) *Server {
	t.Helper()
	s, err := launch(isBenchmark(t))
	require(t, err)
	t.Cleanup(func() {
		if err := s.remove(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// errMissing means that PostgreSQL is not installed.
var errMissing = errors.New("no PostgreSQL server is installed here (Debian package postgresql)")

// require skips or fails a test that has no database.
func require(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, errMissing) && os.Getenv("DUEL_REQUIRE_POSTGRES") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func isBenchmark(t testing.TB) bool {
	_, is := t.(*testing.B)
	return is
}

// launch creates and starts a cluster.
func launch(durable bool) (*Server, error) {
	bin, err := findBin()
	if err != nil {
		return nil, err
	}
	owner, err := findOwner()
	if err != nil {
		return nil, err
	}
	dir, err := folderFor(owner)
	if err != nil {
		return nil, err
	}
	s := &Server{bin: bin, dir: dir, owner: owner, durable: durable}
	if err := s.create(); err != nil {
		return nil, errors.Join(err, s.remove())
	}
	return s, nil
}

// findBin returns the folder of the server's programs.
func findBin() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	packaged, _ := filepath.Glob("/usr/lib/postgresql/[1-9][0-9]/bin/initdb") // well formed
	if len(packaged) == 0 {
		return "", errMissing
	}
	return filepath.Dir(slices.Max(packaged)), nil
}

// findOwner returns the user to run the server as: PostgreSQL refuses to run as root.
func findOwner() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL cannot run as root: %w", err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, errors.Join(err, err2)
}

// folderFor returns a new folder that a user can reach. The temporary folder of root may be
// private.
func folderFor(owner *syscall.Credential) (string, error) {
	if owner == nil {
		return os.MkdirTemp("", "pg")
	}
	places := []string{os.TempDir(), "/tmp", "/var/tmp"}
	for _, place := range places {
		try := exec.Command("/bin/sh", "-c", `cd "$0"`, place)
		try.SysProcAttr = &syscall.SysProcAttr{Credential: owner}
		if try.Run() == nil {
			return os.MkdirTemp(place, "pg")
		}
	}
	return "", fmt.Errorf("the user of PostgreSQL can reach none of %s", strings.Join(places, ", "))
}

// Database returns the address of a new, empty database of the cluster. It is dropped after the
// test.
func (s *Server) Database(t testing.TB) (dsn string) {
	t.Helper()
	name := fmt.Sprintf("test%d", s.databases.Add(1))
	if err := s.exec(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// If the test has stopped the server, the database is removed with the folder.
		_ = s.exec(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)")
	})
	return s.dsn(name)
}

// exec runs a statement in the database that every cluster has.
func (s *Server) exec(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, s.dsn("postgres"))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, statement)
	return errors.Join(err, conn.Close(ctx))
}

func (s *Server) dsn(database string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", s.port, database)
}
