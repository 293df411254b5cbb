package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digitduel/coach"
	"digitduel/digit"
)

// TestTallyTorn truncates a file of three wins at every byte of the last one: the wins before it
// count, and one more win makes three.
func TestTallyTorn(t *testing.T) {
	win := "highest 9a 1-0 resigned; first=Ada second=X second-level=casual starts=1"
	rec, err := digit.ParseRecord(win)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "games")
	whole := strings.Repeat(win+"\n", 3)
	for cut := 2 * len(win+"\n"); cut < len(whole)-len(" starts=1\n"); cut++ {
		if err := os.WriteFile(path, []byte(whole[:cut]), 0o600); err != nil {
			t.Fatal(err)
		}
		games, _ := GameFile(path).Games() // the torn line is an error
		if got := coach.TallyOf(games, digit.Highest, "casual"); got.Won < 2 || got.Won > 3 {
			t.Errorf("truncated at %d: %+v", cut, got)
		}
		if err := GameFile(path).Add(rec); err != nil {
			t.Fatal(err)
		}
		games, _ = GameFile(path).Games()
		if got := coach.TallyOf(games, digit.Highest, "casual"); got.Run < 3 {
			t.Errorf("truncated at %d: after one more win %+v", cut, got)
		}
	}
}

// TestDropGame deletes games from a file, which overwrites them with blanks.
func TestDropGame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games")
	text := "highest 9a 8a *\r\nnonsense\ndilemma 7a *; first=Ada second=Ben\n" +
		"highest 9a 8a *\nhighest 9a 7a *"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	drop := func(record string) {
		t.Helper()
		rec, err := digit.ParseRecord(record)
		if err == nil {
			err = GameFile(path).Drop(rec)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ drop, want string }{
		{"reverse 9a *", text},
		// The last of two equal games is deleted.
		{"highest 9a 8a *", strings.Replace(text, "\nhighest 9a 8a *", "\n               ", 1)},
		{"highest 9a 7a *", "highest 9a 8a *\r\nnonsense\ndilemma 7a *; first=Ada second=Ben\n" +
			"               \n               "},
	} {
		drop(c.drop)
		if now, err := os.ReadFile(path); err != nil || string(now) != c.want {
			t.Errorf("without %s the file is %q, %v, want %q", c.drop, now, err, c.want)
		}
	}
	if games, err := GameFile(path).Games(); len(games) != 2 || err == nil {
		t.Errorf("games %v, error %v; want two games and an error", games, err)
	}
	err := GameFile(filepath.Join(t.TempDir(), "none")).Drop(digit.Record{})
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Drop without a file: %v", err)
	}
}
