package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"

	"github.com/google/go-cmp/cmp"
)

// makeBackup returns a backup of a database of a kind, and the contents of the database.
func makeBackup(t *testing.T, k kind) (name string, has map[string]any) {
	t.Helper()
	var c clock
	d := openAt(t, k.where(t), Config{Now: c.now})
	addTables(t, d)
	name = filepath.Join(t.TempDir(), "backup.db")
	if err := d.Backup(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	return name, contents(t, d)
}

// TestRestore restores backups of both kinds of database into both kinds.
func TestRestore(t *testing.T) {
	for _, from := range kinds {
		t.Run("from "+from.name, func(t *testing.T) {
			eachDB(t, func(t *testing.T, where string) {
				name, want := makeBackup(t, from)
				before, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				rows, err := Restore(t.Context(), where, name, false)
				if err != nil {
					t.Fatal(err)
				}
				if rows < 30+7+4 {
					t.Errorf("%d rows were copied", rows)
				}
				var c clock
				d := openAt(t, where, Config{Now: c.now})
				if diff := cmp.Diff(want, contents(t, d), byValue); diff != "" {
					t.Error(diff)
				}
				if lines, _ := problemsOf(t, d); len(lines) > 0 {
					t.Errorf("%q", lines)
				}
				// Play continues.
				appendSteps(t, d, "plays", script(t, match.Setup{Rules: digit.Sevens}, "began; 1 7; 2 3")[3:])
				if _, err := Restore(t.Context(), where, name, false); !errors.Is(err, ErrNotEmpty) {
					t.Errorf("over tables: %v", err)
				}
				if _, err := Restore(t.Context(), where, name, true); err != nil {
					t.Error(err)
				}
				if diff := cmp.Diff(want, contents(t, d), byValue); diff != "" {
					t.Error(diff)
				}
				if after, err := os.ReadFile(name); err != nil || string(before) != string(after) {
					t.Errorf("the backup was changed, %v", err)
				}
			})
		})
	}
}

// TestARestoreThatFails checks that a restore from an invalid backup changes nothing.
func TestARestoreThatFails(t *testing.T) {
	good, _ := makeBackup(t, kinds[0])
	spoil := func(statement string) string {
		name := filepath.Join(t.TempDir(), "b.db")
		data, err := os.ReadFile(good)
		if err == nil {
			err = os.WriteFile(name, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		db := openRaw(name, 1)
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		return name
	}
	text := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := spoil("SELECT 1")
	if data, err := os.ReadFile(damaged); err != nil || os.WriteFile(damaged, data[:len(data)/2], 0o600) != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, want string }{
		{filepath.Join(t.TempDir(), "none.db"), "no such file or directory"},
		{t.TempDir(), "not a regular file"},
		{text, "not a database of this program, or it is damaged"},
		{spoil("DROP TABLE schema_version"), "not a backup of this program"},
		{spoil(fmt.Sprintf("INSERT INTO schema_version VALUES (%d)", version+1)), fmt.Sprintf("version %d, which is newer than this program; allowed: up to %d", version+1, version)},
		{spoil("DELETE FROM meta"), "it has no secret for links"},
		{spoil("DROP INDEX games_ended; UPDATE games SET ended = 'never'"), "games: "}, // PostgreSQL finds it halfway
		{damaged, "damaged"},
		// the last table has a duplicate row
		{spoil("CREATE TABLE twice AS SELECT * FROM meta UNION ALL SELECT * FROM meta; " +
			"DROP TABLE meta; ALTER TABLE twice RENAME TO meta"), "meta: "},
	}
	eachDB(t, func(t *testing.T, where string) {
		var c clock
		d := openAt(t, where, Config{Now: c.now})
		appendSteps(t, d, "mine", script(t, match.Setup{Rules: digit.Dilemma}, fiveMoves))
		want := contents(t, d)
		for _, test := range tests {
			if test.want == "games: " && !d.shared {
				continue // SQLite accepts it
			}
			_, err := Restore(t.Context(), where, test.name, true)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: got %v, want %s", test.name, err, test.want)
			}
		}
		if diff := cmp.Diff(want, contents(t, d), byValue); diff != "" {
			t.Error(diff)
		}
	})
}

// TestOlderBackup restores old databases, and checks that no upgraded copies of them remain.
func TestOlderBackup(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	for v := 1; v < version; v++ {
		old := kinds[0].where(t)
		loadKept(t, old, v)
		where := kinds[0].where(t)
		if rows, err := Restore(t.Context(), where, old, false); err != nil || rows == 0 {
			t.Errorf("version %d: %d rows, %v", v, rows, err)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("copies: %v, %v", left, err)
	}
}

// TestNoRestoreUnderAServer checks that a database with a running server is not overwritten.
func TestNoRestoreUnderAServer(t *testing.T) {
	good, _ := makeBackup(t, kinds[0])
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{Server: true})
		appendSteps(t, d, "mine", script(t, match.Setup{Rules: digit.Dilemma}, fiveMoves))
		_, err := Restore(t.Context(), where, good, true)
		if !errors.Is(err, errServed) || !strings.Contains(err.Error(), "stop it first") {
			t.Errorf("got %v", err)
		}
		if n := checkWhole(t, d, 8); n != 7 {
			t.Errorf("got %d events, want 7", n)
		}
	})
}
