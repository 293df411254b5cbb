package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestExamBrokenOff stops an exam of a program that thinks for ever about every fourth item, with a
// kill and with Ctrl-C. Answers are kept each time, and the same command continues.
func TestExamBrokenOff(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("one program cannot interrupt another on Windows")
	}
	t.Parallel()
	items, out := filepath.Join(t.TempDir(), "items"), filepath.Join(t.TempDir(), "answers")
	runMatch(t, []string{
		"exam", "make", "--rules", "highest", "--items", "8", "--key", items + ".key", "--out", items,
	})
	args := []string{
		"exam", "run", items, "--player", "engine:steady 3", "--move-time", "1h", "--out", out,
	}
	var stderr bytes.Buffer
	for i, signal := range []os.Signal{os.Kill, os.Interrupt} {
		cmd := exec.Command("duel", args...)
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		answered := waitForLines(out, 3*(i+1))
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil || !answered {
			t.Fatalf("%v: %s", err, stderr.String())
		}
	}
	want := "6 of 8 items are answered; run the same command to continue: interrupted\n"
	if !strings.HasSuffix(stderr.String(), want) {
		t.Errorf("printed %q, want %q at the end", stderr.String(), want)
	}
	runMatch(t, args)
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	for i := range 8 {
		want := fmt.Sprintf(`{"item":%d,"move":"`, i+1)
		if len(lines) != 9 || !strings.HasPrefix(lines[i], want) {
			t.Fatalf("%d lines, want 8; line %d must begin with %s:\n%s",
				len(lines)-1, i+1, want, text)
		}
	}
}

// waitForLines waits up to a minute until a file has a number of lines, and reports whether it has.
func waitForLines(path string, lines int) bool {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if text, err := os.ReadFile(path); err == nil && bytes.Count(text, []byte("\n")) == lines {
			return true
		}
	}
	return false
}
