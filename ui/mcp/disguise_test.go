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

// TestGameInDisguise plays the same games with and without a disguise: no answer reveals the game,
// not even after a mistake, and both reports have the same figures.
func TestGameInDisguise(t *testing.T) {
	cl := newTestServer(t, &match.Memory{}, func(c *Config) { c.Coach = true }).client(t)
	for i, text := range smallRules {
		r, rng := rulesOf(t, text), newRand(uint64(i))
		wanted := args{"rules": text, "seed": 40 + i, "start": "decision", "opponent": "casual"}
		plain := mustCall[State](cl, "new_game", wanted)
		var plies []int
		for plain.Result == "*" {
			moves := mustCall[LegalMoves](cl, "legal_moves", args{"game": plain.Game}).Moves
			plies = append(plies, plain.Ply)
			plain = mustCall[State](cl, "play", args{
				"game": plain.Game, "move": moves[rng.IntN(len(moves))], "ply": plain.Ply,
			})
		}
		d, err := disguise.New(r, uint64(i), false)
		if err != nil {
			t.Fatal(err)
		}
		wanted["disguise"], wanted["show_moves"] = i, true
		s := mustCall[State](cl, "new_game", wanted)
		for _, ply := range plies {
			cl.callDisguised("state", args{"game": s.Game})
			cl.checkRefusals(d, s)
			s = mustCall[State](cl, "play", args{
				"game": s.Game, "move": wordsFor(t, d, plain.Played[ply]), "ply": ply,
			})
		}
		cl.callDisguised("state", args{"game": s.Game})
		if s.Watch != "" || s.Result == "*" ||
			s.Position != d.Position(positionOf(t, r, plain.Position)) {
			t.Errorf("%s: %+v", text, s)
		}
		plainReport := mustCall[GameReport](cl, "report", args{"game": plain.Game})
		sameReport(t, d, plainReport, mustCall[GameReport](cl, "report", args{"game": s.Game}))
	}
}

// positionOf parses a position.
func positionOf(t *testing.T, r digit.Rules, text string) digit.Position {
	t.Helper()
	p, err := r.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// wordsFor returns the text of a move in a disguise.
func wordsFor(t *testing.T, d *disguise.Disguise, move string) string {
	t.Helper()
	m, err := digit.ParseMove(move)
	if err != nil {
		t.Fatal(err)
	}
	return d.Move(m)
}

// callDisguised calls a tool and checks that the answer does not reveal the game.
func (cl *testClient) callDisguised(tool string, a args) *sdk.CallToolResult {
	cl.Helper()
	result := cl.callTool(tool, a)
	if text := result.Content[0].(*sdk.TextContent).Text; revealed(text) != nil {
		cl.Fatalf("%s %v: %v\n%s", tool, a, revealed(text), text)
	}
	return result
}

// checkRefusals makes mistakes in a game in disguise, which cost at most two of three tries.
func (cl *testClient) checkRefusals(d *disguise.Disguise, s State) {
	cl.Helper()
	moves := mustCall[LegalMoves](cl, "legal_moves", args{"game": s.Game}).Moves
	if !slices.Equal(moves, s.Moves) || !slices.IsSorted(moves) || len(moves) == 0 {
		cl.Fatalf("legal_moves lists %v, and the state %v", moves, s.Moves)
	}
	cl.callDisguised("legal_moves", args{"game": s.Game})
	refused := func(tool string, a args) {
		cl.Helper()
		if !cl.callDisguised(tool, a).IsError {
			cl.Fatalf("%s %v was not refused", tool, a)
		}
	}
	refused("play", args{"game": s.Game, "move": "whatever"})
	if s.Ply > 0 {
		// The opponent has that digit.
		refused("play", args{"game": s.Game, "move": s.Played[s.Ply-1]})
		refused("play", args{"game": s.Game, "move": s.Moves[0], "ply": s.Ply - 1})
	} else {
		taken, _, _ := strings.Cut(strings.NewReplacer("@", " ", "=", " ").Replace(s.Moves[0]), " ")
		refused("play", args{"game": s.Game, "move": taken + " nowhere at all"})
	}
	for _, tool := range []string{"analyze", "hint", "review", "report"} {
		refused(tool, args{"game": s.Game})
	}
}

// sameReport compares the reports on a game and on the same game in disguise.
func sameReport(t *testing.T, d *disguise.Disguise, plain, disguised GameReport) {
	t.Helper()
	if len(plain.Moves) != len(disguised.Moves) || len(plain.Moves) == 0 {
		t.Fatalf("got %d moves, and %d in disguise", len(plain.Moves), len(disguised.Moves))
	}
	for i, m := range plain.Moves {
		other := disguised.Moves[i]
		if other.Move != wordsFor(t, d, m.Move) {
			t.Errorf("move %d is %s, and %s in disguise", i+1, m.Move, other.Move)
		}
		m.Move, m.Ms, m.Tries = other.Move, other.Ms, other.Tries
		if m != other {
			t.Errorf("move %d is %+v, and %+v in disguise", i+1, m, other)
		}
	}
	record, _, _ := strings.Cut(plain.Record, ";")
	if !strings.HasPrefix(disguised.Record, record+";") ||
		!strings.HasPrefix(disguised.Disguise, d.Rules.String()+" in disguise ") ||
		plain.Disguise != "" {
		t.Errorf("got record %s, want %s; disguise: %s", disguised.Record, record, disguised.Disguise)
	}
	figures := func(r GameReport) []any {
		deref := func(f *float64) any {
			if f == nil {
				return nil
			}
			return *f
		}
		return []any{
			r.Score, r.Value, r.Lost, r.Decisions, deref(r.Kept), deref(r.Chance), deref(r.Kappa),
			r.PliesLost, r.You, r.Opponent,
		}
	}
	if !slices.Equal(figures(plain), figures(disguised)) {
		t.Errorf("got figures %v, and %v in disguise", figures(plain), figures(disguised))
	}
}

// TestDisguiseAfterRestart continues a game in disguise at another server.
func TestDisguiseAfterRestart(t *testing.T) {
	store := &match.Memory{}
	s := mustCall[State](newTestServer(t, store, nil).client(t), "new_game", args{
		"rules": "highest", "disguise": 3, "side": "first", "show_moves": true,
	})
	cl := newTestServer(t, store, nil).client(t)
	if again := mustCall[State](cl, "state", args{"game": s.Game}); again.Rules != s.Rules ||
		again.Position != s.Position || again.Goal != s.Goal || again.Notation != s.Notation {
		t.Errorf("got %+v, want %+v", again, s)
	}
	next := mustCall[State](cl, "play", args{"game": s.Game, "move": strings.ToUpper(s.Moves[0])})
	if next.Ply != 2 || next.Played[0] != s.Moves[0] ||
		!strings.Contains(next.Rules, "Two players take tokens") {
		t.Errorf("%+v", next)
	}
}

// TestRunInDisguise plays a planned run in disguise: it reveals neither the games nor a report
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
	number := uint64(1<<64 - 1)
	plan := &arena.Plan{
		Rules: []digit.Rules{digit.Highest}, Players: []string{arena.AgentPlayer("guest"), "beginner"},
		Format: arena.Gauntlet, Pairs: 1, Retries: 2, Seed: 7,
		Spec: disguise.Spec{Disguise: &number}, ShowMoves: true,
	}
	if err := plan.Draw(from, []*solve.Solution{solution}); err != nil {
		t.Fatal(err)
	}
	desk, err := arena.OpenDesk(arena.DeskConfig{Plan: plan, Games: tempFile(t), Tables: tempFile(t)})
	if err != nil {
		t.Fatal(err)
	}
	cl := newTestServer(t, &match.Memory{}, func(c *Config) { c.Desk = desk }).client(t)
	if why, refused := tryCall[Refusal](cl, "new_game", args{"rules": "highest"}); !refused ||
		why.Reason != `unknown argument "rules"; arguments: none` {
		t.Errorf("%+v", why)
	}
	for game := range 2 {
		cl.callDisguised("report", args{"game": "none"})
		s := mustCall[State](cl, "new_game", nil)
		for s.Result == "*" {
			cl.callDisguised("state", args{"game": s.Game})
			s = mustCall[State](cl, "play", args{"game": s.Game, "move": s.Moves[0]})
		}
		cl.callDisguised("state", args{"game": s.Game})
		report, refused := tryCall[GameReport](cl, "report", args{"game": s.Game})
		if refused != (game == 0) ||
			!refused &&
				!strings.HasPrefix(report.Disguise, "highest in disguise 18446744073709551615: ") {
			t.Errorf("game %d: %v %+v", game, refused, report)
		}
	}
}

// tempFile returns a file that is closed and deleted at the end of the test.
func tempFile(t *testing.T) *os.File {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() }) // every line is synced
	return file
}
