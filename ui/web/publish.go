package web

import (
	"digitduel/match"
	"digitduel/rulebook"
)

// A publishView is what a player is told of who finds the games that were played at a table by invitation.
type publishView struct {
	ID   string
	Game int // whose page it is on; 0: the table
	Told string
	Do   string // what the button says; empty: there is nothing to press
	By   bool   // the other player asks for it
}

// publishOf returns what a viewer is told and may do about who finds the games of a table; nil: nothing.
func publishOf(id string, s match.State, v viewer) *publishView {
	if !v.plays || s.Setup.Public() || !s.Result.Over() {
		return nil
	}
	view := &publishView{ID: id}
	switch other := v.seat.Other(); {
	case s.Public(s.Game):
		view.Told = rulebook.IsPublic.Long
	case s.Shows[v.seat]:
		view.Told = v.narrator(s).Offer(match.Published, v.seat).Long
	case s.Shows[other]:
		view.Told, view.Do, view.By = v.narrator(s).Offer(match.Published, other).Long, "Publish too", true
	default:
		view.Told, view.Do = rulebook.IsPrivate.Long, "Publish"
	}
	return view
}
