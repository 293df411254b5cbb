package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// TestStateIsKept checks that a run resumes from the stored state.
func TestStateIsKept(t *testing.T) {
	name := filepath.Join(t.TempDir(), "state.json")
	s, err := readState(name)
	if err != nil || s.spent() != 0 {
		t.Fatalf("got the initial state %+v, %v", s, err)
	}
	for range 2 {
		s.Stores["sqlite"] = s.Stores["sqlite"].plus(killed{50, 3, 4321, time.Minute})
		s.Fuzz["digit FuzzMove"] = fuzzed{700, time.Minute}
		if err := s.write(name); err != nil {
			t.Fatal(err)
		}
		if s, err = readState(name); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.Stores["sqlite"]; got != (killed{100, 6, 8642, 2 * time.Minute}) {
		t.Errorf("got %+v", got)
	}
	if got := s.spent(); got != 3*time.Minute {
		t.Errorf("spent %v, want 3m", got)
	}
}

func TestFigures(t *testing.T) {
	s := state{
		Stores: map[string]killed{"sqlite": {1000, 0, 81230, time.Hour},
			"postgres": {400, 21, 7, time.Minute}},
		Fuzz: map[string]fuzzed{"web FuzzEndpoints": {10, time.Second},
			"digit FuzzMove": {9_999_990, time.Second}},
	}
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("# Page\n\n"+begin+"old\n"+end+"\nMore.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 15, 23, 0, 0, 0, time.UTC)
	for range 2 { // also if the page has figures already
		if err := writeFigures(page, s.figures(at, "2 cores, Go 1.26", 1000, 10_000_000)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	want := "# Page\n\n" + begin + `
Until 15 November 2026, on 2 cores, Go 1.26;
1h1m0s in all.

| store | kills of a server | kills of the database | acts confirmed | lost |
|---|---|---|---|---|
| SQLite, one server | 1,000 | 0 | 81,230 | 0 |
| PostgreSQL, two servers | 400 (of 1,000) | 21 | 7 | 0 |

Fuzzed: 10,000,000 inputs to 2 readers of text,
from 10 (` + "`web FuzzEndpoints`" + `) to 9,999,990 (` +
		"`digit FuzzMove`" + `).

` + end + "\nMore.\n"
	if string(got) != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if err := os.WriteFile(page, []byte("# Page\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := writeFigures(page, "x"); err == nil ||
		!strings.HasSuffix(err.Error(), "the lines around the figures are missing") {
		t.Errorf("got %v", err)
	}
}

func TestFindTargets(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	got, err := findTargets(fstest.MapFS{
		"digit/a_test.go": file("package digit\n\nfunc FuzzA(f *testing.F) {\n}\n\nfunc FuzzB(f *testing.F) {\n}\n"),
		"digit/b.go":      file("func FuzzC(f *testing.F) {\n}\n"),
		"tools/t_test.go": file("func FuzzD(f *testing.F) {\n}\n"),
		".git/t_test.go":  file("func FuzzE(f *testing.F) {\n}\n"),
		"web/c_test.go":   file("func TestX(t *testing.T) {\n}\n"),
	})
	if want := []target{{"digit", "FuzzA"}, {"digit", "FuzzB"}}; err != nil ||
		!slices.Equal(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestShare checks the number of inputs of a target, which should take one turn.
func TestShare(t *testing.T) {
	for _, test := range []struct {
		before fuzzed
		want   int
	}{
		{fuzzed{}, 2000},
		{fuzzed{2000, 10 * time.Second}, 6000},
		{fuzzed{1_000_000, 40 * time.Second}, 750_000},
		{fuzzed{100, 40 * time.Second}, 2000},
	} {
		if got := share(test.before); got != test.want {
			t.Errorf("after %+v: got %d, want %d", test.before, got, test.want)
		}
	}
}

// TestFollow checks that an interrupted command is asked to end and awaited, and that the failure
// of a command is an error.
func TestFollow(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var lines []string
	logFile := filepath.Join(t.TempDir(), "log")
	cmd := exec.Command("sh", "-c",
		`trap 'echo checked; exit 0' INT; echo killed; while :; do sleep 0.01; done`)
	err := follow(ctx, cmd, logFile, func(line string) {
		lines = append(lines, line)
		interrupt()
	})
	kept, _ := os.ReadFile(logFile)
	if err != nil || !slices.Equal(lines, []string{"killed", "checked"}) ||
		string(kept) != "killed\nchecked\n" {
		t.Errorf("got the lines %q and the log %q: %v", lines, kept, err)
	}
	if err := follow(t.Context(), exec.Command("sh", "-c", "exit 3"), logFile, nil); err == nil {
		t.Error("no error for a command that fails")
	}
}
