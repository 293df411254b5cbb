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
	solution, done, err := s.solved(req, "", r)
	// the game can be played meanwhile
	if why, _ := unsolved(err, "This game is too large to be analysed here."); why != "" {
		view.Analysis = &analysis{Refusal: why}
		return nil
	}
	if err != nil {
		return err
	}
	defer done()
	if text := swapHint(state, solution); text != "" && view.MyTurn {
		view.Analysis = &analysis{Refusal: text}
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

func (s *Server) apiHint(w http.ResponseWriter, r *http.Request, v *match.Visit,
	by viewer) error {
	state := v.Table.State()
	switch {
	case !state.Playing():
		return match.ErrNoGame
	case !state.HintsAllowed():
		return forbidden("hints are not allowed here until every person at the table agrees: " +
			"act hints")
	}
	solution, done, err := s.solved(r, "", rulesFor(state.Setup))
	if err != nil {
		return err
	}
	defer done()
	// the game is in progress
	hint, _ := coach.Advise(solution, state.Position, by.narrator(state).Sides())
	answer := hintView{Hint: hint}
	if text := swapHint(state, solution); text != "" {
		answer.Look, answer.Idea, answer.Swap = text, "", state.MaySwap()
	}
	return writeJSON(w, http.StatusOK, answer)
}

// solved returns the solution of a game for a request, until done is called. It counts against the
// limit of the request's address, or of a class if there is one: all pupils of a school have one
// address.
func (s *Server) solved(r *http.Request, class string,
	rules digit.Rules) (_ *solve.Solution, done func(), _ error) {
	payer := s.Address(r)
	if class != "" {
		payer = payerOf(class)
	}
	return s.Solved(r.Context(), payer, patienceOf(r), rules)
}

// unsolved explains why there is no solution of a game, which may be too large, and in how many
// seconds to ask again. It is empty if an error has another reason.
func unsolved(err error, tooLarge string) (why string, retry int) {
	if later, ok := errors.AsType[*gate.Refusal](err); ok {
		return later.Sentence, later.Retry
	}
	if isA[*solve.BudgetError](err) {
		return tooLarge, 0
	}
	return "", 0
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
