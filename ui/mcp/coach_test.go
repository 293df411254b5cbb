package mcp

import (
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// TestCoach checks the coach's tools against the solver. Other tests check the coach's sentences.
func TestCoach(t *testing.T) {
	srv := newTestServer(t, &match.Memory{}, func(c *Config) { c.Coach = true })
	cl := srv.client(t)
	s := mustCall[State](cl, "new_game", args{
		"rules": "dilemma", "start": "won", "seed": 3, "show_moves": true,
	})
	solution, err := srv.solver.Solve(t.Context(), digit.Dilemma)
	if err != nil {
		t.Fatal(err)
	}
	p, err := digit.Dilemma.ParsePosition(s.Position)
	if err != nil {
		t.Fatal(err)
	}
	analysis := mustCall[Analysis](cl, "analyze", args{"game": s.Game})
	if analysis.Outcome != "win" || analysis.Plies != solution.Value(p).Plies ||
		len(analysis.Options) != len(s.Moves) || analysis.Turn != s.Turn {
		t.Errorf("%+v", analysis)
	}
	for _, o := range analysis.Options {
		m, err := digit.ParseMove(o.Move)
		if value := solution.Choice(p, m).Value; err != nil ||
			o.Outcome != value.Outcome.String() || o.Plies != value.Plies {
			t.Errorf("got %+v, want %v", o, value)
		}
	}
	bare := mustCall[Analysis](cl, "analyze", args{"rules": "dilemma", "position": s.Position})
	if bare.Outcome != analysis.Outcome || len(bare.Options) != len(analysis.Options) {
		t.Errorf("got %+v for the game and %+v for the position", analysis, bare)
	}
	for s.Result == "*" {
		hint := mustCall[Hint](cl, "hint", args{"game": s.Game})
		if hint.Outcome != "win" || hint.Look == "" || hint.Why == "" {
			t.Fatalf("%+v", hint)
		}
		s = mustCall[State](cl, "play", args{"game": s.Game, "move": hint.Move})
	}
	if report := mustCall[GameReport](cl, "report", args{"game": s.Game}); report.Score != 1 ||
		report.Lost != 0 || report.PliesLost != 0 {
		t.Errorf("report after playing the hints: %+v", report)
	}
	review := mustCall[Review](cl, "review", args{"game": s.Game})
	for _, m := range review.Moves {
		if m.Side == s.You && m.Grade != "best" && m.Grade != "given" || m.Text == "" {
			t.Errorf("%+v", m)
		}
	}
	if review.Result != s.Result || !strings.Contains(review.Course, "ou") {
		t.Errorf("%+v", review)
	}
	for _, tool := range []string{"analyze", "hint"} {
		if r, refused := tryCall[Refusal](cl, tool, args{"game": s.Game}); !refused ||
			!strings.HasPrefix(r.Reason, "the game is over: ") {
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
		if r, refused := tryCall[Refusal](cl, "analyze", tt.asked); !refused ||
			!strings.HasPrefix(r.Reason, tt.want) {
			t.Errorf("%v: got %+v, want %s", tt.asked, r, tt.want)
		}
	}
}
