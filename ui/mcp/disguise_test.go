package mcp

import (
	"os"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// TestGameInDisguise plays games plainly and in disguise: no answer reveals the disguise, not even
// after a mistake, and the results are the same, move by move.
func TestGameInDisguise(t *testing.T) {
	g := open(t, &match.Memory{}, func(c *Config) { c.Coach = true }).guest(t)
	for i, text := range smaller {
		r, rng := rulesOf(t, text), chance(uint64(i))
		wanted := args{"rules": text, "seed": 40 + i, "start": "decision", "opponent": "casual"}
		open := got[State](g, "new_game", wanted)
		var plies []int
		for open.Result == "*" {
			moves := got[LegalMoves](g, "legal_moves", args{"game": open.Game}).Moves
			plies = append(plies, open.Ply)
			open = got[State](g, "play", args{"game": open.Game, "move": moves[rng.IntN(len(moves))], "ply": open.Ply})
		}
		d, err := disguise.New(r, uint64(i), false)
		if err != nil {
			t.Fatal(err)
		}
		wanted["disguise"], wanted["show_moves"] = i, true
		s := got[State](g, "new_game", wanted)
		for _, ply := range plies {
			g.hides("state", args{"game": s.Game})
			g.goWrong(d, s)
			s = got[State](g, "play", args{"game": s.Game, "move": wordsFor(t, d, open.Played[ply]), "ply": ply})
		}
		g.hides("state", args{"game": s.Game})
		if s.Watch != "" || s.Result == "*" || s.Position != d.Position(positionOf(t, r, open.Position)) {
			t.Errorf("%s: %+v", text, s)
		}
		sameReport(t, d, got[GameReport](g, "report", args{"game": open.Game}), got[GameReport](g, "report", args{"game": s.Game}))
	}
}

func positionOf(t *testing.T, r digit.Rules, text string) digit.Position {
	t.Helper()
	p, err := r.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func wordsFor(t *testing.T, d *disguise.Disguise, move string) string {
	t.Helper()
	m, err := digit.ParseMove(move)
	if err != nil {
		t.Fatal(err)
	}
	return d.Move(m)
}

// hides calls a tool, whose answer must not reveal the disguise.
func (g *guest) hides(tool string, a args) *sdk.CallToolResult {
	g.Helper()
	result := g.call(tool, a)
	if text := result.Content[0].(*sdk.TextContent).Text; secret(text) != nil {
		g.Fatalf("%s %v: %v\n%s", tool, a, secret(text), text)
	}
	return result
}

// goWrong does what is refused, with two tries and a third to spare.
func (g *guest) goWrong(d *disguise.Disguise, s State) {
	g.Helper()
	if moves := got[LegalMoves](g, "legal_moves", args{"game": s.Game}).Moves; !slices.Equal(moves, s.Moves) || !slices.IsSorted(moves) || len(moves) == 0 {
		g.Fatalf("the moves are %v, and %v", moves, s.Moves)
	}
	g.hides("legal_moves", args{"game": s.Game})
	refused := func(tool string, a args) {
		g.Helper()
		if !g.hides(tool, a).IsError {
			g.Fatalf("%s %v was not refused", tool, a)
		}
	}
	refused("play", args{"game": s.Game, "move": "whatever"})
	if s.Ply > 0 {
		refused("play", args{"game": s.Game, "move": s.Played[s.Ply-1]}) // the opponent has it
		refused("play", args{"game": s.Game, "move": s.Moves[0], "ply": s.Ply - 1})
	} else {
		taken, _, _ := strings.Cut(strings.NewReplacer("@", " ", "=", " ").Replace(s.Moves[0]), " ")
		refused("play", args{"game": s.Game, "move": taken + " nowhere at all"})
	}
	for _, tool := range []string{"analyze", "hint", "review", "report"} {
		refused(tool, args{"game": s.Game})
	}
}

// sameReport compares reports on a game and on the same game in disguise.
func sameReport(t *testing.T, d *disguise.Disguise, open, veiled GameReport) {
	t.Helper()
	if len(open.Moves) != len(veiled.Moves) || len(open.Moves) == 0 {
		t.Fatalf("%d moves, and in disguise %d", len(open.Moves), len(veiled.Moves))
	}
	for i, m := range open.Moves {
		told := veiled.Moves[i]
		if told.Move != wordsFor(t, d, m.Move) {
			t.Errorf("move %d is %s, and in disguise %s", i+1, m.Move, told.Move)
		}
		m.Move, m.Ms, m.Tries = told.Move, told.Ms, told.Tries
		if m != told {
			t.Errorf("move %d is %+v, and in disguise %+v", i+1, m, told)
		}
	}
	record, _, _ := strings.Cut(open.Record, ";")
	if !strings.HasPrefix(veiled.Record, record+";") || !strings.HasPrefix(veiled.Disguise, d.Rules.String()+" in disguise ") || open.Disguise != "" {
		t.Errorf("%s, %s, and %s", veiled.Record, record, veiled.Disguise)
	}
	figures := func(r GameReport) []any {
		deref := func(f *float64) any {
			if f == nil {
				return nil
			}
			return *f
		}
		return []any{r.Score, r.Value, r.Lost, r.Decisions, deref(r.Kept), deref(r.Chance), deref(r.Kappa), r.PliesLost, r.You, r.Opponent}
	}
	if !slices.Equal(figures(open), figures(veiled)) {
		t.Errorf("got %v, and in disguise %v", figures(open), figures(veiled))
	}
}

// TestDisguiseAfterRestart goes on with a game in disguise at another server.
func TestDisguiseAfterRestart(t *testing.T) {
	store := &match.Memory{}
	s := got[State](open(t, store, nil).guest(t), "new_game", args{"rules": "highest", "disguise": 3, "side": "first", "show_moves": true})
	g := open(t, store, nil).guest(t)
	if again := got[State](g, "state", args{"game": s.Game}); again.Rules != s.Rules || again.Position != s.Position || again.Goal != s.Goal || again.Notation != s.Notation {
		t.Errorf("got %+v, want %+v", again, s)
	}
	next := got[State](g, "play", args{"game": s.Game, "move": strings.ToUpper(s.Moves[0])})
	if next.Ply != 2 || next.Played[0] != s.Moves[0] || !strings.Contains(next.Rules, "Two players take tokens") {
		t.Errorf("%+v", next)
	}
}

// TestRunInDisguise plays a planned run in disguise: it reveals neither the next game nor a result
// before the end.
func TestRunInDisguise(t *testing.T) {
	solution, err := solver.Solve(t.Context(), digit.Highest)
	if err != nil {
		t.Fatal(err)
	}
	from, err := arena.ParseStarts("won:ply=1-2", nil)
	if err != nil {
		t.Fatal(err)
	}
	words := uint64(1<<64 - 1)
	plan := &arena.Plan{
		Rules: []digit.Rules{digit.Highest}, Players: []string{arena.AgentPlayer("guest"), "beginner"}, Format: arena.Gauntlet, Pairs: 1, Retries: 2, Seed: 7,
		Spec: disguise.Spec{Disguise: &words}, ShowMoves: true,
	}
	if err := plan.Draw(from, []*solve.Solution{solution}); err != nil {
		t.Fatal(err)
	}
	desk, err := arena.OpenDesk(arena.DeskConfig{Plan: plan, Games: scratch(t), Tables: scratch(t)})
	if err != nil {
		t.Fatal(err)
	}
	g := open(t, &match.Memory{}, func(c *Config) { c.Desk = desk }).guest(t)
	if why, refused := try[Refusal](g, "new_game", args{"rules": "highest"}); !refused || why.Reason != `unknown argument "rules"; arguments: none` {
		t.Errorf("%+v", why)
	}
	for game := range 2 {
		g.hides("report", args{"game": "none"})
		s := got[State](g, "new_game", nil)
		for s.Result == "*" {
			g.hides("state", args{"game": s.Game})
			s = got[State](g, "play", args{"game": s.Game, "move": s.Moves[0]})
		}
		g.hides("state", args{"game": s.Game})
		report, refused := try[GameReport](g, "report", args{"game": s.Game})
		if refused != (game == 0) || !refused && !strings.HasPrefix(report.Disguise, "highest in disguise 18446744073709551615: ") {
			t.Errorf("game %d: %v %+v", game, refused, report)
		}
	}
}

func scratch(t *testing.T) *os.File {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() }) // what is in it was synced
	return file
}
