//go:build unix

// Package pgtest runs a throw-away PostgreSQL for tests: a cluster of its own on a free loopback port, in a temporary folder.
//
// Tests that need only a database share one cluster for their whole binary ([Start]); those that stop or kill the database
// have one of their own ([New]). A cluster does not wait for the disk, unless it is for a benchmark. A test without PostgreSQL on the machine is skipped, unless DUEL_REQUIRE_POSTGRES is set:
// then it fails.
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

// shared are the clusters of the test binary: that of its tests, and that of its benchmarks.
var shared [2]struct {
	once   sync.Once
	server *Server
	err    error
}

// Start returns the address of a fresh, empty database for a test, in the cluster that all tests of the binary share.
func Start(t testing.TB) (dsn string) {
	t.Helper()
	durable := isBenchmark(t)
	cluster := &shared[0]
	if durable {
		cluster = &shared[1]
	}
	cluster.once.Do(func() { cluster.server, cluster.err = launch(durable) })
	demand(t, cluster.err)
	return cluster.server.Database(t)
}

// New returns a cluster for one test, which may stop it and start it again. It is gone when the test is over.
func New(t testing.TB) *Server {
	t.Helper()
	s, err := launch(isBenchmark(t))
	demand(t, err)
	t.Cleanup(func() {
		if err := s.remove(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// errMissing says that there is no PostgreSQL on the machine.
var errMissing = errors.New("no PostgreSQL server is installed here (Debian package postgresql)")

// demand ends a test that has no database.
func demand(t testing.TB, err error) {
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

// launch makes a cluster and starts it.
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
	var dirs []string
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		dirs = append(dirs, filepath.Dir(path))
	}
	packaged, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // the pattern is well formed
	slices.SortFunc(packaged, func(a, b string) int { return version(b) - version(a) })
	for _, dir := range append(dirs, packaged...) {
		if runs(filepath.Join(dir, "initdb")) && runs(filepath.Join(dir, "postgres")) {
			return dir, nil
		}
	}
	return "", errMissing
}

// version returns the number in a path like /usr/lib/postgresql/15/bin.
func version(bin string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(bin))) // 0 for what is no number, which comes last
	return n
}

func runs(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode()&0o111 != 0
}

// findOwner returns whom the server runs as: PostgreSQL refuses to run as root.
func findOwner() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("a PostgreSQL server does not run as root, and its own user is missing: %w", err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
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

// Database returns the address of a fresh, empty database of the cluster. It is dropped after the test.
func (s *Server) Database(t testing.TB) (dsn string) {
	t.Helper()
	name := fmt.Sprintf("test%d", s.databases.Add(1))
	if err := s.exec(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// The test may have ended with the server stopped; then the database goes with the folder.
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
