package web

import (
	"fmt"
	"net/http"

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

// turnedOf returns the better move that the loser of a finished game missed: at the last mistake,
// because the game was not lost before. It is nil if the viewer did not lose, if the game has no
// name, or on a stream before the game is solved.
func (s *Server) turnedOf(r *http.Request, id string, state match.State, v viewer) *momentView {
	rules, cast := state.Setup.Rules, v.narrator(state).Sides()
	winner, won := state.Result.Winner()
	if !won || !v.plays || !cast.You[winner.Other()] || !gate.IsFree(rules) ||
		r.Pattern == livePattern && !s.Solver.Has(rules) { // the script asks for it later
		return nil
	}
	rv, err := s.reviewOf(r, state, cast)
	if err != nil {
		return nil
	}
	view := momentOf(state, rv.Missed)
	if rv.Missed.Ply > 0 {
		view.Try = fmt.Sprintf("%s/retry?ply=%d", gamePath(id, state.Game), rv.Missed.Ply)
	}
	return &view
}
