package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestLostFile removes the database file of a server while clients play. Nothing is acknowledged
// from then on until a restart, even if the file is back. After the restart, everything that was
// acknowledged or sent must be there.
func TestLostFile(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(t *testing.T, db string){
		"deleted": func(t *testing.T, db string) { must(t, os.Remove(db)) },
		"moved":   func(t *testing.T, db string) { must(t, os.Rename(db, db+".elsewhere")) },
		"replaced": func(t *testing.T, db string) {
			other := filepath.Join(t.TempDir(), "other.db")
			must(t, exec.Command(program(t), "admin", "backup", "--db", db, other).Run())
			must(t, os.Rename(other, db))
		},
		"its log deleted": func(t *testing.T, db string) { must(t, os.Remove(db+"-wal")) },
	} {
		t.Run(name, func(t *testing.T) {
			if !nightly && name != "deleted" {
				t.Skip("this loss is part of make nightly")
			}
			t.Parallel()
			db := filepath.Join(t.TempDir(), "duel.db")
			s := newServer(t, "--db", db)
			s.start()
			c := newClients(t, s)
			c.play(10)
			c.await(300)
			for _, suffix := range []string{"", "-wal"} { // to put them back later
				must(t, os.Link(db+suffix, db+suffix+".kept"))
			}
			lose(t, db)
			refuses := func() bool {
				return s.status("/readyz") == http.StatusServiceUnavailable && c.ledger.refusalCount() > 20
			}
			waitUntil(t, 20*time.Second, "the server is not ready and refuses requests", refuses)
			if status := s.status("/healthz"); status != http.StatusOK {
				t.Errorf("healthz: status %d, want 200", status)
			}
			_, answer, _ := s.ask("GET", "/readyz", "", "")
			if answer != "not ready: the database file was deleted, moved or replaced\n" {
				t.Errorf("readyz answers %q", answer)
			}
			for _, suffix := range []string{"", "-wal"} {
				must(t, os.Rename(db+suffix+".kept", db+suffix))
			}
			waitUntil(t, 20*time.Second, "the server still refuses requests", refuses)
			c.servers.set(s, false)
			s.end(syscall.SIGTERM)
			if n := strings.Count(s.log.String(), "the database cannot be written"); n != 1 {
				t.Errorf("the error was logged %d times, want once", n)
			}
			c.restart(s)
			c.awaitAll()
			c.ledger.checkRefusals(t, 7*time.Second+c.lag())
			c.checkAll(s, db)
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
