package store

import (
	"database/sql"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"testing"
	"time"

	"digitduel/match"
)

// BenchmarkMillion upgrades a database of version 1 with a million games, which logs the time, then
// runs the queries of pages and prunes it.
func BenchmarkMillion(b *testing.B) {
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			n := 1_000_000
			if flag.Lookup("test.benchtime").Value.String() == "1x" { // only to see that it works
				n = 20_000
			}
			where := k.where(b)
			fillMany(b, where, n)
			d := openAt(b, where, Config{Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
			if d.shared {
				analyze(b, where)
			}
			now := firstOpened.Add(time.Duration(n) * time.Second)
			d.now = func() time.Time { return now }
			benchmarkLists(b, d, n)
		})
	}
}

func benchmarkLists(b *testing.B, d *DB, n int) {
	middle := match.GameMark{
		Ended: firstOpened.Add(time.Duration(n/2) * time.Second), Table: fmt.Sprintf("t%07d", n/2), Number: 1,
	}
	table := fmt.Sprintf("t%07d", n/2+4)
	since := d.now().Add(-24 * time.Hour)
	phases := []match.Phase{match.Waiting, match.UnderWay, match.Between}
	tables := func(f match.TableFilter) func() (int, error) {
		return func() (int, error) {
			found, err := d.Tables(b.Context(), f)
			return len(found), err
		}
	}
	games := func(f match.GameFilter) func() (int, error) {
		return func() (int, error) {
			found, err := d.Games(b.Context(), f)
			return len(found), err
		}
	}
	const anyNumber = -1 // each call deletes more tables
	for _, list := range []struct {
		name string
		want int
		ask  func() (int, error)
	}{
		{"home games", 5, games(match.GameFilter{Limit: 5})},
		{"games", 100, games(match.GameFilter{Limit: 100})},
		{"older games", 100, games(match.GameFilter{Before: middle, Limit: 100})},
		{"games of a book", 100, games(match.GameFilter{Book: "dilemma", Limit: 100})},
		{"older games of a book", 100, games(match.GameFilter{Book: "dilemma", Before: middle, Limit: 100})},
		{"games of a table", 1, games(match.GameFilter{Table: table, Limit: 100})},
		{"lobby, waiting", 100, tables(match.TableFilter{Listed: true, Phases: phases[:1], Since: since, Limit: 100})},
		{"lobby", 100, tables(match.TableFilter{Listed: true, Phases: phases, Since: since, Limit: 100})},
		{"statistics", 5, func() (int, error) {
			found, err := d.Stats(b.Context())
			return len(found), err
		}},
		{"overdue", 1, func() (int, error) {
			found, err := d.Overdue(b.Context(), firstOpened.Add(1000*time.Second))
			return len(found), err
		}},
		{"events of a table", 3, func() (int, error) {
			found, err := d.Events(b.Context(), table, 0)
			return len(found), err
		}},
		{"prune unfinished", anyNumber, func() (int, error) { return pruneOnce(b, d, d.now(), time.Time{}) }},
		{"prune finished", anyNumber, func() (int, error) { return pruneOnce(b, d, time.Time{}, d.now()) }},
	} {
		b.Run(list.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				begun := time.Now()
				n, err := list.ask()
				took = append(took, time.Since(begun))
				if err != nil || n != list.want && list.want != anyNumber {
					b.Fatalf("got %d rows, %v, want %d", n, err, list.want)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms/median")
		})
	}
}

// pruneOnce deletes tables in one transaction.
func pruneOnce(b *testing.B, d *DB, idle, finished time.Time) (n int, err error) {
	err = d.engine.write(b.Context(), func(tx *sql.Tx) error {
		ids, err := d.pruneSome(b.Context(), tx, idle, finished)
		n = len(ids)
		return err
	})
	return n, err
}
