package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
)

// A retryPage sets a mistake of a finished game anew.
type retryPage struct {
	quiz
	Path   string // of the game
	Rules  digit.Rules
	At     int // the move that was the mistake, counted from 1; 0: there was none
	Ask    string
	Others []mistake
}

// A mistake is a link to one of those that can be tried again.
type mistake struct {
	Path string
	Ply  int
	Here bool
}

// pageRetry sets the mistakes of a game that is over as puzzles: to a player their own, to others those of both.
func (s *Server) pageRetry(w http.ResponseWriter, r *http.Request) error {
	id, state, err := s.gameOf(r)
	if err != nil {
		return err
	}
	if !state.Result.Over() {
		return &problem{status: http.StatusConflict, text: "the game is under way; its mistakes can be tried again when it is over"}
	}
	visit, v, err := s.visitor(r)
	if err != nil {
		return err
	}
	visit.Close()
	rv, err := s.reviewOf(r, state.Record(), viewer{}.sides(state))
	if err != nil {
		return err
	}
	mistakes := rv.Mistakes()
	if own := rv.Mistakes(state.Side(v.seat)); v.plays {
		mistakes = own
	}
	view := retryPage{Path: gamePath(id, state.Game), Rules: state.Setup.Rules, Ask: "Nobody threw anything away in this game."}
	view.Title, view.Goal = rulebook.Title(view.Rules), goalOf(view.Rules)
	if v.plays {
		view.Ask = "You threw nothing away in this game."
	}
	if len(mistakes) > 0 {
		if err := s.retry(r, mistakes, &view); err != nil {
			return err
		}
	}
	return s.show(w, r, http.StatusOK, "retry", page{Title: "The mistakes again: " + view.Title, Module: "puzzle.js", Data: view})
}

// retry sets the mistake that a request asks for, or the first one, and judges what it answers.
func (s *Server) retry(r *http.Request, mistakes []coach.Judged, view *retryPage) error {
	query := r.URL.Query()
	at := mistakes[0]
	if text := query.Get("ply"); text != "" {
		ply, _ := strconv.Atoi(text) // 0 is no move
		i := slices.IndexFunc(mistakes, func(j coach.Judged) bool { return j.Ply == ply })
		if i < 0 {
			return unfit("ply %q: allowed: the moves that were mistakes, %s", clip(text), plies(mistakes))
		}
		at = mistakes[i]
	}
	view.quiz, view.At = quizOf(view.Rules, at.At), at.Ply
	view.Ask = fmt.Sprintf("Move %d. %s was a %v. Find a better one.", at.Ply, tell(view.Rules, rulebook.Cast{}, func(w rulebook.Voice) string {
		return capital(w.Back(at.At, at.Move))
	}), at.Grade)
	for _, j := range mistakes {
		view.Others = append(view.Others, mistake{fmt.Sprintf("%s/retry?ply=%d", view.Path, j.Ply), j.Ply, j.Ply == at.Ply})
	}
	move := query.Get("move")
	if query.Has("digit") {
		var err error
		if move, err = moveOf(view.Rules, at.At, query); err != nil {
			return err
		}
	}
	solution, done, err := s.solved(r, view.Rules)
	if err != nil {
		return err
	}
	defer done()
	return view.answer(solution, at.At, move, query.Get("show") == "1")
}

func plies(mistakes []coach.Judged) string {
	texts := make([]string, len(mistakes))
	for i, j := range mistakes {
		texts[i] = strconv.Itoa(j.Ply)
	}
	return rulebook.List(texts...)
}
