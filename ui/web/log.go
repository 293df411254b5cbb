package web

import (
	"cmp"
	"net/http"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// A logView is a part of a table's log, as the API shows it to a program that follows the table by its events.
type logView struct {
	Now    time.Time  `json:"now"`   // by the clock that the times of events are of
	Seq    int        `json:"seq"`   // of the last event that there is
	Stood  string     `json:"stood"` // the time that the clock gives back in this turn, for no move could be kept
	Events []logEvent `json:"events"`
}

// A logEvent is an event with all that a table follows from.
type logEvent struct {
	Seq   int         `json:"seq"`
	At    time.Time   `json:"at"`
	Kind  match.Kind  `json:"kind"`
	Seat  int         `json:"seat,omitempty"` // not of opened and began
	Move  *digit.Move `json:"move,omitempty"`
	Auto  bool        `json:"auto,omitempty"`
	Fault match.Fault `json:"fault,omitempty"`
	Name  string      `json:"name,omitempty"`
	Level string      `json:"level,omitempty"`
	Order *orderView  `json:"order,omitempty"`
	// Openings are what games begin with, drawn by lot or not.
	Openings match.Openings `json:"openings,omitempty"`
	Tries    uint8          `json:"tries,omitempty"` // of opened, if a program plays: how many answers it has for each move
}

// An orderView is what a table was ordered as.
type orderView struct {
	Rules     digit.Rules   `json:"rules"`
	BestOf    int           `json:"best_of,omitempty"`
	TurnTime  string        `json:"turn_time,omitempty"`
	OnTimeout string        `json:"on_timeout,omitempty"`
	First     int           `json:"first"`
	Names     [2]string     `json:"names"`
	Hints     bool          `json:"hints,omitempty"`
	AutoCall  bool          `json:"auto_call,omitempty"`
	Targets   match.Targets `json:"targets,omitzero"`
	Pair      bool          `json:"pair,omitempty"`
	Swap      bool          `json:"swap,omitempty"`
	Lot       bool          `json:"lot,omitempty"`
	Seats     [2]string     `json:"seats"`
}

// orderOf returns the order that comes to a setup.
func orderOf(s match.Setup) *orderView {
	o := &orderView{
		Rules: s.Rules, BestOf: s.BestOf, First: int(s.First) + 1, Names: s.Names, Hints: s.Hints, AutoCall: s.AutoCall, Targets: s.Targets,
		Pair: s.Pair, Swap: s.Swap, Lot: s.Openings != "" && s.Agent == match.Agent{},
	}
	if s.TurnTime > 0 {
		o.TurnTime, o.OnTimeout = s.TurnTime.String(), s.OnTimeout.String()
	}
	for i := range o.Seats {
		switch {
		case s.Open[i] && s.Listed:
			o.Seats[i] = anyone
		case s.Open[i]:
			o.Seats[i] = friend
		default:
			o.Seats[i] = cmp.Or(s.Levels[i], human)
		}
	}
	return o
}

func logEventOf(e match.Event) logEvent {
	v := logEvent{Seq: e.Seq, At: e.At.UTC(), Kind: e.Kind, Move: e.Move, Auto: e.Auto, Fault: e.Fault, Name: e.Name, Level: e.Level}
	if e.Kind != match.Opened && e.Kind != match.Began {
		v.Seat = int(e.Seat) + 1
	}
	if e.Setup != nil {
		v.Order, v.Openings, v.Tries = orderOf(*e.Setup), e.Setup.Openings, e.Setup.Agent.Tries
	}
	return v
}

// apiLog shows the events of a table after one of a number, a hundred or so of them at once.
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
	view := logView{Now: s.Now().UTC(), Seq: state.Seq, Stood: state.Stood.String(), Events: make([]logEvent, len(steps))}
	for i, step := range steps {
		view.Events[i] = logEventOf(step.Event)
	}
	writeJSON(w, http.StatusOK, view)
	return nil
}

// people returns what tells a stream of the API who is there, when that has changed. What is left on the clock is told with it, for that may
// change without an event.
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
