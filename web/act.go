package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
)

// An act is something a player does beside moving.
type act struct {
	name string
	do   func(ctx context.Context, v *match.Visit, seat match.Seat, level string) (match.State, error)
}

// acts are all of them, by the names that forms and API use.
var acts = []act{
	{"resign", func(ctx context.Context, v *match.Visit, seat match.Seat, _ string) (match.State, error) {
		return v.Table.Resign(ctx, seat)
	}},
	{"undo", func(ctx context.Context, v *match.Visit, seat match.Seat, _ string) (match.State, error) {
		return v.Table.Undo(ctx, seat)
	}},
	{"agree-undo", func(ctx context.Context, v *match.Visit, seat match.Seat, _ string) (match.State, error) {
		return v.Table.AgreeToUndo(ctx, seat)
	}},
	{"refuse-undo", func(ctx context.Context, v *match.Visit, seat match.Seat, _ string) (match.State, error) {
		return v.Table.RefuseUndo(ctx, seat)
	}},
	{"next", func(ctx context.Context, v *match.Visit, _ match.Seat, _ string) (match.State, error) {
		return v.Table.Begin(ctx)
	}},
	{"rematch", func(ctx context.Context, v *match.Visit, seat match.Seat, _ string) (match.State, error) {
		return v.Table.Rematch(ctx, seat)
	}},
	{"refuse-rematch", func(ctx context.Context, v *match.Visit, seat match.Seat, _ string) (match.State, error) {
		return v.Table.RefuseRematch(ctx, seat)
	}},
	{"claim", func(ctx context.Context, v *match.Visit, seat match.Seat, _ string) (match.State, error) {
		return v.Table.Claim(ctx, seat)
	}},
	{"replace", replace},
	{"hints", func(ctx context.Context, v *match.Visit, seat match.Seat, _ string) (match.State, error) {
		return v.Table.AgreeToHints(ctx, seat, true)
	}},
	{"no-hints", func(ctx context.Context, v *match.Visit, seat match.Seat, _ string) (match.State, error) {
		return v.Table.AgreeToHints(ctx, seat, false)
	}},
}

// replace lets the computer finish for the other player.
func replace(ctx context.Context, v *match.Visit, seat match.Seat, level string) (match.State, error) {
	if level == "" {
		level = "casual"
	}
	if _, err := bot.ParseLevel(level); err != nil {
		return match.State{}, &problem{status: http.StatusUnprocessableEntity, text: err.Error()}
	}
	state, err := v.Table.Replace(ctx, seat, level)
	if err == nil {
		v.Host()
	}
	return state, err
}

// actTime is how long an act may take before whoever waits is told to try again.
const actTime = 5 * time.Second

// doAct does an act by its name.
func (s *Server) doAct(ctx context.Context, v *match.Visit, seat match.Seat, name, level string) (match.State, error) {
	i := slices.IndexFunc(acts, func(a act) bool { return a.name == name })
	if i < 0 {
		names := make([]string, len(acts))
		for i, a := range acts {
			names[i] = a.name
		}
		return match.State{}, &problem{status: http.StatusUnprocessableEntity,
			text: fmt.Sprintf("act %q: allowed: %s", clip(name), strings.Join(names, ", "))}
	}
	if err := s.allowed(v, seat); err != nil {
		return match.State{}, err
	}
	if acts[i].name == "replace" {
		if _, err := s.Solver.Solve(ctx, v.Table.State().Setup.Rules); err != nil {
			return match.State{}, fmt.Errorf("the computer cannot play this: %w", err)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, actTime)
	defer cancel()
	if err := v.Seen(ctx, seat); err != nil {
		return match.State{}, err
	}
	return acts[i].do(ctx, v, seat, level)
}

// doMove plays a move that is written as text. What is refused says what is legal.
func (s *Server) doMove(ctx context.Context, v *match.Visit, seat match.Seat, text string, seen int) (match.State, error) {
	if err := s.allowed(v, seat); err != nil {
		return match.State{}, err
	}
	if seen < 0 {
		return match.State{}, &problem{status: http.StatusUnprocessableEntity, text: fmt.Sprintf("seq %d: allowed: the number of the last event you saw, or 0", seen)}
	}
	m, err := digit.ParseMove(text)
	if err != nil {
		return match.State{}, &problem{status: http.StatusUnprocessableEntity, text: err.Error(), legal: legal(v.Table.State()), seq: v.Table.State().Seq}
	}
	ctx, cancel := context.WithTimeout(ctx, actTime)
	defer cancel()
	state, err := v.Table.Play(ctx, seat, m, seen)
	// Only now, for the event that a player is back would come between the last one that the player saw and the move.
	if err := v.Seen(ctx, seat); err != nil {
		s.Log.Error("a player is back, which was not kept", "table", v.Table.ID(), "error", err)
	}
	if err == nil {
		s.metrics.moves.Add(1)
		return state, nil
	}
	var illegal *digit.MoveError
	switch {
	case errors.As(err, &illegal):
		return state, &problem{status: http.StatusUnprocessableEntity, text: err.Error(), legal: legal(state), seq: state.Seq}
	case errors.Is(err, match.ErrStale):
		return state, &problem{status: http.StatusConflict, text: fmt.Sprintf("%v; seq is now %d", err, state.Seq), legal: legalFor(state, seat), seq: state.Seq}
	case errors.Is(err, match.ErrTurn), errors.Is(err, match.ErrNoGame):
		return state, &problem{status: http.StatusConflict, text: err.Error(), seq: state.Seq}
	}
	return state, err
}

// allowed takes an act of a seat into account.
func (s *Server) allowed(v *match.Visit, seat match.Seat) error {
	if wait, ok := s.gate.act(fmt.Sprint(v.Table.ID(), seat), s.Now()); !ok {
		return tooMany("acts from your seat", wait)
	}
	return nil
}

// legal returns the moves that are legal in a state.
func legal(s match.State) []string {
	if !s.Playing() {
		return nil
	}
	var moves []string
	for m := range s.Setup.Rules.Moves(s.Position) {
		moves = append(moves, m.String())
	}
	return moves
}

// legalFor returns the moves that are legal for a seat.
func legalFor(s match.State, seat match.Seat) []string {
	if s.Playing() && s.Turn() == seat {
		return legal(s)
	}
	return nil
}
