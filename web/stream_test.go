package web

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// A listener reads a stream.
type listener struct {
	t     testing.TB
	body  io.ReadCloser
	lines *bufio.Scanner
}

// A message is what a stream says at once: an event, or a comment.
type message struct{ id, event, data, comment string }

func (m message) String() string {
	if m.comment != "" {
		return ": " + m.comment
	}
	return strings.TrimSpace(m.id + " " + m.event)
}

func newListener(t testing.TB, body io.ReadCloser) *listener {
	return &listener{t, body, bufio.NewScanner(body)}
}

// listen opens a stream about a table.
func (t *table) listen(ctx context.Context, token, query string, headers ...string) *listener {
	t.t.Helper()
	r, err := http.NewRequestWithContext(ctx, "GET", "http://duel.example"+t.path+"/events"+query, nil)
	if err != nil {
		t.t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for _, line := range headers {
		key, value, _ := strings.Cut(line, ": ")
		r.Header.Set(key, value)
	}
	answer, err := t.client.Do(r)
	if err != nil {
		t.t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(answer.Body)
		t.t.Fatalf("listen: %d %s", answer.StatusCode, text)
	}
	return newListener(t.t, answer.Body)
}

// next returns what the stream says next; ok is false at its end. Events are held against the document.
func (l *listener) next() (m message, ok bool) {
	var lines []string
	for l.lines.Scan() {
		if line := l.lines.Text(); line != "" {
			lines = append(lines, line)
			continue
		}
		if len(lines) == 1 && strings.HasPrefix(lines[0], "retry: ") {
			lines = nil
			continue
		}
		break
	}
	if len(lines) == 0 {
		return m, false
	}
	for _, line := range lines {
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "id":
			m.id = value
		case "event":
			m.event = value
		case "data":
			m.data = value
		case "":
			m.comment = value
		default:
			l.t.Errorf("a stream says %q", line)
		}
	}
	if m.id != "" {
		var e any
		err := json.Unmarshal([]byte(m.data), &e)
		if err == nil {
			err = theDocument().check(schema{"$ref": "#/components/schemas/Event"}, e, "the event")
		}
		if err != nil {
			l.t.Errorf("%s: %v", m.data, err)
		}
	}
	return m, true
}

// rest returns all that is still to come.
func (l *listener) rest() (all []message) {
	for {
		m, ok := l.next()
		if !ok {
			return all
		}
		all = append(all, m)
	}
}
