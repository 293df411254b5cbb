package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"digitduel/lab"
)

// TestRepairs runs the commands that each repair is to be checked with, and looks for what they are to say.
func TestRepairs(t *testing.T) {
	kinds := map[string]bool{}
	for _, rules := range []string{"sevens", "highest", "divisibility target=25 width=3", "dilemma target=37 final=below width=2", "divisibility width=2", "divisibility pool=1-3 target=7", "nines"} {
		var found struct{ Repairs []lab.Repair }
		if err := json.Unmarshal([]byte(said(t, "lab repair "+rules+" --json")), &found); err != nil {
			t.Fatal(err)
		}
		for i, r := range found.Repairs {
			if before := found.Repairs[max(0, i-1)]; r.Helps && !before.Helps || r.Helps == before.Helps && r.Worse > before.Worse {
				t.Errorf("%s: %q stands behind %q", rules, r.What, before.What)
			}
			if r.Helps {
				kinds[r.Kind] = true
			} else {
				kinds["no "+r.Kind] = true
			}
			for _, c := range r.Check {
				if got := said(t, strings.TrimPrefix(c.Command, "duel ")); !strings.Contains(got, c.Says) {
					t.Errorf("%s: %s: %s does not say %q:\n%s", rules, r.What, c.Command, c.Says, got)
				}
			}
		}
	}
	for _, kind := range []string{"pair", "lot", "rules", "swap", "forbid", "no rules", "no swap", "no forbid", "no lot"} {
		if !kinds[kind] {
			t.Errorf("there was no %s among %v", kind, kinds)
		}
	}
}

// said returns all that a command says.
func said(t *testing.T, line string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if err := run(t.Context(), strings.Fields(line), strings.NewReader(""), &out, &errs); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if strings.HasSuffix(line, "--json") {
		return out.String()
	}
	return out.String() + errs.String()
}

// TestSweepStopped stops a sweep by Ctrl-C: what is done is kept and written, the exit code is 130, and it goes on from there.
func TestSweepStopped(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	file := filepath.Join(t.TempDir(), "kept.jsonl")
	args := []string{"lab", "sweep", "divisibility", "target=2..9999", "--out", file}
	cmd := exec.CommandContext(ctx, "duel", args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := 0; lines < 3 && ctx.Err() == nil; { // until some are kept
		lines = countLines(file)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code tells
	done := countLines(file)
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(stderr.String(), "of 9998 rule sets; resume with --resume") || !strings.Contains(stdout.String(), "divisibility") {
		t.Errorf("exit code %d, %s%s", code, stdout.String(), stderr.String())
	}
	args[3] = "target=2..4"
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := said(t, strings.Join(append(args, "--resume"), " ")); !strings.Contains(got, "\n3 rule sets") {
		t.Errorf("it did not go on: %s", got)
	}
	after, err := os.ReadFile(file)
	if err != nil || !bytes.HasPrefix(after, before) || done < 3 {
		t.Errorf("what was kept is not there any more: %d lines, %v", done, err)
	}
}

// countLines returns how many whole lines a file has that may not be there yet.
func countLines(name string) int {
	text, _ := os.ReadFile(name) // of what is not there, nothing
	return bytes.Count(text, []byte("\n"))
}
