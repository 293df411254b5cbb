package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"digitduel/match"
)

// silence is for how long a stream may say nothing before it is taken to be dead. The server says something every 15 seconds.
const silence = 40 * time.Second

// hear follows the server's stream about the table until ctx is done, and connects anew whenever it breaks.
func (t *Table) hear(ctx context.Context) {
	for try := 0; ctx.Err() == nil; try++ {
		heard, err := t.follow(ctx)
		if heard {
			try = 0
		}
		switch {
		case errors.Is(err, match.ErrNoTable):
			t.over(err)
			return
		case isForbidden(err): // the token is for no seat any more
			t.over(match.ErrRekeyed)
			return
		case err != nil && ctx.Err() == nil:
			t.reached(err)
		}
		if !t.rest(ctx, try, err) {
			return
		}
	}
}

// follow connects to the stream and takes up what it tells until it ends. It reports whether it was connected.
func (t *Table) follow(ctx context.Context) (heard bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	dead := time.AfterFunc(callTime, cancel)
	defer dead.Stop()
	r, err := t.server.request(ctx, "GET", fmt.Sprintf("/%s/events?people=1&after=%d", t.place.Table, t.State().Seq), t.place.Token, nil)
	if err != nil {
		return false, err
	}
	answer, err := t.server.client.Do(r)
	if err != nil {
		return false, t.server.unreachable(err)
	}
	defer answer.Body.Close() //nolint:errcheck // it is only read
	if answer.StatusCode != http.StatusOK {
		return false, refused(answer)
	}
	t.reached(nil)
	dead.Reset(silence)
	if err := t.Refresh(ctx); err != nil {
		return true, err
	}
	var m message
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		dead.Reset(silence)
		if line := lines.Text(); line != "" {
			m.take(line)
			continue
		}
		if err := t.hearOne(ctx, m); err != nil {
			return true, err
		}
		m = message{}
	}
	if ctx.Err() != nil {
		return true, fmt.Errorf("%s does not answer", t.server.url)
	}
	return true, t.server.unreachable(io.ErrUnexpectedEOF)
}

// A message is what a stream says at once.
type message struct {
	id          int
	event, data string
}

// take takes a line of a message.
func (m *message) take(line string) {
	switch key, value, _ := strings.Cut(line, ": "); key {
	case "id":
		m.id, _ = strconv.Atoi(value) // a number that is none is that of no event
	case "event":
		m.event = value
	case "data":
		m.data = value
	}
}

// hearOne takes up a message.
func (t *Table) hearOne(ctx context.Context, m message) error {
	switch {
	case m.event == "people":
		var told struct {
			Here     [2]bool `json:"here"`
			Watchers int     `json:"watchers"`
		}
		if err := json.Unmarshal([]byte(m.data), &told); err != nil {
			return err
		}
		t.meet(match.Presence{Seats: told.Here, Watchers: told.Watchers})
		return t.Refresh(ctx) // the clock may have been given time
	case m.id > t.State().Seq:
		return t.Refresh(ctx)
	}
	return nil
}
