package main

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the results of matches between levels to docs/levels.md")

const placed = "\n## Placed by matches\n"

// TestLevelsPlaced plays the match that docs/levels.md describes, and checks the command and the
// results there.
func TestLevelsPlaced(t *testing.T) {
	if !nightly && !*update {
		t.Skip("matches between all levels are part of make nightly")
	}
	const page = "../../docs/levels.md"
	args := []string{"match"}
	for _, level := range []string{"beginner", "novice", "casual", "skilled", "expert", "master", "perfect"} {
		args = append(args, "--player", level)
	}
	for _, rules := range []string{
		"dilemma", "sevens", "highest", "divisibility", "reverse",
		"dilemma target=13", "dilemma width=4", "divisibility target=101",
	} {
		args = append(args, "--rules", rules)
	}
	args = append(args, "--starts", "won:ply=1-4", "--pairs", "50", "--seed", "1", "--out")
	code, out, errs := runDuel(t, nil, append(args, t.TempDir()+"/levels")...)
	if code != 0 {
		t.Fatalf("%d: %s", code, errs)
	}
	// The report has the count, the players, the pairs of players, the ratings and the legend.
	parts := strings.Split(strings.TrimSpace(out), "\n\n")
	if len(parts) != 5 {
		t.Fatalf("the report has %d parts:\n%s", len(parts), out)
	}
	command, width := "    duel", len("    duel")
	for _, arg := range append(args, "runs/levels") {
		if strings.Contains(arg, " ") {
			arg = "'" + arg + "'"
		}
		if width+len(arg) > 90 && strings.HasPrefix(arg, "--") {
			command, width = command+" \\\n     ", len("     ")
		}
		command, width = command+" "+arg, width+1+len(arg)
	}
	var players []string
	for line := range strings.Lines(parts[1]) {
		// Skip the lines for single rules.
		if fields := strings.Fields(line); fields[1] == "game" || fields[1] == "all" {
			players = append(players, strings.TrimRight(line, "\n"))
		}
	}
	text := `
A round robin over the rules of the standard exam, from positions that the side to move can win or
lose, in pairs with the seats swapped. [Matches and exams](arena.md#regret) defines the figures. The
ratings include the worth of moving first from these starts.

` + command + "\n\n```\n" + strings.Join(players, "\n") + "\n\n" + parts[3] + "\n```\n"
	kept, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, is, _ := strings.Cut(string(kept), placed)
	if *update {
		if err := os.WriteFile(page, []byte(before+placed+text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if is != text {
		t.Errorf("%s differs from the match; run go test ./cmd/duel -run TestLevelsPlaced -update "+
			"and read the difference", page)
	}
}
