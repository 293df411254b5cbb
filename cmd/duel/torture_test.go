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

// torture is how make torture runs the tests that kill: in rounds of many kills, of which it is told on standard output.
var torture struct {
	kills int
	seed  uint64
	keep  string
}

func init() {
	flag.IntVar(&torture.kills, "kills", 0, "how often a test that kills servers does so (0: some times, and ten times as often with DUEL_NIGHTLY)")
	flag.Uint64Var(&torture.seed, "seed", 0, "of those who play meanwhile (0: by chance)")
	flag.StringVar(&torture.keep, "keep", "", "tell of each kill, end a round early when interrupted, and leave the database and the logs of one that fails in this folder")
}

// often kills as often as the flag says, or else some times, and tells of each kill that everything was there after it.
func (c *crew) often(times int, kill func()) {
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
		c.tellKill(n)
	}
}

// tellKill says how many kills were outlived, and what was acknowledged until then, in the form that tools/torture reads.
func (c *crew) tellKill(n int) {
	if torture.keep != "" {
		fmt.Printf("outlived %d kills of servers and %d of the database with %d acts confirmed\n", n, c.outages, c.ledger.confirmed())
	}
}

// keptDir returns a folder that goes with the test, unless it fails and its traces are to be kept.
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
			_ = os.RemoveAll(dir) // the next round has another one
		}
	})
	return dir
}

// keepCopy leaves a copy of a database of a cluster that goes with the test, if that fails.
func keepCopy(t *testing.T, dsn string) {
	t.Cleanup(func() {
		if torture.keep == "" || !t.Failed() {
			return
		}
		ctx := context.Background() // that of the test has ended
		db, err := store.Open(ctx, dsn, store.Config{})
		if err == nil {
			err = db.Backup(ctx, filepath.Join(torture.keep, "postgres.db"))
			_ = db.Close() // it is only read
		}
		if err != nil {
			t.Errorf("the database cannot be kept: %v", err)
		}
	})
}

// keepLog leaves all that a server said, if its test fails.
func (s *server) keepLog() {
	if torture.keep == "" || !s.t.Failed() {
		return
	}
	name := "server-" + strings.ReplaceAll(s.addr, ":", "-") + ".log"
	if err := os.WriteFile(filepath.Join(torture.keep, name), []byte(s.log.String()), 0o600); err != nil {
		s.t.Error(err)
	}
}

// TestLedger holds what clients know against what a server tells after a kill, and finds what is lost, double, changed or against
// the rules.
func TestLedger(t *testing.T) {
	told := func(seq int, kind, rest string) string {
		return fmt.Sprintf(`{"kind":%q,"at":"2026-11-15T09:12:00Z",%s"seq":%d,"game":1,"phase":"playing",`, kind, rest, seq)
	}
	const start, moved, again = `"position":"___/___","turn":"first","result":"*"}`, `"position":"9__/___","turn":"second","result":"*"}`, `"position":"9__/8__","turn":"first","result":"*"}`
	opened, began := told(1, "opened", ""), told(2, "began", "")
	opened = strings.Replace(opened, "playing", "between", 1) + strings.Replace(start, "first", "", 1)
	kept := []string{opened, began + start, told(3, "moved", `"seat":1,"move":"9a",`) + moved, told(4, "moved", `"seat":2,"move":"8a",`) + again}
	a := account{
		setup: match.Setup{Rules: digit.Highest}, told: map[int]string{2: kept[1], 3: kept[2]},
		acked: []ack{{4, match.Two, "8a", kept[3][strings.Index(kept[3], `"seq"`):]}},
	}
	for _, test := range []struct {
		name string
		kept []string
		want string // in the error
	}{
		{"all is there", kept, ""},
		{"a move that was acknowledged is lost", kept[:3], "8a of seat 1 was acknowledged as event 4"},
		{"an event that was told is lost", kept[:2], "event 3 was told as"},
		{"an event is there twice", []string{kept[0], kept[1], kept[2], kept[2]}, "8a of seat 1 was acknowledged as event 4"},
		{"an event is another one", []string{kept[0], kept[1], strings.Replace(kept[2], "9a", "9b", 1), kept[3]}, "event 3 was told as"},
		{"what follows is against the rules", append(slices.Clone(kept), told(5, "moved", `"seat":1,"move":"8b",`)+again), "8 is taken"},
	} {
		err := a.check(test.kept)
		if got := fmt.Sprint(err); (err == nil) != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}
