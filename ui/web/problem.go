package web

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
	"digitduel/ui/gate"
)

// A problem is the reason why a request is refused, in one line.
type problem struct {
	status int
	text   string
	long   string     // the text for a person, in the words of the rulebook; empty: that of text
	legal  legalMoves // the legal moves, where that helps
	seq    int        // the number of the last event, where that helps
	doubt  bool       // it is not known whether the act was saved
	place  int        // in the queue of large games, if that is the reason
	retry  int        // seconds after which to try again
	plain  bool       // a page would cost too much
}

func (p *problem) Error() string { return p.text }

// problemf returns the problem of a request with the status of its answer.
func problemf(status int, format string, args ...any) *problem {
	return &problem{status: status, text: fmt.Sprintf(format, args...)}
}

// sentence returns the text for a page.
func (p *problem) sentence() string { return cmp.Or(p.long, rulebook.Complete(p.text)) }

// says sets the text for a person.
func (p *problem) says(text rulebook.Said) *problem {
	p.long = text.Long
	return p
}

// invalid returns the problem of a request that is well-formed but not allowed.
func invalid(format string, args ...any) *problem {
	return problemf(http.StatusUnprocessableEntity, format, args...)
}

func notFound(format string, args ...any) *problem {
	return problemf(http.StatusNotFound, format, args...)
}

func forbidden(format string, args ...any) *problem {
	return problemf(http.StatusForbidden, format, args...)
}

// isA reports whether an error is or wraps one of a type.
func isA[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}

// problemOf maps an error to an answer. An error that is not meant for players is logged, and the
// answer says that something broke.
func (s *Server) problemOf(r *http.Request, err error) *problem {
	var p *problem
	var limit *gate.Refusal
	var large *http.MaxBytesError
	if p := classProblem(err); p != nil {
		return p
	}
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &limit):
		return &problem{status: limit.Status, text: limit.Text, long: limit.Sentence,
			place: limit.Place, retry: limit.Retry}
	case isA[*digit.MoveError](err), isA[*digit.ParseError](err), isA[*digit.RulesError](err),
		isA[*solve.BudgetError](err):
		return invalid("%v", err)
	case errors.Is(err, match.ErrNoTable):
		return notFound("there is no such table").says(rulebook.NoTable)
	case errors.Is(err, match.ErrRekeyed):
		return forbidden("%v", match.ErrRekeyed).says(rulebook.LoggedOut)
	case errors.Is(err, match.ErrFull):
		return &problem{status: http.StatusServiceUnavailable, text: match.ErrFull.Error(),
			retry: 10}
	case errors.Is(err, ErrNoRoom):
		return problemf(http.StatusInsufficientStorage, "%v", ErrNoRoom)
	case errors.As(err, &large):
		return problemf(http.StatusRequestEntityTooLarge,
			"the request is too large; allowed: %d KiB", large.Limit>>10)
	}
	for _, refusal := range match.Refusals() {
		if errors.Is(err, refusal) {
			long, _ := rulebook.RefusedAct(refusal)
			return &problem{status: http.StatusConflict, text: refusal.Error(), long: long}
		}
	}
	if r.Context().Err() != nil && !errors.Is(err, match.ErrInDoubt) {
		// the client does not read it
		return problemf(499, "the request was canceled")
	}
	s.Log.Error("a request failed", "route", r.Pattern, "error", err)
	if errors.Is(err, match.ErrInDoubt) {
		return &problem{status: http.StatusServiceUnavailable, doubt: true, retry: 1,
			long: rulebook.InDoubt.Long,
			text: "something broke here, and it is not known whether the act was saved; " +
				"try again in a moment: a move with the same seq is played once"}
	}
	return &problem{status: http.StatusServiceUnavailable,
		text: "something broke here and nothing was changed; try again in a moment",
		long: rulebook.Broken.Long, retry: 1}
}

// An errorView is a problem in the API.
type errorView struct {
	Error string `json:"error"`
	legalMoves
	Seq     int  `json:"seq,omitempty"`
	InDoubt bool `json:"in_doubt,omitempty"`
	Place   int  `json:"place,omitempty"`
}

// refuse answers with a problem, as a page or as JSON.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, p *problem) {
	if p.retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(p.retry))
	}
	if p.status == http.StatusTooManyRequests {
		s.Limited.Add(1)
	}
	if strings.HasPrefix(r.URL.Path, "/api/") {
		if p.status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", `Bearer realm="seat"`)
		}
		_ = writeJSON(w, p.status, errorView{p.text, p.legal, p.seq, p.doubt, p.place})
		return
	}
	if r.URL.Path == agentsPath && s.Agents != nil {
		_ = writeJSON(w, p.status, map[string]any{"jsonrpc": "2.0", "id": nil,
			"error": map[string]any{"code": refusedCode, "message": p.text}})
		return
	}
	s.refusePage(w, r, p)
}

// clip shortens text from a request so that it fits a line.
func clip(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
