package web

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/ui/gate"
)

// An analysis is the hint for a position.
type analysis struct {
	Refusal string // the reason why there is none
	Mine    bool   // it is the viewer's turn
	Hint    coach.Hint
}

// analyse adds the analysis of a table to its view, with the digits and places. It is the only way
// for a hint to reach a page: never that of a watcher, nor without the consent of every person at
// the table.
func (s *Server) analyse(req *http.Request, state match.State, v viewer, view *scene) error {
	if !v.plays || !state.Playing() || !state.HintsAllowed() {
		return nil
	}
	r, p := rulesFor(state.Setup), state.Position
	solution, done, err := s.solved(req, r)
	if large := new(solve.BudgetError); errors.As(err, &large) {
		view.Analysis = &analysis{Refusal: "This game is too large to be analysed here."}
		return nil
	}
	if later := new(gate.Refusal); errors.As(err, &later) { // the game can be played meanwhile
		view.Analysis = &analysis{Refusal: later.Sentence}
		return nil
	}
	if err != nil {
		return err
	}
	defer done()
	if told := swapHint(state, solution); told != "" && view.MyTurn {
		view.Analysis = &analysis{Refusal: told}
		return nil
	}
	cast := v.narrator(state).Sides()
	hint, _ := coach.Advise(solution, p, cast) // the game is in progress
	view.Analysis = &analysis{Mine: view.MyTurn, Hint: hint}
	if view.MyTurn {
		view.Play.rate(r, cast, solution.Choices(p), view.Boards[1].Cells)
	}
	return nil
}

// swapHint explains the effect of a swap for the player to move. It is empty if the advice is the
// same without one.
func swapHint(s match.State, solution *solve.Solution) string {
	if !s.Swaps() {
		return ""
	}
	return coach.Swap(solution, s.Position).Long
}

// A hintView is a hint in the API.
type hintView struct {
	coach.Hint
	Swap bool `json:"swap,omitempty"` // a swap is better than any move
}

func (s *Server) apiHint(w http.ResponseWriter, r *http.Request) error {
	v, by, err := s.visitAs(r)
	if err != nil {
		return err
	}
	defer v.Close()
	state := v.Table.State()
	switch {
	case !state.Playing():
		return match.ErrNoGame
	case !state.HintsAllowed():
		return forbidden("hints are not allowed here until every person at the table agrees: " +
			"act hints")
	}
	solution, done, err := s.solved(r, rulesFor(state.Setup))
	if err != nil {
		return err
	}
	defer done()
	// the game is in progress
	hint, _ := coach.Advise(solution, state.Position, by.narrator(state).Sides())
	answer := hintView{Hint: hint}
	if told := swapHint(state, solution); told != "" {
		answer.Look, answer.Idea, answer.Swap = told, "", state.MaySwap()
	}
	return writeJSON(w, http.StatusOK, answer)
}

// solved returns the solution of a game for a request, until done is called. It counts against the
// limit of the request's address, or of its class.
func (s *Server) solved(r *http.Request,
	rules digit.Rules) (_ *solve.Solution, done func(), _ error) {
	payer, ok := r.Context().Value(payerKey{}).(string)
	if !ok {
		payer = s.Address(r)
	}
	return s.Solved(r.Context(), payer, patienceOf(r), rules)
}

// patienceOf returns how long a request waits for a large game before it shows the place in the
// queue. A page shows it soon and refreshes; an open page has other things to show.
func patienceOf(r *http.Request) time.Duration {
	switch {
	case r.Pattern == livePattern:
		return 0
	case r.Method == http.MethodGet && !strings.HasPrefix(r.URL.Path, "/api/"):
		return 2 * time.Second
	default:
		return gate.Patience
	}
}
