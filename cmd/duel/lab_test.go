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

// TestRepairs runs the commands that verify each suggested repair, and checks that they print the
// expected text.
func TestRepairs(t *testing.T) {
	kinds := map[string]bool{}
	for _, rules := range []string{
		"sevens", "highest", "divisibility target=25 width=3", "dilemma target=37 final=below width=2",
		"divisibility width=2", "divisibility pool=1-3 target=7", "nines",
	} {
		var found struct{ Repairs []lab.Repair }
		if err := json.Unmarshal([]byte(outputOf(t, "lab repair "+rules+" --json")), &found); err != nil {
			t.Fatal(err)
		}
		for i, r := range found.Repairs {
			before := found.Repairs[max(0, i-1)]
			if r.Helps && !before.Helps || r.Helps == before.Helps && r.Worse > before.Worse {
				t.Errorf("%s: %q comes after %q", rules, r.What, before.What)
			}
			if r.Helps {
				kinds[r.Kind] = true
			} else {
				kinds["no "+r.Kind] = true
			}
			for _, c := range r.Check {
				if got := outputOf(t, strings.TrimPrefix(c.Command, "duel ")); !strings.Contains(got, c.Says) {
					t.Errorf("%s: %s: %s does not print %q:\n%s",
						rules, r.What, c.Command, c.Says, got)
				}
			}
		}
	}
	for _, kind := range []string{
		"pair", "lot", "rules", "swap", "forbid", "no rules", "no swap", "no forbid", "no lot",
	} {
		if !kinds[kind] {
			t.Errorf("no repair of kind %s was found, only %v", kind, kinds)
		}
	}
}

// outputOf returns the output of a command, with warnings unless it prints JSON.
func outputOf(t *testing.T, line string) string {
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

// TestSweepStopped interrupts a sweep: the results so far are saved and printed, the exit code is
// 130, and the sweep can be resumed.
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
	for lines := 0; lines < 3 && ctx.Err() == nil; { // until some results are saved
		lines = countLines(file)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code is checked below
	done := countLines(file)
	if code := cmd.ProcessState.ExitCode(); code != 130 ||
		!strings.Contains(stderr.String(), "of 9998 rule sets; resume with --resume") ||
		!strings.Contains(stdout.String(), "divisibility") {
		t.Errorf("exit code %d, %s%s", code, stdout.String(), stderr.String())
	}
	args[3] = "target=2..4"
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := outputOf(t, strings.Join(append(args, "--resume"), " ")); !strings.Contains(got, "\nRule sets: 3;") {
		t.Errorf("the sweep was not resumed: %s", got)
	}
	after, err := os.ReadFile(file)
	if err != nil || !bytes.HasPrefix(after, before) || done < 3 {
		t.Errorf("the results from before are lost: %d lines, %v", done, err)
	}
}

// TestSweepFull lets a sweep run out of room for its file: it stops at once, and says why.
func TestSweepFull(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	file := filepath.Join(t.TempDir(), "kept.jsonl")
	out, err := exec.CommandContext(ctx, "sh", "-c", `ulimit -f 4 && exec "$@"`, "sh",
		"duel", "lab", "sweep", "divisibility", "target=2..9999", "--out", file).CombinedOutput()
	want := "duel: out " + file + ": cannot write: file too large\n"
	if err == nil || ctx.Err() != nil || !strings.HasSuffix(string(out), want) {
		t.Errorf("%v, %s, want %s", err, out, want)
	}
}

// countLines returns the number of whole lines of a file, 0 if there is no such file.
func countLines(name string) int {
	text, _ := os.ReadFile(name) // a missing file has no lines
	return bytes.Count(text, []byte("\n"))
}
