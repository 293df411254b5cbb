package load

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// An event is what the players use of an event of a table.
type event struct {
	Seq      int    `json:"seq"`
	Kind     string `json:"kind"`
	Side     string `json:"side"`
	Move     string `json:"move"`
	Position string `json:"position"`
	Turn     string `json:"turn"`
	Result   string `json:"result"`
}

// A stream is a connection on which the server sends the events of a table.
type stream struct {
	conn  *conn
	lines *bufio.Reader
}

// openStream asks, on a connection of its own, for the events of a table from the first on.
func openStream(ctx context.Context, addr string, patience time.Duration, path, token string) (*stream, error) {
	c, err := dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	r, err := c.send(patience, "GET", path+"/events?after=0", token, nil) //nolint:bodyclose // it ends with the connection
	switch {
	case err != nil:
	case r.StatusCode != http.StatusOK:
		answer, _ := rest(r) // the status says enough
		err = refused(r.StatusCode, answer)
	case !strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream"):
		err = errors.New("what should be a stream of events is something else")
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return &stream{c, bufio.NewReaderSize(r.Body, 2048)}, nil
}

// errBye says that the server ended a stream since it stops.
var errBye = errors.New("the server said bye")

// next waits so long for the next event. Comments, which the server sends to keep the connection, are no event.
func (s *stream) next(patience time.Duration) (e event, err error) {
	if err := s.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return e, err
	}
	id, kind, told := 0, "", false
	for {
		line, err := s.lines.ReadSlice('\n')
		if err != nil {
			return e, noEnd(err)
		}
		name, value, _ := bytes.Cut(line[:len(line)-1], []byte(": "))
		switch string(name) {
		case "id":
			id, err = strconv.Atoi(string(value))
		case "event":
			kind = string(value)
		case "data":
			told, err = true, json.Unmarshal(value, &e)
		case "retry":
		case "":
			switch {
			case len(line) > 1: // a comment
			case kind == "bye":
				return e, errBye
			case told && (e.Seq != id || e.Kind != kind):
				return e, fmt.Errorf("an event called %d %s says that it is %d %s", id, kind, e.Seq, e.Kind)
			case told:
				return e, nil
			}
		default:
			if name[0] != ':' {
				err = errors.New("no such field")
			}
		}
		if err != nil {
			return e, fmt.Errorf("line %.200q of a stream: %w", line, err)
		}
	}
}
