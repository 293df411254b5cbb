package arena

import (
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/solve"
)

// TestStartOf checks that StartOf returns the first start of a plan with the same seed, and parses
// positions and moves.
func TestStartOf(t *testing.T) {
	for _, starts := range []string{"won", "decision", "won:ply=2-3", "decision:ply=1"} {
		for seed := range uint64(5) {
			plan, solutions := planOf(t,
				Plan{Players: []string{"master", "novice"}, Pairs: 3, Seed: seed},
				starts, "dilemma")
			p, err := StartOf(solutions[0], starts, seed)
			if text := plan.Rules[0].Text(p); err != nil || text != plan.Positions[0][0] ||
				!IsDrawn(starts) {
				t.Errorf("%s with seed %d: %s %v, want %s",
					starts, seed, text, err, plan.Positions[0][0])
			}
		}
	}
	plan, solutions := planOf(t, Plan{Players: []string{"master", "novice"}, Pairs: 1},
		"beginning", "dilemma")
	for text, want := range map[string]string{"": "___/___", "start": "___/___", "7a 3b": "7__/_3_",
		"7_1/53_": "7_1/53_"} {
		if p, err := StartOf(solutions[0], text, 0); err != nil || plan.Rules[0].Text(p) != want ||
			IsDrawn(text) {
			t.Errorf("%q: %s %v", text, plan.Rules[0].Text(p), err)
		}
	}
	for text, want := range map[string]string{
		"won:ply=x": `starts "won:ply=x": allowed: `, "middle": `"middle": allowed: start, won, decision, a position, or moves; under these rules 0a is a move, and 0__/___ the position after it`,
		"7a 7b": "7b: 7 is taken; left: ", "765/432": "the game is over there",
	} {
		if _, err := StartOf(solutions[0], text, 0); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestStartsFile checks that the error for an invalid line names it.
func TestStartsFile(t *testing.T) {
	readFile := func(string) ([]byte, error) {
		return []byte("# two openings\r\n7a 3b\r\n\n" + strings.Repeat("7", 70_000)), nil
	}
	starts, err := ParseStarts("file:book.txt", readFile)
	if err != nil {
		t.Fatal(err)
	}
	_, err = starts.read(digit.Dilemma)
	if err == nil || !strings.HasPrefix(err.Error(), "starts: line 4: dilemma: move \"777") ||
		len(err.Error()) > 300 {
		t.Error(err)
	}
}

// TestStartsDrawn checks random starts: with "won", the side to move can win and can lose; with
// "decision", it can make a mistake.
func TestStartsDrawn(t *testing.T) {
	r, err := digit.ParseRules("divisibility target=13")
	if err != nil {
		t.Fatal(err)
	}
	s, err := solve.Solve(t.Context(), r, solve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"won:ply=2-6", "decision:ply=2-6"} {
		starts, err := ParseStarts(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := starts.positions(s, 1, 400)
		if err != nil || len(drawn) != 400 {
			t.Fatalf("%d positions, %v", len(drawn), err)
		}
		for _, at := range drawn {
			p, err := r.ParsePosition(at)
			if err != nil {
				t.Fatal(err)
			}
			worst, best := solve.Win, solve.Loss
			for m := range r.Moves(p) {
				o := s.Choice(p, m).Value.Outcome
				if o.Points() < worst.Points() {
					worst = o
				}
				if o.Points() > best.Points() {
					best = o
				}
			}
			if ply := r.Ply(p); ply < 2 || ply > 6 || worst == best ||
				starts.kind == fromWon && (best != solve.Win || worst != solve.Loss) {
				t.Errorf("%s: %s after %d moves; the best move is a %v and the worst a %v",
					text, at, ply, best, worst)
			}
		}
	}
}
