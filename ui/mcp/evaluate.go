package mcp

import (
	"context"
	"errors"

	"digitduel/arena"
	"digitduel/arena/engine"
	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// errNotOver means that a game cannot be judged yet: that would reveal the value of its position.
var errNotOver = errors.New("the game is not over")

// judged returns the game at a table as a run has it: the moves after the opening with their time,
// tries and regret.
func (s *Server) judged(ctx context.Context, t *match.Table) (arena.Game, error) {
	var moves []arena.Move
	var faults []engine.Fault // since the last move
	var before match.State
	for step := range t.Past(0) {
		switch e := step.Event; e.Kind {
		case match.Faulted:
			faults = append(faults, engine.Fault(e.Fault.String()))
		case match.Moved:
			// Stored times have no monotonic reading, and a game judged later must be the same.
			took := e.At.Round(0).Sub(before.TurnBegan.Round(0)) - before.Stood
			moves = append(moves, arena.Move{
				Move: *e.Move, MS: arena.Milliseconds(took), Tries: 1 + len(faults), Faults: faults,
			})
			faults = nil
		default: // not an answer
		}
		if before = step.After; before.Result.Over() {
			break
		}
	}
	if !before.Result.Over() {
		return arena.Game{}, errNotOver
	}
	solution, err := s.solved(ctx, before.Setup.Rules)
	if err != nil {
		return arena.Game{}, err
	}
	fault := faultOf(before, faults)
	switch agents := before.Setup.IsAgent(before.Turn()); {
	case fault != engine.Crashed || agents: // only the side to move loses by a fault
	case len(moves) > 0:
		moves = moves[:len(moves)-1] // the computer had not answered this move
	default:
		if moves, fault, err = opened(solution, before); err != nil {
			return arena.Game{}, err
		}
	}
	return arena.EvaluateGame(solution, startOf(before), playersOf(before), moves, fault)
}

// opened returns the first move of the computer in a game given up before it was played. Without
// it the computer, whose turn it was, would lose. If the move ends the game, nobody is at fault.
func opened(s *solve.Solution, end match.State) ([]arena.Move, engine.Fault, error) {
	level, err := bot.ParseLevel(end.Setup.Levels[end.Turn()])
	if err != nil {
		return nil, "", err
	}
	r := end.Setup.Rules
	m := bot.Foretold(level, s, end.Setup.Agent.Seed, 1, r.Ply(end.Position)).Choose(end.Position)
	moves, fault := []arena.Move{{Move: m, Tries: 1}}, engine.Crashed
	if next, err := r.Play(end.Position, m); err != nil || r.Result(next).Over() {
		fault = ""
	}
	return moves, fault, err
}

// faultOf returns the fault that lost a game, or "".
func faultOf(end match.State, faults []engine.Fault) engine.Fault {
	switch {
	case end.Setup.Rules.Result(end.Position).Over():
		return ""
	case end.Result.Reason == digit.Forfeit && len(faults) > 0:
		return faults[len(faults)-1]
	}
	return engine.Crashed // the game was given up for the agent
}

// playersOf returns the players by side.
func playersOf(now match.State) (players [2]string) {
	for _, seat := range match.Seats {
		players[now.Side(seat)] = now.Setup.Levels[seat]
		if now.Setup.IsAgent(seat) {
			players[now.Side(seat)] = arena.AgentPlayer(now.Setup.Name(seat))
		}
	}
	return players
}
