package web

import (
	"digitduel/match"
	"digitduel/rulebook"
)

// A publishView describes who can find the games of a table by invitation.
type publishView struct {
	ID   string
	Game int // the game whose page it is on; 0: the table
	Text string
	Do   string // the label of the button; empty: there is none
	By   bool   // the opponent asks for it
}

// publishOf describes who can find the games of a table, and what the viewer may do about it; nil:
// nothing.
func publishOf(id string, s match.State, v viewer) *publishView {
	if !v.plays || s.Setup.Public() || !s.Result.Over() || s.Setup.Class != "" {
		return nil
	}
	view := &publishView{ID: id}
	switch other := v.seat.Other(); {
	case s.Public(s.Game):
		view.Text = rulebook.IsPublic.Long
	case s.Shows[v.seat]:
		view.Text = v.narrator(s).Offer(match.Published, v.seat).Long
	case s.Shows[other]:
		view.Text, view.Do, view.By = v.narrator(s).Offer(match.Published, other).Long,
			"Publish too", true
	default:
		view.Text, view.Do = rulebook.IsPrivate.Long, "Publish"
	}
	return view
}
