package clienttest_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"digitduel/digit"
)

// TestExample lets the Python agent play games, and checks that each is finished.
func TestExample(t *testing.T) {
	python(t)
	cmd := exec.CommandContext(t.Context(), "python3", "../../../examples/agent.py", "20",
		duel, "mcp", "--db", filepath.Join(t.TempDir(), "games.db"))
	cmd.Env = environment(t)
	out, err := cmd.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != 20 {
		t.Fatalf("%v: %s", err, out)
	}
	// A line is like "dilemma as first against skilled 7a 5b 2b 1a 0c 4c 0-1 multiple".
	for _, line := range lines {
		words := strings.Fields(line)
		game, err := digit.ParseRecord(words[0] + " " + strings.Join(words[5:], " "))
		if err != nil || !game.Result.Over() {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestRun runs the planned run of docs/agents.md with the Python agent, and checks the report.
func TestRun(t *testing.T) {
	python(t)
	script := strings.ReplaceAll(blocks(t, "sh")[0], "--pairs 20", "--pairs 2")
	examples, err := filepath.Abs("../../../examples")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", strings.ReplaceAll(script, "examples/", examples+"/"))
	cmd.Dir, cmd.Env = t.TempDir(), programOnPath(t)
	out, err := cmd.CombinedOutput()
	for _, want := range []string{
		"\nall 8 games of this run are played", "\n8 of 8 games\n", " agent:chance ",
	} {
		if err != nil || !strings.Contains(string(out), want) {
			t.Fatalf("want %q in the output: %v: %s", want, err, out)
		}
	}
}

// python skips the test if there is no Python.
func python(t *testing.T) {
	t.Helper()
	if exec.Command("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))").Run() != nil {
		t.Skip("there is no Python 3.9")
	}
}
