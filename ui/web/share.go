package web

import (
	"fmt"
	"net/http"

	"digitduel/digit"
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

// A linkPreview is the public summary of a page that programs show for a link to it.
type linkPreview struct {
	Title string
	Text  string
}

// linkPreviewOf returns the preview of a link to a table or a game. It has no address to go to,
// because the link that was sent may be an invitation, which is secret.
func linkPreviewOf(s match.State) *linkPreview {
	r, cast := s.Setup.Rules, viewer{}.narrator(s)
	goal := rulebook.Goal(rulesFor(s.Setup)).Short + "."
	switch listed := s.Setup.Listed; {
	case s.Result.Over():
		return &linkPreview{rulebook.Shared(r, s.Position, s.Result, cast.Sides()),
			goal + " Look at the game move by move, or play one yourself."}
	case s.Phase() == match.Waiting:
		if !listed { // the title has the goal
			goal = rulebook.GoalNote(r).Long
		}
		return &linkPreview{waiting(s, viewer{invited: !listed}).Long, goal}
	default:
		voice := rulebook.LongVoice(r, cast.Seats())
		return &linkPreview{voice.Who(digit.First) + " – " + voice.Who(digit.Second) + ", " +
			rulebook.Title(r), goal}
	}
}
