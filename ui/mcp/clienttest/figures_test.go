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

// table returns the rows of a table in docs/agents.md, by the cells that its head begins with.
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

// run runs the program in a folder, and returns what it writes.
func run(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), duel, args...)
	var said bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stderr = dir, environment(t), &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("duel %q: %v: %s", args, err, said.String())
	}
	return out
}

// A played has the figures of a player in a match or an exam.
type played struct {
	Score, Regret, Kept, Chance, Kappa float64
	Low                                float64 `json:"kappa_low"`
	High                               float64 `json:"kappa_high"`
	Moves, Decisions                   int
}

// matched plays pairs of games against the perfect level by the command on the page.
func matched(t *testing.T, level string, pairs int) played {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, command, ok := strings.Cut(string(text), "    duel match --player casual --player perfect ")
	if !ok {
		t.Fatal("there is no match on the page")
	}
	command, _, _ = strings.Cut(strings.ReplaceAll(command, "\\\n", " "), " --pairs")
	args := append([]string{"match", "--player", level, "--player", "perfect"}, strings.Fields(command)...)
	var summary struct{ Players []played }
	out := run(t, t.TempDir(), append(args, "--pairs", strconv.Itoa(pairs/5), "--out", "run", "--json")...)
	if err := json.Unmarshal(out, &summary); err != nil {
		t.Fatal(err)
	}
	return summary.Players[0]
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// TestHowMany checks how many games the page says it takes.
func TestHowMany(t *testing.T) {
	for _, row := range table(t, "pairs | moves of the player") {
		pairs, _ := strconv.Atoi(row[0])
		p := matched(t, "casual", pairs)
		got := fmt.Sprintf("%d, %d, %.3f, %.3f, %.3f", p.Moves, p.Decisions, p.Kappa, p.Low, p.High)
		if want := strings.Join(row[1:], ", "); got != want {
			t.Errorf("%s pairs: %s; told: %s", row[0], got, want)
		}
	}
}

// TestScale holds the figures of the levels, with which those of agents are compared.
func TestScale(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "items.jsonl"), run(t, dir, "exam", "make", "standard-1", "--key", "key.jsonl"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range table(t, "level | score") {
		p := matched(t, row[0], 1000)
		run(t, dir, "exam", "run", "items.jsonl", "--player", row[0], "--out", "answers.jsonl")
		var sat played
		if err := json.Unmarshal(run(t, dir, "exam", "grade", "answers.jsonl", "--key", "key.jsonl", "--json"), &sat); err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%s, %.3f, %d, %s, %s, %.3f, %s, %.3f",
			percent(p.Score), p.Regret, p.Decisions, percent(p.Kept), percent(p.Chance), p.Kappa, percent(sat.Kept), sat.Kappa)
		if want := strings.Join(row[1:], ", "); got != want {
			t.Errorf("%s: %s; told: %s", row[0], got, want)
		}
	}
}

// TestBenchmark computes the means of the public benchmark, with two of its games repaired, again
// from its totals.
func TestBenchmark(t *testing.T) {
	const games, first = 30, 15 // of each environment, and with the model first
	for _, row := range table(t, "model | 123: model, agent, draws") {
		more := 0
		for _, column := range []int{1, 3} {
			var model, agent, draws, truly int
			if _, err := fmt.Sscanf(row[column]+" "+row[column+1], "%d, %d, %d %d", &model, &agent, &draws, &truly); err != nil {
				t.Fatalf("%q: %v", row, err)
			}
			if model+agent+draws != games || truly != model+first-agent {
				t.Errorf("%s: %s, truly %s", row[0], row[column], row[column+1])
			}
			more += truly - model
		}
		var environments int
		var published, repaired float64
		if _, err := fmt.Sscanf(strings.Join(row[5:], " "), "%d %f %f", &environments, &published, &repaired); err != nil {
			t.Fatalf("%q: %v", row, err)
		}
		if want := published + 100*float64(more)/games/float64(environments); math.Abs(want-repaired) > 0.0101 { // both are rounded
			t.Errorf("%s: %.2f, want %.2f", row[0], repaired, want)
		}
	}
}
