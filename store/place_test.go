package store

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// TestALostFile deletes, moves or replaces a file of a database under a server. From then on every
// read and write fails with an error that names the file, even if the file is back.
func TestALostFile(t *testing.T) {
	tests := []struct {
		name string
		lose func(t *testing.T, db string)
		lost string // the suffix of the file that is lost
	}{
		{"deleted", func(t *testing.T, db string) { remove(t, db) }, ""},
		{"log deleted", func(t *testing.T, db string) { remove(t, db+"-wal") }, "-wal"},
		{"index deleted", func(t *testing.T, db string) { remove(t, db+"-shm") }, "-shm"},
		{"moved", func(t *testing.T, db string) { move(t, db, db+".old") }, ""},
		{"replaced", func(t *testing.T, db string) {
			other := filepath.Join(t.TempDir(), "other.db")
			if err := openAt(t, db, Config{}).Backup(t.Context(), other); err != nil {
				t.Fatal(err)
			}
			move(t, other, db)
		}, ""},
		{"folder moved", func(t *testing.T, db string) { move(t, filepath.Dir(db), filepath.Dir(db)+".old") }, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			db := filepath.Join(t.TempDir(), "data", "duel.db")
			d := openAt(t, db, Config{Server: true})
			steps := script(t, match.Setup{Rules: digit.Dilemma}, fiveMoves)
			appendSteps(t, d, "t", steps[:3])
			test.lose(t, db)
			for range 2 {
				err := d.Append(t.Context(), "t", steps[3].Event, steps[3].After)
				if err == nil || errors.Is(err, match.ErrInDoubt) {
					t.Errorf("an event: %v", err)
				}
				_, readErr := d.Events(t.Context(), "t", 0)
				for _, err := range []error{err, readErr, d.Ping(t.Context())} {
					const lost = "the database file was deleted, moved or replaced: "
					if err == nil || !strings.HasPrefix(err.Error(), lost) {
						t.Errorf("got %v", err)
					} else if !strings.Contains(err.Error(), db+test.lost) {
						t.Errorf("got %v, want %s", err, db+test.lost)
					}
				}
				move(t, db, db+".2") // and back, if it exists
				move(t, db+".2", db)
			}
		})
	}
}

// TestAnEmptiedFile empties the database or its log under a server: no event is confirmed
// afterwards, and the next start does not treat the rest as a new database.
func TestAnEmptiedFile(t *testing.T) {
	for _, emptied := range []string{"", "-wal"} {
		for _, reads := range []bool{false, true} {
			t.Run(fmt.Sprintf("duel.db%s, read before it is written: %v", emptied, reads), func(t *testing.T) {
				db := filepath.Join(t.TempDir(), "duel.db")
				d, err := Open(t.Context(), db, Config{Server: true})
				if err != nil {
					t.Fatal(err)
				}
				steps := script(t, match.Setup{Rules: digit.Dilemma}, fiveMoves)
				appendSteps(t, d, "t", steps[:3])
				if err := os.Truncate(db+emptied, 0); err != nil {
					t.Fatal(err)
				}
				if reads {
					_, _ = d.Events(t.Context(), "t", 0) // may succeed from pages read before
				}
				for range 2 {
					if err := d.Append(t.Context(), "t", steps[3].Event, steps[3].After); err == nil {
						t.Error("an event was confirmed")
					}
				}
				_, readErr := d.Events(t.Context(), "t", 0)
				for _, err := range []error{readErr, d.Ping(t.Context())} {
					want := "the database file was emptied: " + db + emptied + " has lost its contents; "
					if err == nil || !strings.HasPrefix(err.Error(), want) {
						t.Errorf("got %v, want %s", err, want)
					}
				}
				if err := d.Close(); err != nil && !errors.As(err, new(*lostError)) {
					t.Error(err)
				}
				if emptied != "" {
					return
				}
				if info, err := os.Stat(db); err != nil || info.Size() != 0 {
					t.Errorf("the emptied file was written to: %v, %v", info.Size(), err)
				}
				_, err = Open(t.Context(), db, Config{})
				if err == nil || !strings.Contains(err.Error(), "it was emptied, but "+db+"-wal exists") {
					t.Errorf("opened again: %v", err)
				}
			})
		}
	}
}

// TestAnEmptyFile opens an empty file: it becomes a new database, and the log says so, unlike for a
// file that did not exist.
func TestAnEmptyFile(t *testing.T) {
	db := filepath.Join(t.TempDir(), "duel.db")
	if err := os.WriteFile(db, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{db: 1, db + ".new": 0} {
		var log strings.Builder
		d := openAt(t, name, Config{Server: true, Log: slog.New(slog.NewTextHandler(&log, nil))})
		appendSteps(t, d, "t", script(t, match.Setup{Rules: digit.Dilemma}, fiveMoves))
		if n := strings.Count(log.String(), "the database file was empty"); n != want {
			t.Errorf("%s: logged %d times, want %d: %s", name, n, want, &log)
		}
	}
}

// TestAFileLostInACommit deletes the file before a commit is finished: the commit is in doubt.
func TestAFileLostInACommit(t *testing.T) {
	db := kinds[0].where(t)
	d := openAt(t, db, Config{})
	steps := script(t, match.Setup{Rules: digit.Dilemma}, "began")
	appendSteps(t, d, "t", steps[:1])
	f := d.engine.(*file)
	next, err := newEntry("t", steps[1].Event, steps[1].After)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := f.durable.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.add(tx, []*entry{next}); err != nil {
		t.Fatal(err)
	}
	remove(t, db)
	if err := f.finish(tx); !errors.Is(err, match.ErrInDoubt) {
		t.Errorf("got %v", err)
	}
	if _, err := d.Events(t.Context(), "t", 0); err == nil || errors.Is(err, match.ErrInDoubt) {
		t.Errorf("read of a deleted file: %v", err)
	}
}

// TestTheFilesOfAnotherStay closes a database whose files were replaced by those of another open
// database: the files of the other one stay intact.
func TestTheFilesOfAnotherStay(t *testing.T) {
	dir := t.TempDir()
	db, other := filepath.Join(dir, "duel.db"), filepath.Join(dir, "other.db")
	d, err := Open(t.Context(), db, Config{})
	if err != nil {
		t.Fatal(err)
	}
	steps := script(t, match.Setup{Rules: digit.Dilemma}, fiveMoves)
	appendSteps(t, d, "old", steps)
	appendSteps(t, openAt(t, other, Config{}), "new", steps)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		data, err := os.ReadFile(other + suffix)
		if err == nil {
			remove(t, db+suffix)
			err = os.WriteFile(db+suffix, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Ping(t.Context()); err == nil {
		t.Error("Ping did not notice the replaced files")
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	again := openAt(t, db, Config{})
	if events, err := again.Events(t.Context(), "new", 0); err != nil || len(events) != len(steps) {
		t.Errorf("got %d events of the other database, %v, want %d", len(events), err, len(steps))
	}
}

func remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

// move renames a file if it exists.
func move(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
}
