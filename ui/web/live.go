package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"digitduel/match"
)

const livePattern = "GET /t/{id}/live"

// An update is sent to the script of a page when the table has changed.
type update struct {
	Seq   int    `json:"seq"`
	HTML  string `json:"html"`
	Say   string `json:"say"`
	Title string `json:"title"`
	Left  int64  `json:"left"` // milliseconds on the clock; -1: no clock runs

	// the computer's answer to the viewer's move, which the script shows after a pause
	Answer bool `json:"answer,omitempty"`
}

// update returns the table as a viewer sees it. All watchers of a game get the same HTML, so it
// holds paths and no links: those depend on the host that a visitor asked for.
func (s *Server) update(r *http.Request, visit *match.Visit, v viewer,
	state match.State) (u update, err error) {
	make := func() (update, error) {
		view, err := s.scene(r, visit, v, state)
		if err != nil {
			return update{}, err
		}
		if !v.plays {
			view.Origin = ""
		}
		html, err := s.execute("table", view)
		return update{Seq: state.Seq, HTML: string(html), Title: windowTitle(view.Title)}, err
	}
	if v.plays || v.invited || state.Phase() == match.Waiting {
		u, err = make()
	} else {
		u, err = s.watched.get(updateKey{visit.Table.ID(), state.Seq}, make)
	}
	u.Left = leftOf(state, s.Now())
	return u, err
}

// updateKey identifies the update of a table after an event.
type updateKey struct {
	table string
	seq   int
}

// mostShown limits the updates that are kept for watchers. Each takes some kilobytes.
const mostShown = 500

// leftOf returns the time left on the clock in milliseconds, or -1 if no clock runs.
func leftOf(s match.State, now time.Time) int64 {
	at, timed := s.Deadline()
	if !timed {
		return -1
	}
	return max(0, at.Sub(now).Milliseconds())
}

// live streams a table to the script of its page: after each event the table as the viewer sees it
// and a description of the event, and the people present.
func (s *Server) live(w http.ResponseWriter, r *http.Request, visit *match.Visit, v viewer) error {
	l := &liveTable{stream: stream{server: s, r: r, visit: visit, viewer: v,
		ping: "event: ping\ndata: {}\n\n", most: mostDescribed}}
	l.stream.events, l.stream.people = l.events, l.people
	return l.serve(w)
}

// A liveTable streams a table to one viewer.
type liveTable struct {
	stream
	who   string    // the people of the last message
	until time.Time // the last deadline that was sent
}

// mostDescribed limits the events that are described at once; a viewer who was away for longer sees
// only the state of the table.
const mostDescribed = 30

func (l *liveTable) events(b []byte, steps []match.Step) ([]byte, error) {
	var err error
	l.server.Pace(l.r.Context(), l.server.Address(l.r), func() { b, err = l.show(b, steps) })
	if l.r.Context().Err() != nil {
		return b, nil // the client is gone
	}
	return b, err
}

// show appends the table after some steps, and a description of them. The computer's answer to a
// move of the viewer is always a separate message.
func (l *liveTable) show(b []byte, steps []match.Step) (_ []byte, err error) {
	answer := answers(steps[len(steps)-1], l.viewer)
	if own := len(steps) - 1; answer && own > 0 {
		if b, err = l.message(b, steps[:own], false); err != nil {
			return nil, err
		}
		steps = steps[own:]
	}
	return l.message(b, steps, answer)
}

// answers reports whether a step is the computer's answer to a move of the viewer in the same game.
func answers(step match.Step, v viewer) bool {
	e, s := step.Event, step.After
	return v.plays && e.Seat != v.seat && s.Levels[e.Seat] != "" &&
		(e.Kind == match.Moved && len(s.Moves) > 1 || e.Kind == match.Swapped)
}

// before returns the state before a step that took a move back; other steps need none.
func (l *liveTable) before(step match.Step) match.State {
	if step.Event.Kind != match.Undone {
		return match.State{}
	}
	steps, _ := l.visit.Table.Since(step.Event.Seq - 2)
	return steps[0].After
}

// message appends the table after some steps.
func (l *liveTable) message(b []byte, steps []match.Step, answer bool) ([]byte, error) {
	last := steps[len(steps)-1].After
	u, err := l.server.update(l.r, l.visit, l.viewer, last)
	if err != nil {
		return nil, err
	}
	l.until, _ = last.Deadline()
	u.Answer = answer
	u.Say = announcement(steps, l.viewer, l.before(steps[0]))
	return appendMessage(b, strconv.Itoa(last.Seq), "table", u)
}

func (l *liveTable) people(b []byte, p match.Presence) []byte {
	state := l.visit.Table.State()
	now := struct {
		Seats    [2]string `json:"seats"`
		Watchers string    `json:"watchers"`
		Left     int64     `json:"left"`
		Seq      int       `json:"seq"`
		Version  string    `json:"version"`
	}{
		[2]string{presenceText(state, p, match.One), presenceText(state, p, match.Two)},
		watchersText(p.Watchers), leftOf(state, l.server.Now()), state.Seq, statics().version,
	}
	who := fmt.Sprint(now.Seats, now.Watchers)
	until, _ := state.Deadline() // it changes without an event after the database was away
	if who == l.who && until.Equal(l.until) {
		return b
	}
	l.who, l.until = who, until
	b, _ = appendMessage(b, "", "people", now) // it can be marshalled
	return b
}

// appendMessage appends a message of a stream.
func appendMessage(b []byte, id, event string, data any) ([]byte, error) {
	text, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	if id != "" {
		b = append(b, "id: "+id+"\n"...)
	}
	b = append(b, "event: "+event+"\ndata: "...)
	return append(append(b, text...), "\n\n"...), nil
}
