package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/store"
)

// torture holds the flags of make torture, which runs the tests that kill servers with many kills
// and reads their progress from standard output.
var torture struct {
	kills int
	seed  uint64
	keep  string
}

func init() {
	flag.IntVar(&torture.kills, "kills", 0,
		"kills in a test that kills servers (0: a few, and ten times as many with DUEL_NIGHTLY)")
	flag.Uint64Var(&torture.seed, "seed", 0, "random seed of the clients (0: random)")
	flag.StringVar(&torture.keep, "keep", "", "print each kill, stop early when interrupted, "+
		"and keep the database and the logs of a test that fails in this folder")
}

// repeatKills calls kill a number of times, which the flag can set, and prints each kill after
// which everything was there.
func (c *clients) repeatKills(times int, kill func()) {
	c.t.Helper()
	if !nightly {
		times = max(2, times/10)
	}
	if torture.kills > 0 {
		times = torture.kills
	}
	ctx := c.t.Context()
	if torture.keep != "" {
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt)
		defer stop()
	}
	for n := 1; n <= times && ctx.Err() == nil; n++ {
		kill()
		c.printKill(n)
	}
}

// printKill prints the number of kills and of acknowledged acts, in the form that tools/torture
// reads.
func (c *clients) printKill(n int) {
	if torture.keep != "" {
		fmt.Printf("outlived %d kills of servers and %d of the database with %d acts confirmed\n",
			n, c.outages, c.ledger.ackCount())
	}
}

// keptDir returns a folder that is deleted after the test, unless it fails and its files are to be
// kept.
func keptDir(t *testing.T) string {
	t.Helper()
	if torture.keep == "" {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(torture.keep, "sqlite-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !t.Failed() {
			_ = os.RemoveAll(dir) // the next round has another folder
		}
	})
	return dir
}

// keepCopy keeps a copy of a PostgreSQL database if the test fails.
func keepCopy(t *testing.T, dsn string) {
	t.Cleanup(func() {
		if torture.keep == "" || !t.Failed() {
			return
		}
		ctx := context.Background() // the context of the test has ended
		db, err := store.Open(ctx, dsn, store.Config{})
		if err == nil {
			err = db.Backup(ctx, filepath.Join(torture.keep, "postgres.db"))
			_ = db.Close() // it is only read
		}
		if err != nil {
			t.Errorf("cannot keep the database: %v", err)
		}
	})
}

// keepLog keeps the log of a server if the test fails.
func (s *server) keepLog() {
	if torture.keep == "" || !s.t.Failed() {
		return
	}
	name := "server-" + strings.ReplaceAll(s.addr, ":", "-") + ".log"
	if err := os.WriteFile(filepath.Join(torture.keep, name), []byte(s.log.String()), 0o600); err != nil {
		s.t.Error(err)
	}
}

// TestLedger checks that the ledger finds events that are lost, doubled, changed or against the
// rules.
func TestLedger(t *testing.T) {
	event := func(seq int, kind, rest string) string {
		const format = `{"kind":%q,"at":"2026-11-15T09:12:00Z",%s"seq":%d,"game":1,"phase":"playing",`
		return fmt.Sprintf(format, kind, rest, seq)
	}
	const (
		start = `"position":"___/___","turn":"first","result":"*"}`
		moved = `"position":"9__/___","turn":"second","result":"*"}`
		again = `"position":"9__/8__","turn":"first","result":"*"}`
	)
	opened, began := event(1, "opened", ""), event(2, "began", "")
	opened = strings.Replace(opened, "playing", "between", 1) + strings.Replace(start, "first", "", 1)
	kept := []string{
		opened, began + start, event(3, "moved", `"seat":1,"move":"9a",`) + moved,
		event(4, "moved", `"seat":2,"move":"8a",`) + again,
	}
	a := tableRecord{
		setup: match.Setup{Rules: digit.Highest}, streamed: map[int]string{2: kept[1], 3: kept[2]},
		acked: []ack{{4, match.Two, "8a", kept[3][strings.Index(kept[3], `"seq"`):]}},
	}
	for _, test := range []struct {
		name string
		kept []string
		want string // in the error
	}{
		{"everything is there", kept, ""},
		{"an acknowledged move is lost", kept[:3], "8a of seat 1 was acknowledged as event 4"},
		{"a streamed event is lost", kept[:2], "event 3 was sent as"},
		{"an event is doubled", []string{kept[0], kept[1], kept[2], kept[2]}, "8a of seat 1 was acknowledged as event 4"},
		{"an event is changed", []string{kept[0], kept[1], strings.Replace(kept[2], "9a", "9b", 1), kept[3]}, "event 3 was sent as"},
		{"a later event is against the rules", append(slices.Clone(kept), event(5, "moved", `"seat":1,"move":"8b",`)+again), "8 is taken"},
	} {
		err := a.check(test.kept)
		if got := fmt.Sprint(err); (err == nil) != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}
