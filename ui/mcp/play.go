package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/digit"
	"digitduel/match"
)

// addGameTools adds the tools to play games.
func (s *Server) addGameTools() {
	begin := sdk.Tool{
		Name: "new_game", Title: "Start a game", Annotations: acts,
		Description: "Start a game against the computer. Returns its state when it is your turn.",
	}
	if s.planned() {
		begin.Description = "Start the next game of this run against the computer. " +
			"Returns the state of the game when it is your turn."
		addTool(s, begin, s.nextPlanned)
	} else {
		addTool(s, begin, s.newGame)
	}
	addGameTool(s, sdk.Tool{
		Name: "play", Title: "Play a move", Annotations: acts,
		Description: "Play a move. Returns the state after the opponent's answer. " +
			"An illegal move is an error that costs a try, and the state shows how many are left.",
	}, s.play)
	addGameTool(s, sdk.Tool{
		Name: "state", Title: "Look at a game", Annotations: looks,
		Description: "Return the state of a game.",
	}, s.look)
	if !s.planned() || s.Desk.Plan.ShowMoves {
		addGameTool(s, sdk.Tool{
			Name: "legal_moves", Title: "List the legal moves", Annotations: looks,
			Description: "List your legal moves in a game. There are none when it is over.",
		}, s.legalMoves)
	}
}

// Named has the argument of a tool for a game.
type Named struct {
	Game string `json:"game" jsonschema:"the id of the game, as new_game returned it"`
}

func (n Named) id() string { return n.Game }

// Play has the arguments of play.
type Play struct {
	Named
	Move string `json:"move" jsonschema:"the move, in the notation of the state"`
	Ply  *int   `json:"ply,omitempty" jsonschema:"{ply}"`
}

func (s *Server) play(ctx context.Context, v *seat, asked Play) (State, error) {
	if err := s.Limits.MayPlay(ctx, v.Table, v.at); err != nil {
		return State{}, err
	}
	now := v.await(ctx)
	played := now.Moves[now.Given:]
	m, unreadable := v.ParseMove(strings.TrimSpace(asked.Move))
	switch {
	case asked.Ply != nil && *asked.Ply != len(played):
		i := *asked.Ply
		repeated := unreadable == nil && i >= 0 && i < len(played) && played[i] == m
		if repeated && v.own(now, i) {
			return s.state(v, now), nil
		}
		return s.refuse(v, now, "ply %d: the game is at ply %d; nothing was played", i, len(played))
	case !now.Playing():
		return s.refuse(v, now, "the game is over: %s", v.Result(now.Result))
	case now.Turn() != v.at:
		return s.refuse(v, now,
			"it is not your turn: the computer is thinking; call state in a few seconds")
	case unreadable != nil:
		after, err := v.Table.Fault(ctx, v.at, match.Unreadable)
		if err != nil {
			return s.refuseLate(ctx, v, err)
		}
		return s.charge(v, after, match.Unreadable, unreadable.Error())
	}
	after, err := v.Table.Play(ctx, v.at, m, now.Seq)
	var illegal *digit.MoveError
	switch {
	case errors.As(err, &illegal):
		return s.charge(v, after, match.Illegal, v.Refused(now.Position, illegal))
	case err != nil:
		return s.refuseLate(ctx, v, err)
	}
	return s.state(v, v.await(ctx)), nil
}

// refuseLate refuses an act if another call was faster.
func (s *Server) refuseLate(ctx context.Context, v *seat, err error) (State, error) {
	if match.Late(err) {
		return s.refuse(v, v.await(ctx), "another call has changed this game; nothing was played")
	}
	return State{}, err
}

// own reports whether the agent made move number i of the game.
func (v *seat) own(now match.State, i int) bool {
	return now.SeatOf(digit.Side((int(now.Given)+i)%2)) == v.at
}

// refuse refuses an act in a game at no cost.
func (s *Server) refuse(v *seat, now match.State, format string, args ...any) (State, error) {
	state := s.state(v, now)
	state.Reason = fmt.Sprintf(format, args...)
	return State{}, &refusal{state.Reason, state}
}

// charge refuses an answer that is not a legal move, after it has cost a try.
func (s *Server) charge(
	v *seat, now match.State, kind match.Fault, reason string,
) (State, error) {
	state := s.state(v, now)
	if now.Result.Over() {
		reason += "; that was the last try, and the game is lost"
	}
	state.Refusal = Refusal{reason, kind.String()}
	return State{}, &refusal{reason, state}
}

func (s *Server) look(ctx context.Context, v *seat, _ Named) (State, error) {
	return s.state(v, v.await(ctx)), nil
}

// LegalMoves is the answer of legal_moves.
type LegalMoves struct {
	Game     string   `json:"game" jsonschema:"the id of the game"`
	Ply      int      `json:"ply" jsonschema:"the number of moves played, for play"`
	Moves    []string `json:"moves" jsonschema:"your legal moves; none if it is not your turn"`
	AllMoves int      `json:"all_moves,omitempty" jsonschema:"{all moves}"`
}

func (s *Server) legalMoves(ctx context.Context, v *seat, _ Named) (LegalMoves, error) {
	now := v.await(ctx)
	moves, all := v.moves(now)
	return LegalMoves{v.game, len(now.Moves) - int(now.Given), moves, all}, nil
}
