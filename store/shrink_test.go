package store

import (
	"os"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// fill keeps many tables, and deletes all but one.
func fill(t *testing.T, d *DB) {
	t.Helper()
	steps := script(t, match.Setup{Rules: digit.Dilemma, Names: [2]string{"Ada", "Ben"}}, fiveMoves)
	keepMany(t, d, "t", 1000, steps)
	keep(t, d, "stays", scriptAt(t, noon.Add(time.Hour), match.Setup{Rules: digit.Dilemma}, fiveMoves))
	if n, err := d.Prune(t.Context(), noon.Add(time.Minute), time.Time{}); err != nil || n != 1000 {
		t.Fatal(n, err)
	}
}

func sizeOf(t *testing.T, name string) int64 {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestShrink shrinks a file by a command, with and without a server. A file of an older program is
// shrunk when there is no server, and from then on with one too.
func TestShrink(t *testing.T) {
	tests := []struct {
		name        string
		old, served bool
		shrinks     bool
	}{
		{"new", false, false, true},
		{"new, served", false, true, true},
		{"old", true, false, true},
		{"old, served", true, true, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			where := kinds[0].where(t)
			if test.old {
				if err := createPrivate(where); err != nil {
					t.Fatal(err)
				}
				db := openRaw(where, 1, "journal_mode(WAL)") // which is the form it then has for good
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
			if _, err := command.engine.(*file).relaxed.Exec("PRAGMA wal_checkpoint(FULL)"); err != nil {
				t.Fatal(err)
			}
			before := sizeOf(t, where)
			room, err := command.Shrink(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			after := sizeOf(t, where)
			if test.shrinks && (after > before/4 || room.Freed != before-after || room.Free > 0) || !test.shrinks && (after != before || room.Freed > 0 || room.Free < before/2) {
				t.Errorf("the file had %d bytes and has %d; told is %+v", before, after, room)
			}
			if lines, sum := faultsOf(t, command); len(lines) > 0 || sum.Tables != 1 {
				t.Errorf("%+v %q", sum, lines)
			}
			if !test.shrinks {
				return
			}
			if server != nil { // which goes on
				command = server
			}
			keep(t, command, "new", script(t, match.Setup{Rules: digit.Dilemma}, fiveMoves))
			if room, err := command.Shrink(t.Context()); err != nil || room.Free > 0 {
				t.Errorf("again: %+v, %v", room, err)
			}
		})
	}
}
