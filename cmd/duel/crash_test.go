package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"digitduel/store/pgtest"
)

// databases create an empty database of each kind.
var databases = map[string]func(*testing.T) string{
	"sqlite":   func(t *testing.T) string { return filepath.Join(keptDir(t), "duel.db") },
	"postgres": func(t *testing.T) string { return pgtest.Start(t) },
}

// TestCrash kills a server again and again while many clients play. Everything that it acknowledged
// or sent must be there afterwards, once and unchanged.
func TestCrash(t *testing.T) {
	t.Parallel()
	for name, database := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := database(t)
			s := newServer(t, "--db", db)
			s.start()
			c := newClients(t, s)
			c.play(30)
			c.repeatKills(50, func() {
				c.kill(s)
				c.restart(s)
			})
			c.awaitAll()
			c.checkAll(s, db)
		})
	}
}

// TestFullDisk lets the disk of a server run full while clients play, and then makes room.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	for name, tight := range map[string]func(t *testing.T) (s *server, db string, widen func()){
		"disk":  tightDisk,
		"limit": tightLimit,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, db, widen := tight(t)
			s.start()
			c := newClients(t, s)
			c.play(10)
			waitUntil(t, time.Minute, "the server is not ready and refuses requests", func() bool {
				return s.status("/readyz") == http.StatusServiceUnavailable && c.ledger.refusalCount() > 20
			})
			if status := s.status("/healthz"); status != http.StatusOK {
				t.Errorf("healthz: status %d, want 200", status)
			}
			c.checkTables(s, c.ledger.sample(c.rng, 5)...)
			if !strings.Contains(s.log.String(), `msg="a request failed"`) {
				t.Errorf("%d requests were refused, but no error was logged",
					c.ledger.refusalCount())
			}
			widen()
			waitUntil(t, 20*time.Second, "the server is ready", func() bool {
				return s.status("/readyz") == http.StatusOK
			})
			c.awaitAll()
			c.ledger.checkRefusals(t, 7*time.Second+c.lag())
			c.checkAll(s, db)
		})
	}
}

// tightDisk returns a server whose database is on an almost full disk.
func tightDisk(t *testing.T) (s *server, db string, widen func()) {
	disk := t.TempDir()
	mount := exec.Command("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk)
	if out, err := mount.CombinedOutput(); err != nil {
		t.Skipf("cannot mount a small disk: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", disk).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	ballast := filepath.Join(disk, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 7<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	db = filepath.Join(disk, "duel.db")
	s = newServer(t, "--db", db)
	return s, db, func() {
		if !strings.Contains(s.log.String(), "the disk is full") {
			t.Errorf("the log does not say that the disk is full")
		}
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
	}
}

// tightLimit returns a server that cannot write large files.
func tightLimit(t *testing.T) (s *server, db string, widen func()) {
	if _, err := exec.LookPath("prlimit"); err != nil {
		t.Skip(err)
	}
	db = filepath.Join(t.TempDir(), "duel.db")
	s = newServer(t, "--db", db)
	s.wrapper = []string{"sh", "-c", `ulimit -S -f 2048 && exec "$@"`, "sh"}
	return s, db, func() {
		if !strings.Contains(s.log.String(), "the database cannot be used") {
			t.Errorf("the log does not say that the database cannot be used")
		}
		s.wrapper = nil
		pid := strconv.Itoa(s.process.Process.Pid)
		out, err := exec.Command("prlimit", "--pid", pid, "--fsize=unlimited").CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
}
