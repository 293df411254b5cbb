package local

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/disk"
	"digitduel/match"
	"digitduel/ui/cli"
)

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

// saveTable saves events as those of a table, and closes it.
func saveTable(t *testing.T, folder Folder, id string, events []match.Event) {
	t.Helper()
	log, err := folder.Open(id)
	if err == nil {
		err = errors.Join(log.Append(events...), log.Close(time.Now()))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestTornTable cuts a table's file at every byte: the events before the cut are read, and more can
// be appended.
func TestTornTable(t *testing.T) {
	dir := t.TempDir()
	folder := Folder(dir)
	setup := match.Setup{Rules: digit.Dilemma, Names: [2]string{"Ada", "Ben"}}
	events := eventsOf(t, setup, "7a", "3b", "1c")
	saveTable(t, folder, "whole", events)
	whole, err := os.ReadFile(filepath.Join(dir, "whole.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for cut := range whole {
		path := filepath.Join(dir, "torn.jsonl")
		zeros := append(bytes.Clone(whole[:cut]), make([]byte, 8)...) // a disk may leave zeros
		for _, torn := range [][]byte{whole[:cut], zeros} {
			if err := os.WriteFile(path, torn, 0o600); err != nil {
				t.Fatal(err)
			}
			kept := bytes.Count(whole[:cut], []byte("\n"))
			log, err := folder.Open("torn")
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

// TestUnreadableTable has one unreadable file among others: it is reported and left unchanged, and
// the others are listed.
func TestUnreadableTable(t *testing.T) {
	dir := t.TempDir()
	folder := Folder(dir)
	events := eventsOf(t, match.Setup{Rules: digit.Dilemma}, "7a")
	saveTable(t, folder, "good", events)
	for _, c := range []struct{ text, want string }{
		{"nonsense\n{}\n", "bad.jsonl:1: invalid character"},
		{`{"seq":2}` + "\n\n", "bad.jsonl:1: event 2 cannot follow event 0"},
		{`{"seq":1,"kind":"moved"}` + "\n", "bad.jsonl:1: a table is set up once, by its first event"},
	} {
		path := filepath.Join(dir, "bad.jsonl")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		tables, err := folder.Tables()
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || len(tables) != 1 || tables[0].ID != "good" {
			t.Errorf("%q: %d tables, %v; want %s", c.text, len(tables), err, c.want)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != c.text {
			t.Errorf("%q became %q, %v", c.text, now, err)
		}
	}
}

// TestTableTwice checks that a table that is open cannot be opened or deleted.
func TestTableTwice(t *testing.T) {
	folder := Folder(t.TempDir())
	log, err := folder.Open("it")
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Append(eventsOf(t, match.Setup{Rules: digit.Dilemma}, "7a")...); err != nil {
		t.Fatal(err)
	}
	if _, err := folder.Open("it"); !errors.Is(err, disk.ErrBusy) {
		t.Errorf("open twice: got %v, want ErrBusy", err)
	}
	if err := folder.Forget("it"); !errors.Is(err, disk.ErrBusy) {
		t.Errorf("delete while open: got %v, want ErrBusy", err)
	}
	if tables, err := folder.Tables(); err != nil || len(tables) != 1 || !tables[0].Busy || tables[0].Playable() {
		t.Errorf("tables: %+v, %v", tables, err)
	}
	if err := log.Close(time.Now()); err != nil {
		t.Fatal(err)
	}
	if tables, err := folder.Tables(); err != nil || len(tables) != 1 || !tables[0].Playable() {
		t.Errorf("tables: %+v, %v", tables, err)
	}
	if err := folder.Forget("it"); err != nil {
		t.Error(err)
	}
	if tables, err := folder.Tables(); err != nil || len(tables) != 0 {
		t.Errorf("tables: %+v, %v", tables, err)
	}
}

// TestTableOrder checks that the table that was left last is listed first, in whatever order their
// files were written.
func TestTableOrder(t *testing.T) {
	folder, now := Folder(t.TempDir()), time.Now()
	for i, id := range []string{"b", "c", "a"} {
		log, err := folder.Open(id)
		if err == nil {
			err = errors.Join(
				log.Append(eventsOf(t, match.Setup{Rules: digit.Dilemma}, "7a")...),
				log.Close(now.Add(-time.Duration(i)*time.Minute)))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	tables, err := folder.Tables()
	if err != nil || len(tables) != 3 || tables[0].ID+tables[1].ID+tables[2].ID != "bca" {
		t.Errorf("tables: %+v, %v", tables, err)
	}
}

// TestBusyEnded checks that Settle does not add a finished game while its table is still open.
func TestBusyEnded(t *testing.T) {
	folder := Folder(t.TempDir())
	log, err := folder.Open("it")
	if err == nil {
		moves := []string{"9a", "8a", "2c", "7b", "5b", "6c"}
		err = log.Append(eventsOf(t, match.Setup{Rules: digit.Highest}, moves...)...)
	}
	if err != nil {
		t.Fatal(err)
	}
	added := 0
	tables, err := folder.Settle(
		func() ([]digit.Record, error) { return nil, nil },
		func(digit.Record) error { added++; return nil })
	if err != nil || len(tables) != 1 || !tables[0].Busy || added > 0 {
		t.Errorf("tables: %+v, %v; added %d games, want none", tables, err, added)
	}
	if err := log.Close(time.Now()); err != nil {
		t.Fatal(err)
	}
}

// TestEndedTable checks that Settle adds the finished game of each table once, also if the game is
// already there with a note about help.
func TestEndedTable(t *testing.T) {
	folder := Folder(t.TempDir())
	games := cli.GameFile(filepath.Join(t.TempDir(), "games"))
	moves := []string{"9a", "8a", "2c", "7b", "5b", "6c"}
	saveTable(t, folder, "one game", eventsOf(t, match.Setup{Rules: digit.Highest}, moves...))
	series := match.Setup{Rules: digit.Highest, Terms: match.Terms{BestOf: 3}}
	saveTable(t, folder, "series", eventsOf(t, series, moves...))
	for range 2 {
		tables, err := folder.Settle(games.Games, games.Add)
		if err != nil || len(tables) != 1 || tables[0].ID != "series" {
			t.Fatalf("left: %+v, %v", tables, err)
		}
		if kept, err := games.Games(); err != nil || len(kept) != 2 {
			t.Fatalf("games: %v, %v", kept, err)
		}
	}
	setup := match.Setup{Rules: digit.Highest, Levels: [2]string{"", "casual"}}
	events := eventsOf(t, setup, moves...)
	saveTable(t, folder, "helped", events)
	table, err := folder.table("helped")
	if err == nil {
		err = games.Add(coach.Helped(table.State.Record()))
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := folder.Settle(games.Games, games.Add); err != nil {
		t.Fatal(err)
	}
	if kept, err := games.Games(); err != nil || len(kept) != 3 {
		t.Fatalf("got games %v, %v, want the game with help once", kept, err)
	}
}

// TestPartOfGames checks that Settle adds a finished game, although other saved games are
// unreadable.
func TestPartOfGames(t *testing.T) {
	folder, added := Folder(t.TempDir()), 0
	moves := []string{"9a", "8a", "2c", "7b", "5b", "6c"}
	saveTable(t, folder, "it", eventsOf(t, match.Setup{Rules: digit.Highest}, moves...))
	tables, err := folder.Settle(
		func() ([]digit.Record, error) { return []digit.Record{{}}, errors.New("line 2") },
		func(digit.Record) error { added++; return nil })
	if err != nil || len(tables) > 0 || added != 1 {
		t.Errorf("tables: %+v, %v; added %d games, want 1", tables, err, added)
	}
}

// TestNoRoom checks the errors of a folder that cannot be created.
func TestNoRoom(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	folder := Folder(filepath.Join(name, "tables"))
	if err := os.WriteFile(name, nil, 0o600); err != nil { // a file where the folder should be
		t.Fatal(err)
	}
	if _, err := folder.Open("it"); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("open: got %v, want ENOTDIR", err)
	}
	if tables, err := folder.Tables(); len(tables) != 0 || err != nil && !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("tables: %v, %v", tables, err)
	}
}
