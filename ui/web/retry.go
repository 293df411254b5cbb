package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A retryPage sets a mistake of a finished game as a puzzle.
type retryPage struct {
	quiz
	At    int    // the mistake, counted from 1; 0: there was none
	path  string // of the game
	rules digit.Rules
}

// pageRetry sets the mistakes of a finished game as puzzles: a player's own, or those of both for
// others.
func (s *Server) pageRetry(w http.ResponseWriter, r *http.Request, visit *match.Visit,
	v viewer) error {
	state, err := gameOf(r, visit.Table)
	if err != nil {
		return err
	}
	if !state.Result.Over() {
		return problemf(http.StatusConflict,
			"the game is under way; its mistakes can be tried again when it is over")
	}
	rv, err := s.reviewOf(r, state, v.narrator(state).Sides())
	if err != nil {
		return err
	}
	mistakes := rv.Mistakes()
	if own := rv.Mistakes(state.Side(v.seat)); v.plays {
		mistakes = own
	}
	view := retryPage{path: gamePath(visit.Table.ID(), state.Game), rules: state.Setup.Rules}
	view.Goal, view.Ask = goalOf(view.rules), "Nobody threw anything away in this game."
	if v.plays {
		view.Ask = "You threw nothing away in this game."
	}
	if len(mistakes) > 0 {
		if err := s.retry(r, state.Setup.Class, mistakes, &view); err != nil {
			return err
		}
	}
	view.Heading, view.Leave = "Try it again", quizLink{view.path, "Review"}
	view.Links = append(view.Links, view.Leave)
	title := view.Heading + ": " + rulebook.Title(view.rules)
	return s.show(w, r, "retry",
		page{Title: title, Module: "puzzle.js", Sheet: "puzzle.css", Bare: view.At > 0, Data: view})
}

// retry sets the mistake that a request asks for, or the first one, and judges the answer.
func (s *Server) retry(r *http.Request, class string, mistakes []coach.Judged,
	view *retryPage) error {
	query := r.URL.Query()
	i := 0
	if text := query.Get("ply"); text != "" {
		ply, _ := strconv.Atoi(text) // 0 is not a move
		i = slices.IndexFunc(mistakes, func(j coach.Judged) bool { return j.Ply == ply })
		if i < 0 {
			return invalid("ply %q: allowed: the moves that were mistakes", clip(text))
		}
	}
	at := mistakes[i]
	view.quiz, view.At = quizOf(view.rules, at.At), at.Ply
	view.Method, view.Action, view.Hidden = "get", view.path+"/retry#answer",
		[]field{{"ply", strconv.Itoa(at.Ply)}}
	view.ask("Find a better move", fmt.Sprintf("Move %d was %s.", at.Ply,
		rulebook.Voice{Rules: view.rules}.Back(at.At, at.Move)))
	if next := mistakes[(i+1)%len(mistakes)].Ply; next != at.Ply {
		view.Links = []quizLink{{fmt.Sprintf("%s/retry?ply=%d", view.path, next), "Another"}}
	}
	move, show := query.Get("move"), query.Get("show") == "1"
	if query.Has("digit") && !show {
		var err error
		if move, err = moveOf(view.rules, at.At, query); err != nil {
			return err
		}
	}
	solution, done, err := s.solved(r, class, view.rules)
	if err != nil {
		return err
	}
	defer done()
	return view.answer(solution, at.At, move, show)
}
