package web

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"digitduel/match"
)

const (
	pingEvery    = 15 * time.Second // so that nobody on the way takes a quiet stream for a dead one
	writeTimeout = 10 * time.Second // for whoever does not read
)

// A stream is a live answer: the events of a table as they come.
type stream struct {
	server *Server
	w      http.ResponseWriter
	r      *http.Request
	visit  *match.Visit
	viewer viewer    // whose it is
	after  int       // the last event that was sent
	ping   string    // what is sent when there is nothing to say
	until  time.Time // by when a write has to be done
}

// stream starts a stream about a table for a player or for somebody who watches.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, v *match.Visit, who viewer) (*stream, func(), error) {
	after, err := lastSeen(r)
	if err != nil {
		return nil, nil, err
	}
	exit, err := s.gate.enter(s.address(r), v.Table.ID())
	if err != nil {
		return nil, nil, err
	}
	var leave func()
	if !who.plays {
		leave = v.StayToWatch()
	} else if leave, err = v.StayAs(who.holding(r.Context()), who.seat); err != nil {
		exit()
		return nil, nil, err
	}
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Time{})
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no")
	return &stream{server: s, w: w, r: r, visit: v, viewer: who, after: after, ping: ": ping\n\n"}, func() { leave(); exit() }, nil
}

// lastSeen returns the number of the last event that whoever asks for a stream has seen.
func lastSeen(r *http.Request) (int, error) {
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.URL.Query().Get("after")
	}
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, unfit("after %q: allowed: the number of the last event you saw, or 0", clip(text))
	}
	return n, nil
}

// run sends what comes until the client is gone, the table is closed or the server stops. Events makes the text of some events,
// and people that of who is there; nil: nothing is said of it.
func (c *stream) run(events func(b []byte, steps []match.Step) ([]byte, error), people func(b []byte, p match.Presence) []byte) error {
	if c.r.Method == http.MethodHead { // the headers are all that is asked for
		c.w.WriteHeader(http.StatusOK)
		return nil
	}
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	b := append(make([]byte, 0, 1024), "retry: 1000\n\n"...)
	for {
		steps, more := c.visit.Table.Since(c.after)
		presence, changed := c.visit.Presence()
		if n := len(steps); n > 0 && c.viewer.plays && steps[n-1].After.Setup.Seals[c.viewer.seat] != c.viewer.seal {
			steps, more = nil, nil // it is no longer theirs; who comes again comes as whoever they are now
		}
		if len(steps) > 0 {
			var err error
			if b, err = events(b, steps); err != nil {
				return err
			}
			c.after += len(steps)
		}
		if people != nil {
			b = people(b, presence)
		} else {
			changed = nil
		}
		if more == nil {
			b = append(b, "event: bye\ndata: {}\n\n"...)
		}
		if len(b) > 0 {
			if err := c.send(b); err != nil {
				return nil // the client is gone
			}
			b = b[:0]
		}
		if more == nil {
			return nil
		}
		select {
		case <-more:
		case <-changed:
		case <-ping.C:
			b = append(b, c.ping...)
		case <-c.r.Context().Done():
			return nil
		case <-c.server.stop:
			_ = c.send([]byte("event: bye\ndata: {}\n\n")) // the last word, whether it is heard or not
			return nil
		}
	}
}

// send writes and flushes. Whoever does not read is given writeTimeout at the most, and a little less within two seconds of
// another write, so that not every write sets a timer.
func (c *stream) send(b []byte) error {
	control := http.NewResponseController(c.w)
	if now := time.Now(); c.until.Sub(now) < writeTimeout-2*time.Second {
		c.until = now.Add(writeTimeout)
		control.SetWriteDeadline(c.until)
	}
	if _, err := c.w.Write(b); err != nil {
		return err
	}
	if err := control.Flush(); err != nil {
		return err
	}
	if c.r.ProtoMajor > 1 { // where a deadline ends a stream even if nothing is being written
		c.until = time.Time{}
		control.SetWriteDeadline(c.until)
	}
	return nil
}

// apiEvents streams the events of a table. A player's stream, which has the player's token, also says that the player is there.
func (s *Server) apiEvents(w http.ResponseWriter, r *http.Request) error {
	v, err := s.visit(r)
	if err != nil {
		return err
	}
	defer v.Close()
	var who viewer
	if r.Header.Get("Authorization") != "" {
		if who, err = s.bearer(r, v.Table); err != nil {
			return err
		}
	}
	c, leave, err := s.stream(w, r, v, who)
	if err != nil {
		return err
	}
	defer leave()
	return c.run(func(b []byte, steps []match.Step) ([]byte, error) {
		for _, step := range steps {
			b = appendEvent(b, step)
		}
		return b, nil
	}, nil)
}

// appendEvent appends an event as the API streams it.
func appendEvent(b []byte, step match.Step) []byte {
	e, s := step.Event, step.After
	b = append(b, "id: "...)
	b = strconv.AppendInt(b, int64(e.Seq), 10)
	b = append(b, "\nevent: "...)
	b = append(b, e.Kind...)
	b = append(b, "\ndata: {\"kind\":\""...)
	b = append(b, e.Kind...)
	b = append(b, `","at":"`...)
	b = e.At.UTC().AppendFormat(b, time.RFC3339Nano)
	b = append(b, '"')
	if e.Kind != match.Opened && e.Kind != match.Began {
		b = append(b, `,"seat":`...)
		b = strconv.AppendInt(b, int64(e.Seat)+1, 10)
		b = append(b, `,"side":"`...)
		b = append(b, s.Side(e.Seat).String()...)
		b = append(b, '"')
	}
	if e.Move != nil {
		b = append(b, `,"move":"`...)
		b = append(b, e.Move.String()...)
		b = append(b, '"')
	}
	if e.Auto {
		b = append(b, `,"auto":true`...)
	}
	if e.Kind == match.Opened || e.Kind == match.Seated {
		names, _ := json.Marshal([2]string{s.Setup.Name(match.One), s.Setup.Name(match.Two)}) // strings can be marshalled
		b = append(append(b, `,"names":`...), names...)
	}
	if e.Kind == match.Opened || e.Kind == match.Began && s.Setup.Targets != (match.Targets{}) {
		rules, _ := json.Marshal(s.Setup.Rules.String())
		b = append(append(b, `,"rules":`...), rules...)
	}
	if e.Level != "" {
		level, _ := json.Marshal(e.Level)
		b = append(append(b, `,"level":`...), level...)
	}
	b = append(b, ',')
	b = appendStanding(b, s)
	return append(b, "}\n\n"...)
}
