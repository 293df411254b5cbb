package mcp

import (
	"slices"

	"digitduel/arena/speech"
	"digitduel/digit"
	"digitduel/match"
)

// A State is the state of a game as its agent sees it. It has no values of positions: the agent has
// to find them.
type State struct {
	Refusal
	Game      string   `json:"game" jsonschema:"the secret id of the game, for all further calls"`
	Rules     string   `json:"rules" jsonschema:"the name of the game"`
	Goal      string   `json:"goal" jsonschema:"the goal of the game"`
	Notation  string   `json:"notation" jsonschema:"how a move is written"`
	Opponent  string   `json:"opponent" jsonschema:"the level of the computer"`
	You       string   `json:"you" jsonschema:"your side: first or second"`
	Turn      string   `json:"turn" jsonschema:"the side to move: first, second or none"`
	Start     string   `json:"start" jsonschema:"the first position of the game"`
	Played    []string `json:"played" jsonschema:"the moves since then, of both sides in turn"`
	Ply       int      `json:"ply" jsonschema:"the number of moves played, for play"`
	Position  string   `json:"position" jsonschema:"what first and second have"`
	Left      string   `json:"left" jsonschema:"what is left to take"`
	Moves     []string `json:"moves" jsonschema:"your legal moves, if the game has show_moves"`
	AllMoves  int      `json:"all_moves,omitempty" jsonschema:"{all moves}"`
	Result    string   `json:"result" jsonschema:"* during the game; then {result}"`
	TriesLeft int      `json:"tries_left" jsonschema:"the tries left for this move"`
	Watch     string   `json:"watch" jsonschema:"where people can watch the game"`
	Board     string   `json:"board" jsonschema:"the position as a picture"`
}

// none is the turn when a game is over.
const none = "none"

// A seat is an agent's place at a table during a visit.
type seat struct {
	*match.Visit
	speech.Speech
	game  string
	watch string // the address for people
	at    match.Seat
}

// state returns the state of a table for the agent on the seat.
func (s *Server) state(v *seat, now match.State) State {
	s.saveGame(v.Table, now)
	r, agent := now.Setup.Rules, now.Setup.Agent
	shown := State{
		Game: v.game, Rules: v.Rules(), Goal: v.Goal(), Notation: v.Notation(),
		Opponent: now.Setup.Levels[v.at.Other()], You: now.Side(v.at).String(), Turn: none,
		Start: v.Position(startOf(now)), Played: []string{}, Position: v.Position(now.Position),
		Left: v.Left(now.Position), Moves: []string{}, Result: v.Result(now.Result),
		TriesLeft: now.TriesLeft(), Watch: v.watch, Board: v.Board(now.Position),
	}
	for _, m := range now.Moves[now.Given:] {
		shown.Played = append(shown.Played, v.Move(m))
	}
	shown.Ply = len(shown.Played)
	if now.Playing() {
		shown.Turn = r.Turn(now.Position).String()
	}
	if agent.ShowMoves {
		shown.Moves, shown.AllMoves = v.moves(now)
	}
	return shown
}

// mostMoves is the most legal moves in a list. No book has that many, but eight digits can be
// called in 40,320 orders.
const mostMoves = 1000

// moves returns the legal moves of the agent, none if it is not its turn, and their number if not
// all are returned.
func (v *seat) moves(now match.State) (moves []string, all int) {
	moves = []string{}
	if !now.Playing() || now.Turn() != v.at {
		return moves, 0
	}
	for m := range now.Setup.Rules.Moves(now.Position) {
		if all++; all <= mostMoves {
			moves = append(moves, v.Move(m))
		}
	}
	if now.Setup.Agent.Disguised {
		slices.Sort(moves) // the order of the digits would reveal them
	}
	if all <= mostMoves {
		all = 0
	}
	return moves, all
}

// startOf returns the position that a game began with.
func startOf(now match.State) (p digit.Position) {
	for _, m := range now.Moves[:now.Given] {
		p, _ = now.Setup.Rules.Play(p, m) // the table has played it
	}
	return p
}
