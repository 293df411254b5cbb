package web

import (
	"net/http"
	"strconv"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// apiEvents streams the events of a table. A stream with a player's token also marks the player as
// present.
func (s *Server) apiEvents(w http.ResponseWriter, r *http.Request, v *match.Visit,
	who viewer) error {
	c := &stream{server: s, r: r, visit: v, viewer: who, events: appendEvents,
		ping: ": ping\n\n"}
	if r.URL.Query().Get("people") == "1" {
		c.people = people(v.Table)
	}
	return c.serve(w)
}

// appendEvents appends events as the API streams them.
func appendEvents(b []byte, steps []match.Step) (_ []byte, err error) {
	for _, step := range steps {
		e := step.Event
		if b, err = appendMessage(b, strconv.Itoa(e.Seq), string(e.Kind),
			eventOf(e, step.After)); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// An eventView is an event of a stream.
type eventView struct {
	Kind    match.Kind   `json:"kind"`
	At      time.Time    `json:"at"`
	Seat    int          `json:"seat,omitempty"`
	Side    *digit.Side  `json:"side,omitempty"`
	Move    *digit.Move  `json:"move,omitempty"`
	Auto    bool         `json:"auto,omitempty"`
	Waits   bool         `json:"waits,omitempty"`
	Fault   *match.Fault `json:"fault,omitempty"`
	Tries   *int         `json:"tries_left,omitempty"`
	Names   [2]string    `json:"names,omitzero"`
	Rules   digit.Rules  `json:"rules,omitzero"`
	Opening string       `json:"opening,omitempty"`
	Level   string       `json:"level,omitempty"`
	standing
}

// eventOf returns an event with the state after it.
func eventOf(e match.Event, s match.State) eventView {
	view := eventView{Kind: e.Kind, At: e.At.UTC(), Move: e.Move, Auto: e.Auto, Waits: e.Waits,
		Level: e.Level, standing: standingOf(s)}
	if e.Kind != match.Opened && e.Kind != match.Began {
		view.Seat, view.Side = int(e.Seat)+1, new(s.Side(e.Seat))
	}
	names := [2]string{s.Setup.Name(match.One), s.Setup.Name(match.Two)}
	switch e.Kind {
	case match.Opened:
		view.Rules, view.Names = s.Setup.Rules, names
	case match.Seated:
		view.Names = names
	case match.Began:
		if s.Setup.Targets != (match.Targets{}) {
			view.Rules = s.Setup.Rules
		}
		if s.Given > 0 {
			view.Opening = string(match.OpeningsOf(s.Moves))
		}
	case match.Faulted:
		view.Fault, view.Tries = &e.Fault, new(s.TriesLeft())
	default:
	}
	return view
}

// people returns a function that appends the people present to a stream of the API, if they have
// changed. The message includes the time given back on the clock, which may change without an
// event.
func people(t *match.Table) func(b []byte, p match.Presence) []byte {
	type presence struct {
		Here     [2]bool `json:"here"`
		Watchers int     `json:"watchers"`
		Stood    string  `json:"stood"`
	}
	var last presence
	return func(b []byte, p match.Presence) []byte {
		now := presence{p.Seats, p.Watchers, t.State().Stood.String()}
		if now == last {
			return b
		}
		last = now
		b, _ = appendMessage(b, "", "people", now) // it can be marshalled
		return b
	}
}

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
func (s *Server) apiLog(w http.ResponseWriter, r *http.Request, visit *match.Visit,
	_ viewer) error {
	after, err := lastSeen(r)
	if err != nil {
		return err
	}
	state := visit.Table.State()
	steps, _ := visit.Table.Since(after)
	view := logView{Now: s.Now().UTC(), Seq: state.Seq, Stood: state.Stood.String(),
		Events: make([]match.Logged, len(steps))}
	for i, step := range steps {
		view.Events[i] = step.Event.Wire()
	}
	return writeJSON(w, http.StatusOK, view)
}
