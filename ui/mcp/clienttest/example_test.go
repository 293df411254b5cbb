package clienttest_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"digitduel/digit"
)

// TestExample lets the agent in Python play games, each of which ends by the rules or by its faults.
func TestExample(t *testing.T) {
	python(t)
	cmd := exec.CommandContext(t.Context(), "python3", "../../../examples/agent.py", "20", duel, "mcp", "--db", filepath.Join(t.TempDir(), "games.db"))
	cmd.Env = environment(t)
	out, err := cmd.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != 20 {
		t.Fatalf("%v: %s", err, out)
	}
	for _, line := range lines { // dilemma as first against skilled 7a 5b 2b 1a 0c 4c 0-1 multiple
		words := strings.Fields(line)
		game, err := digit.ParseRecord(words[0] + " " + strings.Join(words[5:], " "))
		if err != nil || !game.Result.Over() {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestRun lets it play the planned run on the page, and reads the report.
func TestRun(t *testing.T) {
	python(t)
	script := strings.ReplaceAll(blocks(t, "sh")[0], "--pairs 20", "--pairs 2")
	examples, err := filepath.Abs("../../../examples")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", strings.ReplaceAll(script, "examples/", examples+"/"))
	cmd.Dir, cmd.Env = t.TempDir(), onPath(t)
	out, err := cmd.CombinedOutput()
	for _, want := range []string{"\nall 8 games of this run are played", "\n8 of 8 games\n", " agent:chance "} {
		if err != nil || !strings.Contains(string(out), want) {
			t.Fatalf("%q is not told: %v: %s", want, err, out)
		}
	}
}

// python skips a test where there is none.
func python(t *testing.T) {
	t.Helper()
	if exec.Command("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))").Run() != nil {
		t.Skip("there is no Python 3.9")
	}
}
