package web

import (
	"fmt"
	"net/http"

	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/ui/gate"
)

// A shareView is a text that a button hands to others, and the path of its page.
type shareView struct{ Text, Link string }

// shareOf returns what a viewer may share of a finished game. The link is for everyone.
func shareOf(id string, state match.State, v viewer) *shareView {
	text := rulebook.Shared(state.Setup.Rules, state.Position, state.Result, v.narrator(state).Sides())
	return &shareView{text, gamePath(id, state.Game)}
}

func gamePath(id string, game int) string { return fmt.Sprintf("/t/%s/games/%d", id, game) }

// A turnView is where a game turned for who lost it.
type turnView struct {
	Told  string
	Short string // the same where there is little room
	Try   string // where that move can be tried again; empty: there was no mistake
}

// turnedOf returns where a finished game turned for a player who lost it: at the last mistake, for up to there it was not lost. It is nil
// where that would take time to find out, or the player did not lose.
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
	swing := rv.Swing
	if swing.Told.Long == "" {
		return nil
	}
	view := &turnView{Told: swing.Told.Then(swing.Instead).Long, Short: sentence(swing.Told.Short)}
	if swing.Instead.Short != "" {
		view.Short += " " + sentence(swing.Instead.Short)
	}
	if swing.Ply > 0 {
		view.Try = fmt.Sprintf("%s/retry?ply=%d", gamePath(id, state.Game), swing.Ply)
	}
	return view
}
