package store

import (
	"os"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// fill adds many tables that can be deleted, and one that stays.
func fill(t *testing.T, d *DB) {
	t.Helper()
	steps := script(t, match.Setup{Rules: digit.Dilemma, Names: [2]string{"Ada", "Ben"}}, fiveMoves)
	appendMany(t, d, "t", 1000, steps)
	appendSteps(t, d, "stays", scriptAt(t, noon.Add(time.Hour), match.Setup{Rules: digit.Dilemma}, fiveMoves))
}

// checkedSize returns the size of a file after a checkpoint of its log.
func checkedSize(t *testing.T, d *DB, name string) int64 {
	t.Helper()
	if _, err := d.engine.(*file).relaxed.Exec("PRAGMA wal_checkpoint(FULL)"); err != nil {
		t.Fatal(err)
	}
	return sizeOf(t, name)
}

func sizeOf(t *testing.T, name string) int64 {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestShrink checks that pruning makes a file smaller, with and without a server, except for a file
// of an early version of the program.
func TestShrink(t *testing.T) {
	tests := []struct {
		name        string
		old, served bool
	}{
		{"new", false, false},
		{"new, served", false, true},
		{"old", true, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			where := kinds[0].where(t)
			if test.old {
				if err := createPrivate(where); err != nil {
					t.Fatal(err)
				}
				db := openRaw(where, 1, "journal_mode(WAL)") // fixes auto_vacuum at none
				if _, err := db.Exec("CREATE TABLE old (x); DROP TABLE old"); err != nil {
					t.Fatal(err)
				}
				if err := db.Close(); err != nil {
					t.Fatal(err)
				}
			}
			command := openAt(t, where, Config{})
			var server *DB
			if test.served {
				server = openAt(t, where, Config{Server: true})
			}
			fill(t, command)
			before := checkedSize(t, command, where)
			if n, err := command.Prune(t.Context(), noon.Add(time.Minute), time.Time{}); err != nil || n != 1000 {
				t.Fatal(n, err)
			}
			after := checkedSize(t, command, where)
			if shrunk := after <= before/4; shrunk == test.old {
				t.Errorf("the file had %d bytes, and has %d after pruning", before, after)
			}
			if lines, sum := problemsOf(t, command); len(lines) > 0 || sum.Tables != 1 {
				t.Errorf("%+v %q", sum, lines)
			}
			if server != nil { // continue with the server
				command = server
			}
			appendSteps(t, command, "new", script(t, match.Setup{Rules: digit.Dilemma}, fiveMoves))
			if n, err := command.Prune(t.Context(), noon.Add(time.Minute), time.Time{}); err != nil || n != 1 {
				t.Errorf("again: %d, %v", n, err)
			}
		})
	}
}
