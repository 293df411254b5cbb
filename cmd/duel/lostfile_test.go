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

// TestLostFile takes the file away from a server while many play at it. From then on nothing is acknowledged, also when the file is
// back, until the server is started again; and then everything that it acknowledged or told anybody is there.
func TestLostFile(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(t *testing.T, db string){
		"deleted": func(t *testing.T, db string) { do(t, os.Remove(db)) },
		"moved":   func(t *testing.T, db string) { do(t, os.Rename(db, db+".elsewhere")) },
		"replaced": func(t *testing.T, db string) {
			other := filepath.Join(t.TempDir(), "other.db")
			do(t, exec.Command(program(t), "admin", "backup", "--db", db, other).Run())
			do(t, os.Rename(other, db))
		},
		"its log deleted": func(t *testing.T, db string) { do(t, os.Remove(db+"-wal")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := filepath.Join(t.TempDir(), "duel.db")
			s := newServer(t, "--db", db)
			s.start()
			c := newCrew(t, s)
			c.play(10)
			c.await(300)
			for _, suffix := range []string{"", "-wal"} { // to put them back later
				do(t, os.Link(db+suffix, db+suffix+".kept"))
			}
			lose(t, db)
			refuses := func() bool {
				return s.status("/readyz") == http.StatusServiceUnavailable && c.ledger.refused() > 20
			}
			within(t, 20*time.Second, "it is not ready and refuses", refuses)
			if status := s.status("/healthz"); status != http.StatusOK {
				t.Errorf("healthz answers %d", status)
			}
			if _, told, _ := s.ask("GET", "/readyz", "", ""); told != "not ready: the database file was deleted, moved or replaced\n" {
				t.Errorf("readyz answers %q", told)
			}
			for _, suffix := range []string{"", "-wal"} {
				do(t, os.Rename(db+suffix+".kept", db+suffix))
			}
			within(t, 20*time.Second, "it still refuses", refuses)
			c.site.set(s, false)
			s.end(syscall.SIGTERM)
			if n := strings.Count(s.log.String(), "the database cannot be written"); n != 1 {
				t.Errorf("that is logged %d times", n)
			}
			c.revive(s)
			c.awaitAll()
			c.ledger.checkRefusals(t, 7*time.Second+c.lag())
			c.checkAll(s, db)
		})
	}
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
