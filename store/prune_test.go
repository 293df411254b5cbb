package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/store/pgtest"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestPrune(t *testing.T) {
	var never time.Time
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	tests := []struct {
		name           string
		idle, finished time.Time
		want           string // the tables that stay
	}{
		{"nothing", never, never, "between done flagged hidden left plays waits"},
		{"no table is that old", at(0), at(0), "between done flagged hidden left plays waits"},
		{"idle", at(60), never, "done flagged left"},
		{"finished", never, at(60), "between hidden plays waits"},
		{"all", at(60), at(60), ""},
		{"some", at(2), at(5), "between flagged hidden left"},
	}
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		for _, test := range tests {
			all, err := d.Prune(t.Context(), at(1000), at(1000))
			if err != nil {
				t.Fatal(all, err)
			}
			addTables(t, d)
			n, err := d.Prune(t.Context(), test.idle, test.finished)
			left := strings.Fields(test.want)
			if err != nil || n != 7-len(left) {
				t.Errorf("%s: deleted %d tables, %v, want %d", test.name, n, err, 7-len(left))
			}
			for _, id := range []string{"between", "done", "flagged", "hidden", "left", "plays", "waits"} {
				events, err := d.Events(t.Context(), id, 0)
				if stays := slices.Contains(left, id); err != nil || len(events) > 0 != stays {
					t.Errorf("%s: %s has %d events, %v", test.name, id, len(events), err)
				}
				games, err := d.Games(t.Context(), match.GameFilter{Table: id})
				if err != nil || len(games) > 0 && !slices.Contains(left, id) {
					t.Errorf("%s: %s has %d games, %v", test.name, id, len(games), err)
				}
			}
		}
	})
}

// TestPruneDeletesAllOrNothing checks that no row is deleted if games cannot be deleted.
func TestPruneDeletesAllOrNothing(t *testing.T) {
	d := openAt(t, kinds[0].where(t), Config{})
	addTables(t, d)
	execSQL(t, d,
		"CREATE TRIGGER kept BEFORE DELETE ON games BEGIN SELECT RAISE(ABORT, 'games stay'); END")
	before := dump(t, d)
	n, err := d.Prune(t.Context(), noon.Add(time.Hour), noon.Add(time.Hour))
	if n != 0 || err == nil || !strings.Contains(err.Error(), "games stay") {
		t.Errorf("deleted %d tables, %v", n, err)
	}
	if after := dump(t, d); after != before {
		t.Errorf("some rows were deleted:\n%s\nwant\n%s", after, before)
	}
}

// TestPruneKnowsPlainMoves checks that Prune counts plain moves as changes, although they do not
// update the row of their table.
func TestPruneKnowsPlainMoves(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		steps := script(t, match.Setup{Rules: digit.Dilemma}, "began; 1 7a; 2 3b")
		appendSteps(t, d, "t", steps) // the last one three seconds after noon
		for _, test := range []struct{ seconds, want int }{{3, 0}, {4, 1}} {
			n, err := d.Prune(t.Context(), noon.Add(time.Duration(test.seconds)*time.Second), time.Time{})
			if err != nil || n != test.want {
				t.Errorf("unchanged since %d seconds after noon: deleted %d, %v, want %d",
					test.seconds, n, err, test.want)
			}
		}
	})
}

// TestATableThatWasPrunedIsGone checks that no event can be added to a table after another program
// has pruned it.
func TestATableThatWasPrunedIsGone(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		steps := script(t, match.Setup{Rules: digit.Dilemma}, "began; 1 7a; 2 3b")
		appendSteps(t, d, "t", steps[:3])
		n, err := openAt(t, where, Config{}).Prune(t.Context(), noon.Add(time.Hour), time.Time{})
		if n != 1 || err != nil {
			t.Fatal(n, err)
		}
		err = d.Append(t.Context(), "t", steps[3].Event, steps[3].After)
		if !errors.Is(err, match.ErrConflict) {
			t.Errorf("got %v, want %v", err, match.ErrConflict)
		}
		if events, err := d.Events(t.Context(), "t", 0); err != nil || len(events) > 0 {
			t.Errorf("got %d events, %v, want none", len(events), err)
		}
	})
}

// TestPruneLeavesTablesThatSomebodyIsAt checks that a table with a watcher is not pruned, unless
// the server of the watcher was killed long ago.
func TestPruneLeavesTablesThatSomebodyIsAt(t *testing.T) {
	t.Parallel()
	var c clock
	where := pgtest.Start(t)
	server, killed := openAt(t, where, Config{Server: true}), openAt(t, where, Config{Now: c.now})
	command := openAt(t, where, Config{})
	if err := killed.beat(t.Context()); err != nil { // at noon
		t.Fatal(err)
	}
	for id, d := range map[string]*DB{"watched": server, "left": killed} {
		appendSteps(t, command, id, script(t, match.Setup{Rules: digit.Dilemma}, "began"))
		if err := d.Here(t.Context(), id, match.Presence{Watchers: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := command.Prune(t.Context(), noon.Add(time.Hour), time.Time{}); n != 1 || err != nil {
		t.Errorf("deleted %d, %v, want 1", n, err)
	}
	if events, err := command.Events(t.Context(), "watched", 0); err != nil || len(events) != 2 {
		t.Errorf("got %d events, %v, want 2", len(events), err)
	}
}

// TestPruneWhileWriting deletes many tables in several steps while a server writes others.
func TestPruneWhileWriting(t *testing.T) {
	const old = 2*pruneAtOnce + 10
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{Server: true})
		opened := script(t, match.Setup{Rules: digit.Dilemma}, "")
		appendMany(t, d, "old", old, opened)
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				for n := range 20 {
					steps := scriptAt(t, noon.Add(time.Hour), match.Setup{Rules: digit.Dilemma}, fiveMoves)
					appendSteps(t, d, fmt.Sprintf("new%d-%d", i, n), steps)
				}
			})
		}
		n, err := openAt(t, where, Config{}).Prune(t.Context(), noon.Add(time.Minute), time.Time{})
		if err != nil || n != old {
			t.Errorf("deleted %d, %v, want %d", n, err, old)
		}
		wg.Wait()
		if tables, err := d.Tables(t.Context(), match.TableFilter{}); err != nil || len(tables) != 160 {
			t.Errorf("got %d tables, %v, want 160", len(tables), err)
		}
	})
}

// TestPruneWaits prunes a database that is locked for a while, and one that stays locked: Prune
// tries several times, and then reports that the database is busy.
func TestPruneWaits(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		server := openAt(t, where, Config{})
		appendSteps(t, server, "old", script(t, match.Setup{Rules: digit.Dilemma}, "began"))
		if strings.Contains(where, "://") {
			where += "&lock_timeout=10ms" // for one try
		}
		d := openAt(t, where, Config{})
		if f, ok := d.engine.(*file); ok {
			if _, err := f.relaxed.ExecContext(t.Context(), "PRAGMA busy_timeout = 10"); err != nil {
				t.Fatal(err)
			}
		}
		before := d.engine
		for _, test := range []struct{ free, deleted, tries int }{ // free: the try at which the lock is released
			{99, 0, 7}, {3, 1, 3},
		} {
			holds := lockDB(t, server)
			tries := 0
			began := time.Now()
			d.engine = hookEngine{before, func() {
				if tries++; tries == test.free {
					holds()
				}
			}}
			n, err := d.Prune(t.Context(), noon.Add(time.Hour), time.Time{})
			holds()
			if n != test.deleted || tries != test.tries || (err == nil) != (test.deleted > 0) ||
				err != nil && !isBusy(err) {
				t.Errorf("free at try %d: deleted %d in %d tries, %v", test.free, n, tries, err)
			}
			took := time.Since(began)
			if strings.Contains(where, "://") && took < time.Duration(tries-1)*10*time.Millisecond {
				t.Errorf("free at try %d: %d tries took only %v", test.free, tries, took)
			}
		}
	})
}

// TestPruneTries checks that each step of a long prune has its own tries if the database is busy
// again and again.
func TestPruneTries(t *testing.T) {
	d := openAt(t, kinds[0].where(t), Config{})
	busy, calls := &pgconn.PgError{Code: "55P03"}, 0
	n, err := d.prune(t.Context(), func(*sql.Tx) ([]string, error) {
		if calls++; calls%5 != 0 { // every fifth try succeeds
			return nil, busy
		}
		return make([]string, pruneAtOnce-calls/15), nil // the third one finds fewer
	})
	if n != 3*pruneAtOnce-1 || err != nil || calls != 15 {
		t.Errorf("deleted %d in %d tries, %v", n, calls, err)
	}
}

// A hookEngine calls a function before each write.
type hookEngine struct {
	engine
	before func()
}

func (e hookEngine) write(ctx context.Context, do func(*sql.Tx) error) error {
	e.before()
	return e.engine.write(ctx, do)
}

// lockDB locks a database against deletion until the returned function is called.
func lockDB(t *testing.T, d *DB) (leave func()) {
	t.Helper()
	db, stays := d.sql, noTimeouts
	if f, ok := d.engine.(*file); ok {
		db, stays = f.durable, "" // a transaction locks the file when it begins
	}
	tx, err := db.BeginTx(t.Context(), nil)
	if err == nil {
		_, err = tx.ExecContext(t.Context(), stays)
	}
	if err == nil {
		err = d.engine.lock(t.Context(), tx)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() { _ = tx.Rollback() } // may be called twice
}
