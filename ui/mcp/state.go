package mcp

import (
	"slices"

	"digitduel/digit"
	"digitduel/match"
)

// A State is how a game stands, as its agent sees it. It tells no value: what a position is worth is for who plays to find out.
type State struct {
	Refusal
	Game      string   `json:"game" jsonschema:"the id of the game, for all further calls; whoever has it can play"`
	Rules     string   `json:"rules" jsonschema:"which game it is"`
	Goal      string   `json:"goal" jsonschema:"what the game is played for"`
	Notation  string   `json:"notation" jsonschema:"how a move is written"`
	Opponent  string   `json:"opponent" jsonschema:"the level of the computer that plays against you"`
	You       string   `json:"you" jsonschema:"your side: first or second"`
	Turn      string   `json:"turn" jsonschema:"the side to move: first or second, or none when the game is over"`
	Start     string   `json:"start" jsonschema:"the position that the game began with"`
	Played    []string `json:"played" jsonschema:"the moves since then, of both sides by turns"`
	Ply       int      `json:"ply" jsonschema:"how many moves were played; give it to play"`
	Position  string   `json:"position" jsonschema:"what first and second have"`
	Left      string   `json:"left" jsonschema:"what is left to take"`
	Moves     []string `json:"moves" jsonschema:"the legal moves, if the game was begun with show_moves and it is your turn; else nothing"`
	AllMoves  int      `json:"all_moves,omitempty" jsonschema:"how many legal moves there are, if not all of them are listed"`
	Result    string   `json:"result" jsonschema:"* while the game goes on; then 1-0 if first won, 0-1 if second won or 1/2 for a draw, and why"`
	TriesLeft int      `json:"tries_left" jsonschema:"how many answers to this move are left until one has to be legal"`
	Watch     string   `json:"watch" jsonschema:"where people can watch the game"`
	Board     string   `json:"board" jsonschema:"the position as a picture"`
}

// none is whose turn it is when a game is over.
const none = "none"

// A seat is an agent's place at a table, while it is visited.
type seat struct {
	*match.Visit
	speech
	game  string
	watch string // where people do
	at    match.Seat
}

// state tells how a table stands to whoever has the seat.
func (s *Server) state(v *seat, now match.State) State {
	s.keep(v.Table, now)
	r, agent := now.Setup.Rules, now.Setup.Agent
	told := State{
		Game: v.game, Rules: v.Rules(), Goal: v.Goal(), Notation: v.Notation(), Opponent: now.Setup.Levels[v.at.Other()],
		You: now.Side(v.at).String(), Turn: none, Start: v.Position(startOf(now)), Played: []string{}, Position: v.Position(now.Position),
		Left: v.Left(now.Position), Moves: []string{}, Result: v.Result(now.Result), TriesLeft: now.TriesLeft(), Watch: v.watch,
		Board: v.Board(now.Position),
	}
	for _, m := range now.Moves[now.Given:] {
		told.Played = append(told.Played, v.Move(m))
	}
	told.Ply = len(told.Played)
	if now.Playing() {
		told.Turn = r.Turn(now.Position).String()
	}
	if agent.ShowMoves {
		told.Moves, told.AllMoves = v.moves(now)
	}
	return told
}

// mostMoves is how many legal moves are listed. No book comes near it, but eight digits can be called in 40,320 orders.
const mostMoves = 1000

// moves returns the moves that the agent may make, none when it is not its turn; and how many there are if that is more.
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
		slices.Sort(moves) // the order of the digits would tell them
	}
	if all <= mostMoves {
		all = 0
	}
	return moves, all
}

// startOf returns the position that a game began with.
func startOf(now match.State) (p digit.Position) {
	for _, m := range now.Moves[:now.Given] {
		p, _ = now.Setup.Rules.Play(p, m) // it was played
	}
	return p
}
