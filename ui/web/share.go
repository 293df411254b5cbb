package web

import (
	"fmt"
	"net/http"
	"strings"

	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/ui/gate"
)

// A shareView is a text for sharing, and the path of its page.
type shareView struct{ Text, Link string }

// shareOf returns the text that a viewer may share about a finished game. The link is public.
func shareOf(id string, state match.State, v viewer) *shareView {
	text := rulebook.Shared(state.Setup.Rules, state.Position, state.Result,
		v.narrator(state).Sides())
	return &shareView{text, gamePath(id, state.Game)}
}

func gamePath(id string, game int) string { return fmt.Sprintf("/t/%s/games/%d", id, game) }

// A turnView shows the turning point of a game for its loser.
type turnView struct {
	Told  string
	Short string // the same where there is little room
	Try   string // the path for trying that move again; empty: there was no mistake
}

// turnedOf returns the turning point of a finished game for the player who lost it: the last
// mistake, because the game was not lost before. It is nil if finding it would take time, or if the
// player did not lose.
func (s *Server) turnedOf(r *http.Request, id string, state match.State, v viewer) *turnView {
	rules, cast := state.Setup.Rules, v.narrator(state).Sides()
	winner, won := state.Result.Winner()
	if !won || !v.plays || cast.You[winner] || !gate.IsFree(rules) || !s.Solver.Has(rules) {
		return nil
	}
	rv, err := s.reviewOf(r, state, cast)
	if err != nil {
		return nil
	}
	missed := rv.Missed
	view := &turnView{Told: missed.Text.Long}
	if missed.Title != "" {
		view.Told = strings.TrimSpace(missed.Title + ". " + missed.Text.Long)
	}
	if view.Short = view.Told; missed.Ply > 0 {
		view.Try = fmt.Sprintf("%s/retry?ply=%d", gamePath(id, state.Game), missed.Ply)
	}
	return view
}
