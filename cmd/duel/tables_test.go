package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// atHome makes a folder the user's home, and returns the one of tables there.
func atHome(t *testing.T) string {
	t.Helper()
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	dir, err := tablesDir()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// eventsOf returns the events of a table at which moves are played.
func eventsOf(t *testing.T, setup match.Setup, moves ...string) []match.Event {
	t.Helper()
	store := new(match.Memory)
	at, err := match.Open(t.Context(), "it", setup, store, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	s, err := at.Begin(t.Context())
	for _, text := range moves {
		m, wrong := digit.ParseMove(text)
		if err = errors.Join(err, wrong); err == nil {
			s, err = at.Play(t.Context(), s.Turn(), m, s.Seq)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	events, err := store.Events(t.Context(), "it", 0)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// leave keeps events as those of a table, and leaves it.
func leave(t *testing.T, id string, events []match.Event) {
	t.Helper()
	log, err := openTable(id)
	if err == nil {
		err = errors.Join(log.Append(events...), log.Close(time.Now()))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestTornTable cuts a table's file at every byte: the events before the cut are there, and others can follow.
func TestTornTable(t *testing.T) {
	dir := atHome(t)
	events := eventsOf(t, match.Setup{Rules: digit.Dilemma, Names: [2]string{"Ada", "Ben"}}, "7a", "3b", "1c")
	leave(t, "whole", events)
	whole, err := os.ReadFile(filepath.Join(dir, "whole.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for cut := range whole {
		path := filepath.Join(dir, "torn.jsonl")
		for _, torn := range [][]byte{whole[:cut], append(bytes.Clone(whole[:cut]), make([]byte, 8)...)} { // a disk may leave zeros
			if err := os.WriteFile(path, torn, 0o600); err != nil {
				t.Fatal(err)
			}
			kept := bytes.Count(whole[:cut], []byte("\n"))
			log, err := openTable("torn")
			if err != nil || len(log.Events) != kept {
				t.Fatalf("cut at %d: %d events, %v; want %d", cut, len(log.Events), err, kept)
			}
			if err := errors.Join(log.Append(events[kept:]...), log.Close(time.Now())); err != nil {
				t.Fatal(err)
			}
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, whole) {
				t.Fatalf("cut at %d: the file is %q, %v", cut, now, err)
			}
		}
	}
}

// TestUnreadableTable has one file that cannot be read among others: it is told, stays as it is, and the others are there.
func TestUnreadableTable(t *testing.T) {
	dir := atHome(t)
	events := eventsOf(t, match.Setup{Rules: digit.Dilemma}, "7a")
	leave(t, "good", events)
	for _, c := range []struct{ text, want string }{
		{"nonsense\n{}\n", "bad.jsonl:1: invalid character"},
		{`{"seq":2}` + "\n\n", "bad.jsonl:1: event 2 cannot follow event 0"},
		{`{"seq":1,"kind":"moved"}` + "\n", "bad.jsonl:1: a table is set up once, by its first event"},
	} {
		path := filepath.Join(dir, "bad.jsonl")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		tables, err := readTables()
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || len(tables) != 1 || tables[0].ID != "good" {
			t.Errorf("%q: %d tables, %v; want %s", c.text, len(tables), err, c.want)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != c.text {
			t.Errorf("%q became %q, %v", c.text, now, err)
		}
	}
}

// TestTableTwice takes a table that is taken.
func TestTableTwice(t *testing.T) {
	atHome(t)
	log, err := openTable("it")
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Append(eventsOf(t, match.Setup{Rules: digit.Dilemma}, "7a")...); err != nil {
		t.Fatal(err)
	}
	if _, err := openTable("it"); !errors.Is(err, errBusy) {
		t.Errorf("it is taken twice: %v", err)
	}
	if err := forgetTable("it"); !errors.Is(err, errBusy) {
		t.Errorf("it is deleted while it is played: %v", err)
	}
	if tables, err := readTables(); err != nil || len(tables) != 1 || !tables[0].Busy || tables[0].Playable() {
		t.Errorf("tables: %+v, %v", tables, err)
	}
	if err := log.Close(time.Now()); err != nil {
		t.Fatal(err)
	}
	if tables, err := readTables(); err != nil || len(tables) != 1 || !tables[0].Playable() {
		t.Errorf("tables: %+v, %v", tables, err)
	}
	if err := forgetTable("it"); err != nil {
		t.Error(err)
	}
	if tables, err := readTables(); err != nil || len(tables) != 0 {
		t.Errorf("tables: %+v, %v", tables, err)
	}
}

// TestEndedTable finds tables whose game has ended and is not among the games: it is then, once.
func TestEndedTable(t *testing.T) {
	atHome(t)
	games := filepath.Join(t.TempDir(), "games")
	moves := []string{"9a", "8a", "2c", "7b", "5b", "6c"}
	leave(t, "one game", eventsOf(t, match.Setup{Rules: digit.Highest}, moves...))
	leave(t, "series", eventsOf(t, match.Setup{Rules: digit.Highest, Terms: match.Terms{BestOf: 3}}, moves...))
	for range 2 {
		tables, err := leftTables(games)
		if err != nil || len(tables) != 1 || tables[0].ID != "series" {
			t.Fatalf("left: %+v, %v", tables, err)
		}
		if kept, err := readGames(games); err != nil || len(kept) != 2 {
			t.Fatalf("games: %v, %v", kept, err)
		}
	}
}

// TestNoRoom has a table whose file cannot be made or written.
func TestNoRoom(t *testing.T) {
	dir := atHome(t)
	if err := os.WriteFile(filepath.Dir(dir), nil, 0o600); err != nil { // a file where the folder should be
		t.Fatal(err)
	}
	if _, err := openTable("it"); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("a table is opened: %v", err)
	}
	if tables, err := readTables(); len(tables) != 0 || err != nil && !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("tables: %v, %v", tables, err)
	}
}

// TestDropGame takes games out of a file.
func TestDropGame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games")
	text := "highest 9a 8a *\r\nnonsense\ndilemma 7a *; first=Ada second=Ben\nhighest 9a 8a *\nhighest 9a 7a *"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	drop := func(record string) {
		t.Helper()
		rec, err := digit.ParseRecord(record)
		if err == nil {
			err = dropGame(path, rec)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ drop, want string }{
		{"reverse 9a *", text},
		{"highest 9a 8a *", strings.Replace(text, "\nhighest 9a 8a *", "\n               ", 1)}, // the last of two that are the same
		{"highest 9a 7a *", "highest 9a 8a *\r\nnonsense\ndilemma 7a *; first=Ada second=Ben\n               \n               "},
	} {
		drop(c.drop)
		if now, err := os.ReadFile(path); err != nil || string(now) != c.want {
			t.Errorf("without %s it is %q, %v, want %q", c.drop, now, err, c.want)
		}
	}
	if games, err := readGames(path); len(games) != 2 || err == nil {
		t.Errorf("games: %v, %v", games, err)
	}
	if err := dropGame(filepath.Join(t.TempDir(), "none"), digit.Record{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file: %v", err)
	}
}

// TestKilledScreen kills the full screen at moments it cannot know, again and again in one game: every move that was on the screen is
// there at the next start, and the game goes on.
func TestKilledScreen(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	run := func(command string) (pane, func()) {
		pid := filepath.Join(home, "pid")
		_ = os.Remove(pid)
		p := open(t, fmt.Sprintf("XDG_CONFIG_HOME=%s XDG_DATA_HOME=%s sh -c 'echo $$ >%s; exec duel play %s'", home, home, pid, command))
		return p, func() {
			p.shows(`(?i)'s turn`) // it has begun
			text, err := os.ReadFile(pid)
			if err != nil {
				t.Fatal(err)
			}
			n, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err == nil {
				err = syscall.Kill(n, syscall.SIGKILL)
			}
			if err != nil {
				t.Fatal(err)
			}
			p.shows(`exit code 137`)
		}
	}
	rng, played := rand.New(rand.NewPCG(1, 2)), 1
	p, kill := run("divisibility target=97 pool=0-9 --names Ada,Ben")
	p.shows(`(?i)'s turn`)
	p.types("1", "Enter")
	p.shows(`(?i)ben's turn`)
	for _, d := range []string{"2", "4", "5", "6", "8", "3"} {
		p.types(d)
		if played > 1 {
			p.types("r")
		}
		p.types("Enter")
		if rng.IntN(2) == 0 { // else it is killed while the move is on its way
			p.shows(`(?i)` + []string{"ada", "ben"}[(played+1)%2] + "'s turn")
		}
		screen := p.shows(`(?i)'s turn`)
		kill()
		shown := taken(screen)
		p, kill = run("--continue")
		again := taken(p.shows(`(?i)'s turn`))
		if again < shown || again < played || again > played+1 {
			t.Fatalf("%d moves were played and %d on the screen; %d are there after it was killed", played, shown, again)
		}
		played = again
	}
	if played < 3 {
		t.Errorf("only %d moves were played", played)
	}
	p.types("C-c")
	p.shows(`^exit code 130`)
}

// taken returns how many digits of the pool, which is at the top, are taken on a screen.
func taken(screen string) int {
	rows := strings.Split(screen, "\n")
	return strings.Count(strings.Join(rows[:8], ""), "·")
}
