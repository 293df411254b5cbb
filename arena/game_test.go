package arena

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"digitduel/arena/engine"
	"digitduel/digit"
)

// TestEvaluateGame checks that EvaluateGame returns the same lines for the moves of played games.
func TestEvaluateGame(t *testing.T) {
	plan, solutions := planOf(t, Plan{Players: []string{"beginner", "casual"}, Pairs: 30, Seed: 6},
		"decision:ply=0-3", "dilemma", "sevens")
	text, _ := play(t, Runner{Plan: plan, Solutions: solutions, Concurrency: 2})
	for line := range strings.Lines(text) {
		var g Game
		if err := g.read([]byte(line)); err != nil {
			t.Fatal(err)
		}
		s := solutions[0]
		if s.Rules() != g.Rules {
			s = solutions[1]
		}
		start, err := g.Rules.ParsePosition(g.Start)
		if err != nil {
			t.Fatal(err)
		}
		var bare []Move
		for _, m := range g.Moves {
			bare = append(bare, Move{Move: m.Move, MS: m.MS, Tries: m.Tries})
		}
		players := [2]string{g.First.Player, g.Second.Player}
		again, err := EvaluateGame(s, start, players, bare, "")
		if err != nil {
			t.Fatal(err)
		}
		again.Game, again.Pair, again.Plan = g.Game, g.Pair, g.Plan
		if got, err := json.Marshal(again); err != nil || string(got)+"\n" != line {
			t.Fatalf("%s became\n%s %v", line, got, err)
		}
		// Without the last move, the game is over only if the player to move has failed.
		less := bare[:len(bare)-1]
		if _, err := EvaluateGame(s, start, players, less, ""); err == nil ||
			err.Error() != "the game is not over" {
			t.Fatalf("a game that is not over: %v", err)
		}
		if lost, err := EvaluateGame(s, start, players, less, engine.Illegal); err != nil ||
			lost.Result.Score == digit.Draw || lost.Fault != engine.Illegal {
			t.Fatalf("a game lost by a fault: %+v, %v", lost, err)
		}
		if _, err := EvaluateGame(s, start, players, append(bare, bare[0]), ""); err == nil ||
			!strings.HasPrefix(err.Error(), "move ") {
			t.Fatalf("an extra move: %v", err)
		}
		if _, err := EvaluateGame(s, start, players, bare, engine.Illegal); err == nil {
			t.Fatal("a fault after the end is accepted")
		}
	}
}

// TestPlayers checks which names are allowed in a plan, and which can be started.
func TestPlayers(t *testing.T) {
	for name, want := range map[string][2]bool{ // planned, started
		"master": {true, true}, "master#2": {true, true}, "engine:./x": {true, true}, "agent:x": {true, false}, "agent:some model 4.5 (high)": {true, false},
		"sage": {}, "engine: ": {}, "agent:": {}, "agent: x": {}, "agent:x\n": {}, "agent:\xff": {}, "agent:" + strings.Repeat("x", 81): {},
	} {
		if got := [2]bool{checkPlanned(name) == nil, CheckPlayer(name) == nil}; got != want {
			t.Errorf("%q: planned, started: %v, want %v", name, got, want)
		}
	}
}

// TestCheckLedger forges a regret or the values of the start, with correct sums, and checks that
// Game.Check finds that the ledger does not add up.
func TestCheckLedger(t *testing.T) {
	plan, solutions := planOf(t, Plan{Players: []string{"beginner", "casual"}, Pairs: 10, Seed: 6},
		"decision:ply=0-3", "dilemma", "divisibility")
	text, _ := play(t, Runner{Plan: plan, Solutions: solutions, Concurrency: 2})
	for line := range strings.Lines(text) {
		for name, forge := range map[string]func(*Game){
			"nothing": func(*Game) {},
			"a regret": func(g *Game) {
				p, err := g.Rules.ParsePosition(g.Start)
				if err != nil {
					t.Fatal(err)
				}
				m, seat := &g.Moves[0], g.seat(g.Rules.Turn(p))
				was := m.Regret
				m.Regret, m.PliesLost = 0.5, 0
				if was == 0.5 {
					m.Regret = 1
				}
				seat.Regret += m.Regret - was
			},
			"both values": func(g *Game) { g.First.Value, g.Second.Value = 0.75-g.First.Value, 0.75-g.Second.Value },
			"one value":   func(g *Game) { g.Second.Value += 0.5 },
			"the other":   func(g *Game) { g.First.Value += 0.5 },
		} {
			var g Game
			if err := g.read([]byte(line)); err != nil {
				t.Fatal(err)
			}
			forge(&g)
			if err := g.Check(); (err != nil) != (name != "nothing") ||
				err != nil && !errors.Is(err, errLedger) {
				t.Fatalf("forged %s: got %v for %+v", name, err, g)
			}
		}
	}
}

// TestCheckMoves checks that Game.Check finds impossible values of a move.
func TestCheckMoves(t *testing.T) {
	plan, solutions := planOf(t, Plan{Players: []string{"perfect", "perfect"}, Pairs: 1, Seed: 6},
		"beginning", "highest")
	text, _ := play(t, Runner{Plan: plan, Solutions: solutions})
	line, _, _ := strings.Cut(text, "\n")
	for name, forge := range map[string]func(*Move){
		"regret below 0": func(m *Move) { m.Regret = -0.5 }, "regret above 1": func(m *Move) { m.Regret = 1.5 }, "half a half": func(m *Move) { m.Regret = 0.25 },
		"turns lost with regret": func(m *Move) { m.Regret, m.PliesLost = 1, 1 }, "no try": func(m *Move) { m.Tries = 0 },
		"nothing keeps": func(m *Move) { m.Keep = 0 }, "more keep than there are": func(m *Move) { m.Keep = m.Of + 1 },
		"a fault too many": func(m *Move) { m.Faults = []engine.Fault{engine.Illegal} }, "a fault too few": func(m *Move) { m.Tries, m.Faults = 3, []engine.Fault{engine.Illegal} },
		"a fault that ends a game": func(m *Move) { m.Tries, m.Faults = 2, []engine.Fault{engine.Late} },
	} {
		var g Game
		if err := g.read([]byte(line)); err != nil {
			t.Fatal(err)
		}
		forge(&g.Moves[2])
		if err := g.Check(); err == nil || !strings.HasPrefix(err.Error(), "move 3: ") ||
			!strings.HasSuffix(err.Error(), ": impossible values") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// read parses a line and checks the game in it.
func (g *Game) read(text []byte) error {
	*g = Game{}
	if err := decode(text, g); err != nil {
		return err
	}
	return g.Check()
}
