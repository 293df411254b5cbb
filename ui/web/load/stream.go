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

// An event has the fields of a table's event that players use.
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

// openStream opens a stream of all events of a table, on a new connection.
func openStream(
	ctx context.Context, addr string, patience time.Duration, path, token string,
) (*stream, error) {
	c, err := dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	events := path + "/events?after=0"
	r, err := c.send(patience, "GET", events, token, nil) //nolint:bodyclose // it ends with c
	switch {
	case err != nil:
	case r.StatusCode != http.StatusOK:
		answer, _ := rest(r) // the status is enough
		err = refused(r.StatusCode, answer)
	case !strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream"):
		err = errors.New("the answer is not a stream of events")
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return &stream{c, bufio.NewReaderSize(r.Body, 2048)}, nil
}

// errBye means that the server ended a stream because it is stopping.
var errBye = errors.New("the server said bye")

// next waits up to patience for the next event. It ignores comments, which keep the connection
// open.
func (s *stream) next(patience time.Duration) (e event, err error) {
	if err := s.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return e, err
	}
	id, kind, hasData := 0, "", false
	for {
		line, err := s.lines.ReadSlice('\n')
		if err != nil {
			return e, unexpectedEOF(err)
		}
		name, value, _ := bytes.Cut(line[:len(line)-1], []byte(": "))
		switch string(name) {
		case "id":
			id, err = strconv.Atoi(string(value))
		case "event":
			kind = string(value)
		case "data":
			hasData, err = true, json.Unmarshal(value, &e)
		case "retry":
		case "":
			switch {
			case len(line) > 1: // a comment
			case kind == "bye":
				return e, errBye
			case hasData && (e.Seq != id || e.Kind != kind):
				return e, fmt.Errorf("event %d %s has the data of %d %s", id, kind, e.Seq, e.Kind)
			case hasData:
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
