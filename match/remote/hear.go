package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"digitduel/match"
)

// silence is how long a stream may be silent before it counts as dead. The server sends something
// every 15 seconds.
const silence = 40 * time.Second

// hear reads the server's stream of the table until ctx is done, and reconnects when it breaks.
func (t *Table) hear(ctx context.Context) {
	for try := 0; ctx.Err() == nil; try++ {
		heard, err := t.follow(ctx)
		if heard {
			try = 0
		}
		switch {
		case errors.Is(err, match.ErrNoTable):
			t.giveUp(err)
			return
		case isForbidden(err): // the token is no longer valid
			t.giveUp(match.ErrRekeyed)
			return
		case err != nil && ctx.Err() == nil:
			t.reached(err)
		}
		if !t.waitRetry(ctx, try, err) {
			return
		}
	}
}

// follow connects to the stream and handles its messages until it ends. Heard means that it was
// connected.
func (t *Table) follow(ctx context.Context) (heard bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	dead := time.AfterFunc(callTime, cancel)
	defer dead.Stop()
	path := fmt.Sprintf("/%s/events?people=1&after=%d", t.place.Table, t.State().Seq)
	answer, err := t.server.send(ctx, path, t.place.Token, "", nil)
	if err != nil {
		return false, err
	}
	defer answer.Body.Close() //nolint:errcheck // it is only read
	t.reached(nil)
	dead.Reset(silence)
	if err := t.Refresh(ctx); err != nil {
		return true, err
	}
	var m message
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		dead.Reset(silence)
		if line := lines.Text(); line != "" {
			m.addLine(line)
			continue
		}
		if err := t.handle(ctx, m); err != nil {
			return true, err
		}
		m = message{}
	}
	if ctx.Err() != nil {
		return true, fmt.Errorf("%s does not answer", t.server.url)
	}
	return true, t.server.unreachable(io.ErrUnexpectedEOF)
}

// A message is a message of a stream.
type message struct {
	id          int
	event, data string
}

// addLine adds a line to a message.
func (m *message) addLine(line string) {
	switch key, value, _ := strings.Cut(line, ": "); key {
	case "id":
		m.id, _ = strconv.Atoi(value) // 0, the number of no event, if it is not a number
	case "event":
		m.event = value
	case "data":
		m.data = value
	}
}

// handle handles a message.
func (t *Table) handle(ctx context.Context, m message) error {
	switch {
	case m.event == "people":
		var people struct {
			Here     [2]bool `json:"here"`
			Watchers int     `json:"watchers"`
		}
		if err := json.Unmarshal([]byte(m.data), &people); err != nil {
			return err
		}
		t.setPeople(match.Presence{Seats: people.Here, Watchers: people.Watchers})
		return t.Refresh(ctx) // time may have been credited to the clock
	case m.id > t.State().Seq:
		return t.Refresh(ctx)
	}
	return nil
}
