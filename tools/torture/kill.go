package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// A store is a kind of database, and the test of cmd/duel that kills the servers on it.
type store struct{ name, title, test string }

var stores = []store{
	{"sqlite", "SQLite, one server", "^TestCrash$/^sqlite$"},
	{"postgres", "PostgreSQL, two servers", "^TestServers$"},
}

// round is the number of kills before a database is checked and replaced.
const round = 100

// killAll does the remaining kills on each store.
func (r *run) killAll(ctx context.Context) error {
	program := filepath.Join(r.dir, "duel.test")
	built := false
	for _, s := range stores {
		for r.state.Stores[s.name].Kills < r.kills && ctx.Err() == nil {
			if !built {
				build := exec.CommandContext(ctx, "go", "test", "-c", "-o", program, "./cmd/duel")
				if out, err := build.CombinedOutput(); err != nil {
					return fmt.Errorf("%w: %s", err, out)
				}
				built = true
			}
			if err := r.killRound(ctx, s, program); err != nil {
				return err
			}
		}
		r.show.end()
	}
	return nil
}

// killRound does a round of kills. An interrupt ends it after the current kill, with everything
// checked.
func (r *run) killRound(ctx context.Context, s store, program string) error {
	before := r.state.Stores[s.name]
	seed := rand.Uint64()
	logFile := filepath.Join(r.dir, s.name+".log")
	kills := min(round, r.kills-before.Kills)
	cmd := exec.Command(program, "-test.v", "-test.run", s.test, "-test.timeout", "0",
		"-kills", fmt.Sprint(kills), "-seed", fmt.Sprint(seed), "-keep", r.dir)
	cmd.Dir = filepath.Join("cmd", "duel")
	cmd.Env = append(os.Environ(), "DUEL_REQUIRE_POSTGRES=1")
	began := time.Now()
	var now killed
	err := follow(ctx, cmd, logFile, func(line string) {
		var k killed
		n, _ := fmt.Sscanf(line,
			"outlived %d kills of servers and %d of the database with %d acts confirmed",
			&k.Kills, &k.Outages, &k.Confirmed)
		if n < 3 {
			return
		}
		k.Spent = time.Since(began)
		now = k
		r.show.kills(s, before.plus(now), r.kills)
	})
	now.Spent = time.Since(began)
	switch {
	case err != nil:
		again := fmt.Sprintf("go test ./cmd/duel -v -run '%s' -kills %d -seed %d -keep .",
			s.test, round, seed)
		what := fmt.Sprintf("%s: something was lost or changed after %d kills (seed %d): %v",
			s.title, now.Kills, seed, err)
		return r.lost(what, logFile, again)
	case now.Kills == 0 && ctx.Err() == nil:
		return fmt.Errorf("%s: no server was killed; see %s", s.title, logFile)
	}
	r.state.Stores[s.name] = before.plus(now)
	return r.state.write(r.file())
}
