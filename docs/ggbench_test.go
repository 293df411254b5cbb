package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGGBench checks the output of examples/ggbench.py for two small result files. The strong model
// has no illegal answers. The weak one wins half of the scored plays of game 7, which is a fifth of
// all its plays, and gives only illegal answers in game 8.
func TestGGBench(t *testing.T) {
	if exec.Command("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))").Run() != nil {
		t.Skip("there is no Python 3.10")
	}
	dir := t.TempDir()
	play := func(wins, losses, draws, illegal, stuck string) string {
		return `{"gpt_wins":` + wins + `,"agent_wins":` + losses + `,"draws":` + draws +
			`,"gpt_faults":` + illegal + `,"agent_faults":` + stuck + `,"total_games":10}`
	}
	for name, text := range map[string]string{
		"strong_eval_1.json": `{"usage_tracker":{},"7":` + play("8", "2", "0", "0", "0") +
			`,"8":` + play("4", "5", "0", "0", "1") + `,"9":` + play("0", "0", "10",
			"0", "0") + `}`,
		"weak_eval_2.json": `{"7":` + play("2", "2", "0", "6", "0") +
			`,"8":` + play("0", "0", "0", "10", "0") + `,"9":` + play("0", "0", "9", "1", "0") +
			`,"consolidated":{}}`,
		"other.json": `{"7":{}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const want = `model   scored  draws  illegal  published  as losses
strong      29     10        0      41.48      40.00
weak        13      9       17      25.00       6.67

19 of 42 scored plays are draws, in 1 games
only draws for every model: 9
17 plays with illegal answers are not scored, nor 1 of the opponent's
`
	got, err := exec.CommandContext(t.Context(), "python3", "examples/ggbench.py",
		dir).CombinedOutput()
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	if out, err := exec.CommandContext(t.Context(), "python3", "examples/ggbench.py", t.TempDir()).
		CombinedOutput(); err == nil {
		t.Errorf("no error for an empty folder: %s", out)
	}
}
