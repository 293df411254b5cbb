package arena

import (
	"io"
	"strings"
	"testing"
)

// TestStartOf starts where a plan of the same seed has its first pair start, and where a position or moves lead.
func TestStartOf(t *testing.T) {
	for _, starts := range []string{"won", "decision", "won:ply=2-3", "decision:ply=1"} {
		for seed := range uint64(5) {
			plan, solutions := planOf(t, Plan{Players: []string{"master", "novice"}, Pairs: 3, Seed: seed}, starts, "dilemma")
			p, err := StartOf(solutions[0], starts, seed)
			if text := plan.Rules[0].Text(p); err != nil || text != plan.Positions[0][0] || !IsDrawn(starts) {
				t.Errorf("%s by %d: %s %v, want %s", starts, seed, text, err, plan.Positions[0][0])
			}
		}
	}
	plan, solutions := planOf(t, Plan{Players: []string{"master", "novice"}, Pairs: 1}, "beginning", "dilemma")
	for text, want := range map[string]string{"": "___/___", "start": "___/___", "7a 3b": "7__/_3_", "7_1/53_": "7_1/53_"} {
		if p, err := StartOf(solutions[0], text, 0); err != nil || plan.Rules[0].Text(p) != want || IsDrawn(text) {
			t.Errorf("%q: %s %v", text, plan.Rules[0].Text(p), err)
		}
	}
	for text, want := range map[string]string{
		"won:ply=x": `starts "won:ply=x": allowed: `, "middle": `"middle": allowed: start, won, decision, a position, or moves; under these rules 0a is a move, and 0__/___ the position after it`,
		"7a 7b": "7b: 7 is taken; left: ", "765/432": "the game is over there",
	} {
		if _, err := StartOf(solutions[0], text, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestStartsFile refuses a line that nobody wrote, and says which it is.
func TestStartsFile(t *testing.T) {
	open := func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("7a 3b\n" + strings.Repeat("7", 70_000))), nil
	}
	if _, err := ParseStarts("file:book.txt", open); err == nil || err.Error() != "starts: book.txt: line 2 is longer than 64 KiB" {
		t.Error(err)
	}
}
