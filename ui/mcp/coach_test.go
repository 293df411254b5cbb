package mcp

import (
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// TestCoach asks a coach about a game, whose sentences are held to the truth elsewhere.
func TestCoach(t *testing.T) {
	h := open(t, &match.Memory{}, func(c *Config) { c.Coach = true })
	g := h.guest(t)
	s := got[State](g, "new_game", args{"rules": "dilemma", "start": "won", "seed": 3, "show_moves": true})
	solution, err := h.solver.Solve(t.Context(), digit.Dilemma)
	if err != nil {
		t.Fatal(err)
	}
	p, err := digit.Dilemma.ParsePosition(s.Position)
	if err != nil {
		t.Fatal(err)
	}
	analysis := got[Analysis](g, "analyze", args{"game": s.Game})
	if analysis.Outcome != "win" || analysis.Plies != solution.Value(p).Plies || len(analysis.Options) != len(s.Moves) || analysis.Turn != s.Turn {
		t.Errorf("%+v", analysis)
	}
	for _, o := range analysis.Options {
		m, err := digit.ParseMove(o.Move)
		if value := solution.Choice(p, m).Value; err != nil || o.Outcome != value.Outcome.String() || o.Plies != value.Plies {
			t.Errorf("%+v is %v", o, value)
		}
	}
	bare := got[Analysis](g, "analyze", args{"rules": "dilemma", "position": s.Position})
	if bare.Outcome != analysis.Outcome || len(bare.Options) != len(analysis.Options) {
		t.Errorf("%+v, and of the position alone %+v", analysis, bare)
	}
	for s.Result == "*" {
		hint := got[Hint](g, "hint", args{"game": s.Game})
		if hint.Outcome != "win" || hint.Look == "" || hint.Why == "" {
			t.Fatalf("%+v", hint)
		}
		s = got[State](g, "play", args{"game": s.Game, "move": hint.Move})
	}
	if report := got[GameReport](g, "report", args{"game": s.Game}); report.Score != 1 || report.Lost != 0 || report.PliesLost != 0 {
		t.Errorf("by hints alone: %+v", report)
	}
	review := got[Review](g, "review", args{"game": s.Game})
	for _, m := range review.Moves {
		if m.Side == s.You && m.Grade != "best" && m.Grade != "given" || m.Text == "" {
			t.Errorf("%+v", m)
		}
	}
	if review.Result != s.Result || !strings.Contains(review.Course, "ou") {
		t.Errorf("%+v", review)
	}
	for _, tool := range []string{"analyze", "hint"} {
		if r, refused := try[Refusal](g, tool, args{"game": s.Game}); !refused || !strings.HasPrefix(r.Reason, "the game is over: ") {
			t.Errorf("%s: %+v", tool, r)
		}
	}
	for _, tt := range []struct {
		asked args
		want  string
	}{
		{args{}, "missing game or rules; allowed: the id of a game, or rules and a position"},
		{args{"position": s.Start}, "missing game or rules"},
		{args{"game": s.Game, "position": s.Start}, "game: it has its own rules and position"},
		{args{"game": s.Game, "rules": "dilemma"}, "game: it has its own rules and position"},
		{args{"rules": "chess"}, `book "chess": no such book; books: `},
		{args{"rules": "dilemma", "position": "777/___"}, `position "777/___": a digit appears twice; under these rules a position is like `},
		{args{"game": "x"}, "game: no such game; allowed: "},
	} {
		if r, refused := try[Refusal](g, "analyze", tt.asked); !refused || !strings.HasPrefix(r.Reason, tt.want) {
			t.Errorf("%v: %+v", tt.asked, r)
		}
	}
}
