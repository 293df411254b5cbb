package store

import (
	"fmt"
	"sync"
	"testing"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/store/pgtest"
)

// TestGamesAreCounted ends games in several ways at many tables at once, and deletes some of them:
// the counts match the games.
func TestGamesAreCounted(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) { countGames(t, openAt(t, where, Config{})) })
}

// TestTwoServersCount does the same with two servers that add to the same rows.
func TestTwoServersCount(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Start(t)
	servers := []*DB{openAt(t, dsn, Config{Server: true}), openAt(t, dsn, Config{Server: true})}
	for _, d := range servers {
		d.engine.(*cluster).part = 7
	}
	countGames(t, servers...)
}

// countGames plays and deletes games, and checks the counts.
func countGames(t *testing.T, servers ...*DB) {
	const tables = 40
	ends := []string{"1 resigned", "2 resigned", "1 flagged", "1 7a; 2 3b; 1 1c; 2 5a; 1 4b; 2 2c"}
	var wg sync.WaitGroup
	for i := range tables {
		setup := match.Setup{Rules: digit.Dilemma, Terms: match.Terms{BestOf: 3}}
		steps := script(t, setup, "began; "+ends[i%len(ends)]+"; began; 1 resigned")
		if i%5 == 0 {
			steps = script(t, match.Setup{Rules: digit.Sevens}, "began; 1 resigned")
		}
		wg.Go(func() { appendSteps(t, servers[i%len(servers)], fmt.Sprint("t", i), steps) })
	}
	wg.Wait()
	d := servers[0]
	checkCounts(t, d)
	stats, err := d.Stats(t.Context())
	if err != nil || len(stats) != 2 || stats[0].Games != tables*4/5*2 || stats[1].Games != tables/5 {
		t.Errorf("%+v, %v", stats, err)
	}
	if n, err := d.Prune(t.Context(), noon, noon.AddDate(1, 0, 0)); err != nil || n == 0 {
		t.Errorf("deleted %d tables, %v", n, err)
	}
	checkCounts(t, d)
	if stats, err = d.Stats(t.Context()); err != nil || len(stats) != 1 || stats[0].Book != "dilemma" {
		t.Errorf("after pruning: %+v, %v", stats, err)
	}
}
