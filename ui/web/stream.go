package web

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"digitduel/match"
)

const (
	pingEvery    = 15 * time.Second // so that no proxy takes a quiet stream for a dead one
	writeTimeout = 10 * time.Second // for a client that does not read
	peopleEvery  = time.Second      // at least, between messages about people
)

// A stream is a live answer: the events of a table as they come.
type stream struct {
	server *Server
	r      *http.Request // its context is done when the client is gone
	visit  *match.Visit
	viewer viewer                                             // the player or watcher
	events func(b []byte, steps []match.Step) ([]byte, error) // appends the text of some events
	// appends the people present; nil: nothing
	people func(b []byte, p match.Presence) []byte
	ping   string // sent when there is nothing else
	most   int    // the number of past events to send; 0: all

	send  func(b []byte) error
	after int       // the last event that was sent
	quiet time.Time // presence is not sent again until then
}

// serve streams to a player or a watcher until the client is gone or the table is closed.
func (c *stream) serve(w http.ResponseWriter) (err error) {
	if c.after, err = lastSeen(c.r); err != nil {
		return err
	}
	leave, err := c.enter()
	if err != nil {
		return err
	}
	defer leave()
	if c.send = startStream(w, c.r); c.send == nil {
		return nil
	}
	more, changed, err := c.sendNew("retry: 1000\n\n")
	switch {
	case errors.Is(err, errGone):
	case err != nil:
		return err
	default:
		c.follow(more, changed)
	}
	return nil
}

// startStream sets the headers of a stream, and returns the function that sends to it; nil: only
// the headers are sent.
func startStream(w http.ResponseWriter, r *http.Request) (send func(b []byte) error) {
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		return nil
	}
	// An error means that the writer has no deadlines, as in tests.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	return sender(w, r.ProtoMajor > 1)
}

// sender returns a function that writes whole messages to a client, which has writeTimeout to
// read each. Shared says that the connection carries other answers too, as in HTTP/2: there a
// deadline ends a stream even when nothing is being written, so it is removed after each write.
func sender(w http.ResponseWriter, shared bool) func(b []byte) error {
	control := http.NewResponseController(w)
	var until time.Time
	return func(b []byte) error {
		// A deadline less than two seconds old is kept, so that not every write sets a timer.
		if now := time.Now(); until.Sub(now) < writeTimeout-2*time.Second {
			until = now.Add(writeTimeout)
			_ = control.SetWriteDeadline(until)
		}
		if _, err := w.Write(b); err != nil {
			return errGone
		}
		if control.Flush() != nil {
			return errGone
		}
		if shared {
			until = time.Time{}
			_ = control.SetWriteDeadline(until)
		}
		return nil
	}
}

// enter counts a stream, and its viewer as present at the table, until leave is called.
func (c *stream) enter() (leave func(), err error) {
	exit, err := c.server.Enter(c.server.Address(c.r), c.visit.Table.ID())
	if err != nil {
		return nil, err
	}
	if !c.viewer.plays {
		away := c.visit.StayToWatch()
		return func() { away(); exit() }, nil
	}
	for _, v := range c.viewer.seats(c.visit.Table.State()) {
		away, err := c.visit.StayAs(v.holding(c.r.Context()), v.seat)
		if err != nil {
			exit()
			return nil, err
		}
		before := exit
		exit = func() { away(); before() }
	}
	return exit, nil
}

// lastSeen returns the number of the last event that the client has seen.
func lastSeen(r *http.Request) (int, error) {
	text := cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("after"))
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, invalid("after %q: allowed: the number of the last event you saw, or 0",
			clip(text))
	}
	return n, nil
}

// errGone says that the client of a stream is gone.
var errGone = errors.New("the client is gone")

// bye is the last message of a stream.
const bye = "event: bye\ndata: {}\n\n"

// follow sends events as they come, until the client is gone, the table is closed or the server
// stops. It logs any other error. Large frames are kept out of it, because many streams wait here.
func (c *stream) follow(more, changed <-chan struct{}) {
	err := c.wait(more, changed)
	if err != nil && !errors.Is(err, errGone) {
		c.server.Log.Error("a stream broke", "table", c.visit.Table.ID(), "error", err)
	}
}

func (c *stream) wait(more, changed <-chan struct{}) (err error) {
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for more != nil {
		var soon <-chan time.Time
		if changed == nil && c.people != nil {
			soon = time.After(time.Until(c.quiet))
		}
		word := ""
		select {
		case <-more:
		case <-changed:
		case <-soon:
		case <-ping.C:
			word = c.ping
		case <-c.r.Context().Done():
			return errGone
		case <-c.server.stop:
			return c.send([]byte(bye))
		}
		if more, changed, err = c.sendOnOwnStack(word); err != nil {
			return err
		}
	}
	return nil
}

// sendOnOwnStack calls sendNew on another stack. Making a page needs a large stack, which would
// stay in use while the stream waits.
func (c *stream) sendOnOwnStack(word string) (more, changed <-chan struct{}, err error) {
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		defer func() {
			if broken := recover(); broken != nil {
				err = fmt.Errorf("%v\n%s", broken, debug.Stack())
			}
		}()
		more, changed, err = c.sendNew(word)
	}()
	<-sent
	return more, changed, err
}

// sendNew sends a text, if there is one, and the new events, in pieces if there are many: a slow
// client does not make the server hold more. It returns the channels to wait for before the next
// call; more is nil when the table is closed, and the client was informed.
func (c *stream) sendNew(word string) (more, changed <-chan struct{}, err error) {
	b := []byte(word)
	if c.most > 0 {
		c.after = max(c.after, c.visit.Table.State().Seq-c.most)
	}
	steps, more := c.visit.Table.Since(c.after)
	if n := len(steps); n > 0 && c.viewer.plays &&
		steps[n-1].After.Setup.Seals[c.viewer.seat] != c.viewer.seal {
		steps, more = nil, nil // the token was changed; the client reconnects with its new one
	}
	if len(steps) > 0 {
		if b, err = c.events(b, steps); err != nil {
			return nil, nil, err
		}
		c.after += len(steps)
	}
	b, changed = c.appendPeople(b)
	if more == nil {
		b = append(b, bye...)
	}
	if len(b) > 0 {
		err = c.send(b)
	}
	return more, changed, err
}

// appendPeople appends the people present, if they have changed, and returns the channel to wait
// for; nil: nothing is sent until c.quiet.
func (c *stream) appendPeople(b []byte) (_ []byte, changed <-chan struct{}) {
	if c.people == nil {
		return b, nil
	}
	now := time.Now()
	if now.Before(c.quiet) {
		return b, nil
	}
	presence, changed := c.visit.Presence()
	before := len(b)
	if b = c.people(b, presence); len(b) > before {
		c.quiet = now.Add(peopleEvery)
	}
	return b, changed
}
