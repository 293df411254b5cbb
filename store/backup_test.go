package store

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"

	"github.com/google/go-cmp/cmp"
)

// contents returns the contents of a database, for comparison.
func contents(t *testing.T, d *DB) map[string]any {
	t.Helper()
	all := map[string]any{}
	secret, err := d.Secret(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all["secret"] = fmt.Sprintf("%x", secret)
	tables, err := d.Tables(t.Context(), match.TableFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range tables {
		events, err := d.Events(t.Context(), s.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		all["table "+s.ID], all["events of "+s.ID] = s, events
	}
	if all["games"], err = d.Games(t.Context(), match.GameFilter{}); err != nil {
		t.Fatal(err)
	}
	if all["stats"], err = d.Stats(t.Context()); err != nil {
		t.Fatal(err)
	}
	if all["overdue"], err = d.Overdue(t.Context(), noon.AddDate(1, 0, 0)); err != nil {
		t.Fatal(err)
	}
	if all["down"], err = d.Down(t.Context(), noon); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestABackupHasEverything compares a backup with its database, and checks that the backup can be
// used as a database and that no backup overwrites a file.
func TestABackupHasEverything(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		var c clock
		d := openAt(t, where, Config{Server: true, Now: c.now})
		addTables(t, d)
		c.seconds.Store(2)
		if err := d.beat(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.seconds.Store(100)
		file := filepath.Join(t.TempDir(), "a ?b.db")
		if err := d.Backup(t.Context(), file); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		copied := openAt(t, file, Config{Now: c.now})
		if diff := cmp.Diff(contents(t, d), contents(t, copied), byValue); diff != "" {
			t.Error(diff)
		}
		// The backup can be written like any database.
		appendSteps(t, copied, "plays", script(t, match.Setup{Rules: digit.Sevens}, "began; 1 7; 2 3")[3:])
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		err = d.Backup(t.Context(), file)
		if err == nil || !strings.Contains(err.Error(), "the file exists; allowed: a new file") {
			t.Errorf("over an existing file: %v", err)
		}
		if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
			t.Errorf("the existing file was changed; %v", err)
		}
	})
}

func TestABackupThatFailsLeavesNothing(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		addTables(t, d)
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := d.Backup(ctx, filepath.Join(dir, "b.db")); err == nil {
			t.Error("a canceled backup did not fail")
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
			t.Errorf("the folder has %v, %v", entries, err)
		}
		if err := d.Backup(t.Context(), filepath.Join(dir, "none", "b.db")); err == nil {
			t.Error("a backup to a missing folder did not fail")
		}
	})
}

// TestBackupsWhileWriting makes backups while tables are written: each backup has the first events
// of every table, and rows that match them.
func TestBackupsWhileWriting(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		defer wg.Wait()
		defer cancel()
		steps := script(t, match.Setup{Rules: digit.Dilemma}, fiveMoves+"; 2 2c")
		// Each backup allows some events, so that the database does not outgrow the checks.
		allowed := make(chan struct{}, 900)
		for w := range 8 {
			wg.Go(func() {
				for n := 0; ; n++ {
					for _, step := range steps {
						select {
						case <-allowed:
						case <-ctx.Done():
							return
						}
						id := fmt.Sprintf("w%dn%d", w, n)
						if err := d.Append(t.Context(), id, step.Event, step.After); err != nil {
							t.Error(err)
							return
						}
					}
				}
			})
		}
		last := 0
		for n := range 3 {
			file := filepath.Join(t.TempDir(), fmt.Sprint(n))
			for range cap(allowed) / 3 {
				allowed <- struct{}{}
			}
			for len(allowed) > cap(allowed)/4 { // the others are written during the backup
				time.Sleep(time.Millisecond)
			}
			if err := d.Backup(t.Context(), file); err != nil {
				t.Fatal(err)
			}
			events := checkWhole(t, openAt(t, file, Config{}), len(steps))
			if events < last {
				t.Errorf("backup %d has %d events, the one before had %d", n, events, last)
			}
			last = events
		}
		if last == 0 {
			t.Error("no event was written during the backups")
		}
	})
}

// checkWhole checks that the events, tables, games and counts of a database match, and returns the
// number of events. A finished table has whole events.
func checkWhole(t *testing.T, d *DB, whole int) (sum int) {
	t.Helper()
	tables, err := d.Tables(t.Context(), match.TableFilter{})
	if err != nil {
		t.Fatal(err)
	}
	games, err := d.Games(t.Context(), match.GameFilter{})
	if err != nil {
		t.Fatal(err)
	}
	over := 0
	for _, s := range tables {
		events, err := d.Events(t.Context(), s.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		var state match.State
		for _, e := range events {
			if state, err = state.Apply(e); err != nil { // detects a gap
				t.Fatalf("%s: %v", s.ID, err)
			}
		}
		if state.Phase() != s.Phase || (s.Phase == match.Over) != (len(events) == whole) {
			t.Errorf("%s: %d events, phase %s, but the list has %s", s.ID, len(events), state.Phase(), s.Phase)
		}
		if s.Phase == match.Over {
			over++
		}
		sum += len(events)
	}
	checkCounts(t, d)
	if over != len(games) {
		t.Errorf("%d games are over, and %d listed", over, len(games))
	}
	return sum
}

// TestBackupsKnowTheSchema compares the list of columns that backups copy with the schema.
func TestBackupsKnowTheSchema(t *testing.T) {
	d := openAt(t, kinds[0].where(t), Config{})
	want := map[string]string{}
	rows, err := d.sql.QueryContext(t.Context(),
		"SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c "+
			"WHERE m.type = 'table' ORDER BY m.name, c.cid")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			t.Fatal(err)
		}
		want[table] = strings.TrimPrefix(want[table]+", "+column, ", ")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	delete(want, "schema_version") // the backup has its own
	delete(want, "presence")       // only valid while servers run
	got := map[string]string{}
	for _, k := range backupTables {
		got[k.table] = k.columns
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
