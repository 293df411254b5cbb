package web

import (
	"net/http"
	"time"

	"digitduel/match"
)

// A logView is a part of a table's log in the API, for a program that follows the table by its
// events.
type logView struct {
	Now time.Time `json:"now"` // by the clock of the events
	Seq int       `json:"seq"` // of the last event
	// the time given back in this turn, because no move could be saved
	Stood  string         `json:"stood"`
	Events []match.Logged `json:"events"`
}

// apiLog shows the events of a table after a given one, about a hundred at once.
func (s *Server) apiLog(w http.ResponseWriter, r *http.Request) error {
	after, err := lastSeen(r)
	if err != nil {
		return err
	}
	visit, err := s.visit(r)
	if err != nil {
		return err
	}
	defer visit.Close()
	state := visit.Table.State()
	steps, _ := visit.Table.Since(after)
	view := logView{Now: s.Now().UTC(), Seq: state.Seq, Stood: state.Stood.String(),
		Events: make([]match.Logged, len(steps))}
	for i, step := range steps {
		view.Events[i] = step.Event.Wire()
	}
	return writeJSON(w, http.StatusOK, view)
}

// people returns a function that appends the people present to a stream of the API, if they have
// changed. The message includes the time given back on the clock, which may change without an
// event.
func (s *Server) people(t *match.Table) func(b []byte, p match.Presence) []byte {
	type told struct {
		Here     [2]bool `json:"here"`
		Watchers int     `json:"watchers"`
		Stood    string  `json:"stood"`
	}
	var last told
	return func(b []byte, p match.Presence) []byte {
		now := told{p.Seats, p.Watchers, t.State().Stood.String()}
		if now == last {
			return b
		}
		last = now
		b, _ = appendMessage(b, "", "people", now) // it can be marshalled
		return b
	}
}
