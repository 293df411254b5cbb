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

// round is how many kills a database goes through before everything in it is looked at and the next one is made.
const round = 100

// killAll kills the servers on each store as often as is left to do.
func (r *run) killAll(ctx context.Context) error {
	program := filepath.Join(r.dir, "duel.test")
	built := false
	for _, s := range stores {
		for r.state.Stores[s.name].Kills < r.kills && ctx.Err() == nil {
			if !built {
				if out, err := exec.CommandContext(ctx, "go", "test", "-c", "-o", program, "./cmd/duel").CombinedOutput(); err != nil {
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

// killRound goes through some kills. One that is interrupted ends after the kill that is under way, with everything looked at.
func (r *run) killRound(ctx context.Context, s store, program string) error {
	before := r.state.Stores[s.name]
	seed := rand.Uint64()
	logFile := filepath.Join(r.dir, s.name+".log")
	flags := []string{"-test.v", "-test.run", s.test, "-test.timeout", "0", "-kills", fmt.Sprint(min(round, r.kills-before.Kills)), "-seed", fmt.Sprint(seed)}
	cmd := exec.Command(program, append(flags, "-keep", r.dir)...)
	cmd.Dir = filepath.Join("cmd", "duel")
	cmd.Env = append(os.Environ(), "DUEL_REQUIRE_POSTGRES=1")
	began := time.Now()
	var now killed
	err := follow(ctx, cmd, logFile, func(line string) {
		var k killed
		if n, _ := fmt.Sscanf(line, "outlived %d kills of servers and %d of the database with %d acts confirmed", &k.Kills, &k.Outages, &k.Confirmed); n < 3 {
			return
		}
		k.Spent = time.Since(began)
		now = k
		r.show.kills(s, before.plus(now), r.kills)
	})
	now.Spent = time.Since(began)
	switch {
	case err != nil:
		again := fmt.Sprintf("go test ./cmd/duel -v -run '%s' -kills %d -seed %d -keep .", s.test, round, seed)
		return r.lost(fmt.Sprintf("%s: something was lost, or is not as it was told, after %d kills (seed %d): %v", s.title, now.Kills, seed, err), logFile, again)
	case now.Kills == 0 && ctx.Err() == nil:
		return fmt.Errorf("%s: no server was killed; see %s", s.title, logFile)
	}
	r.state.Stores[s.name] = before.plus(now)
	return r.state.write(r.file())
}
