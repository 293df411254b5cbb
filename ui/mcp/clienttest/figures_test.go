package clienttest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// table returns the rows of a table in docs/agents.md, whose header starts with head.
func table(t *testing.T, head string) [][]string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n| "+head+" |")
	if !ok {
		t.Fatalf("%s has no table with %s", page, head)
	}
	rest, _, _ = strings.Cut(rest, "\n\n")
	var rows [][]string
	for _, line := range strings.Split(rest, "\n")[2:] {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.Trim(cells[i], " `")
		}
		rows = append(rows, cells)
	}
	return rows
}

// run runs the program in a folder, and returns its output.
func run(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), duel, args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stderr = dir, environment(t), &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("duel %q: %v: %s", args, err, stderr.String())
	}
	return out
}

// figures are the results of a player in a match or an exam.
type figures struct {
	Score, Regret, Kept, Chance, Kappa float64
	Low                                float64 `json:"kappa_low"`
	High                               float64 `json:"kappa_high"`
	Moves, Decisions                   int
}

// playMatch plays pairs of games against the perfect level with the command in docs/agents.md.
func playMatch(t *testing.T, level string, pairs int) figures {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, command, ok := strings.Cut(string(text), "    duel match --player casual --player perfect ")
	if !ok {
		t.Fatal("docs/agents.md has no duel match command")
	}
	command, _, _ = strings.Cut(strings.ReplaceAll(command, "\\\n", " "), " --pairs")
	args := append([]string{"match", "--player", level, "--player", "perfect"}, strings.Fields(command)...)
	var summary struct{ Players []figures }
	out := run(t, t.TempDir(), append(args, "--pairs", strconv.Itoa(pairs/5), "--out", "run", "--json")...)
	if err := json.Unmarshal(out, &summary); err != nil {
		t.Fatal(err)
	}
	return summary.Players[0]
}

// percent formats a share.
func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// TestHowMany checks the table in docs/agents.md on the number of games that a comparison needs.
func TestHowMany(t *testing.T) {
	for _, row := range table(t, "pairs | moves of the player") {
		pairs, _ := strconv.Atoi(row[0])
		p := playMatch(t, "casual", pairs)
		got := fmt.Sprintf("%d, %d, %.3f, %.3f, %.3f", p.Moves, p.Decisions, p.Kappa, p.Low, p.High)
		if want := strings.Join(row[1:], ", "); got != want {
			t.Errorf("%s pairs: got %s; docs/agents.md has %s", row[0], got, want)
		}
	}
}

// TestScale checks the results of the levels in docs/agents.md, with which agents are compared.
func TestScale(t *testing.T) {
	dir := t.TempDir()
	items := run(t, dir, "exam", "make", "standard-1", "--key", "key.jsonl")
	if err := os.WriteFile(filepath.Join(dir, "items.jsonl"), items, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range table(t, "level | score") {
		p := playMatch(t, row[0], 1000)
		run(t, dir, "exam", "run", "items.jsonl", "--player", row[0], "--out", "answers.jsonl")
		var exam figures
		grade := run(t, dir, "exam", "grade", "answers.jsonl", "--key", "key.jsonl", "--json")
		if err := json.Unmarshal(grade, &exam); err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%s, %.3f, %d, %s, %s, %.3f, %s, %.3f",
			percent(p.Score), p.Regret, p.Decisions, percent(p.Kept), percent(p.Chance), p.Kappa,
			percent(exam.Kept), exam.Kappa)
		if want := strings.Join(row[1:], ", "); got != want {
			t.Errorf("%s: got %s; docs/agents.md has %s", row[0], got, want)
		}
	}
}

// TestBenchmark recomputes the means of the public benchmark from its totals, with two of its games
// repaired.
func TestBenchmark(t *testing.T) {
	const games, first = 30, 15 // per environment; in first of them, the model starts
	for _, row := range table(t, "model | 123: model, agent, draws") {
		more := 0
		for _, column := range []int{1, 3} {
			var model, agent, draws, truly int
			cells := row[column] + " " + row[column+1]
			if _, err := fmt.Sscanf(cells, "%d, %d, %d %d", &model, &agent, &draws, &truly); err != nil {
				t.Fatalf("%q: %v", row, err)
			}
			if model+agent+draws != games || truly != model+first-agent {
				t.Errorf("%s: got %s, repaired %s", row[0], row[column], row[column+1])
			}
			more += truly - model
		}
		var environments int
		var published, repaired float64
		rest := strings.Join(row[5:], " ")
		if _, err := fmt.Sscanf(rest, "%d %f %f", &environments, &published, &repaired); err != nil {
			t.Fatalf("%q: %v", row, err)
		}
		want := published + 100*float64(more)/games/float64(environments)
		if math.Abs(want-repaired) > 0.0101 { // both are rounded
			t.Errorf("%s: got %.2f, want %.2f", row[0], repaired, want)
		}
	}
}
