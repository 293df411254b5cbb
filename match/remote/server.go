package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// A Server is where tables are kept.
type Server struct {
	url    string
	client *http.Client
	pause  func(try int) time.Duration // before the next try, counted from 0
}

// NewServer returns the server at an address, as [Link] has it.
func NewServer(address string) *Server {
	return &Server{url: strings.TrimSuffix(address, "/"), pause: growing, client: &http.Client{
		// What is asked for is not asked for again elsewhere, for a move that was sent on would be lost.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// growing is how long to wait before a next try: a moment at first, and never so long that people believe it was given up.
func growing(try int) time.Duration { return min(250*time.Millisecond<<min(try, 10), 10*time.Second) }

// callTime is how long an answer may take. The server itself gives up sooner.
const callTime = 8 * time.Second

// A refusal is an answer that says no.
type refusal struct {
	status int
	text   string
	retry  time.Duration // after which it may go better, if the server says
}

func (r *refusal) Error() string { return r.text }

// Unwrap returns what a table here would have said.
func (r *refusal) Unwrap() error {
	for _, known := range []error{
		match.ErrTurn, match.ErrNoGame, match.ErrUnderWay, match.ErrSeries, match.ErrNotOver, match.ErrNoUndo, match.ErrNoSwap, match.ErrAsked, match.ErrNotAsked, match.ErrStale,
		match.ErrTimeout, match.ErrTaken, match.ErrOpen, match.ErrHere, match.ErrAlready, match.ErrLong, match.ErrOften, match.ErrRekeyed, match.ErrNoTable,
	} {
		if strings.HasPrefix(r.text, known.Error()) {
			return known
		}
	}
	return nil
}

// isFinal reports whether an error is the server's answer, and so what was asked for has not happened and would not if it was asked again.
func isFinal(err error) bool {
	var r *refusal
	return errors.As(err, &r) && r.status < http.StatusInternalServerError && r.status != http.StatusTooManyRequests && r.status != http.StatusRequestTimeout
}

// isForbidden reports whether a server does not know a token.
func isForbidden(err error) bool {
	var r *refusal
	return errors.As(err, &r) && r.status == http.StatusForbidden
}

// request makes a request to the API.
func (s *Server) request(ctx context.Context, method, path, token string, body any) (*http.Request, error) {
	var text io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		text = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, method, s.url+"/api/tables"+path, text)
	if err != nil {
		return nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return r, nil
}

// call asks the API once, and reads its answer into something.
func (s *Server) call(ctx context.Context, method, path, token string, body, into any, headers ...string) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	r, err := s.request(ctx, method, path, token, body)
	if err != nil {
		return err
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return s.unreachable(err)
	}
	defer answer.Body.Close() //nolint:errcheck // it is only read
	if answer.StatusCode >= 300 {
		return refused(answer)
	}
	const most = 4 << 20 // many times the longest log
	if err := json.NewDecoder(io.LimitReader(answer.Body, most)).Decode(into); err != nil {
		return s.unreachable(err)
	}
	return nil
}

// insist asks by a key, with which the same may be asked for again, a few times if there is no answer.
func (s *Server) insist(ctx context.Context, path, token, key string, body, into any) (err error) {
	for try := range 4 {
		if try > 0 {
			select {
			case <-time.After(s.pause(try - 1)):
			case <-ctx.Done():
				return err
			}
		}
		if err = s.call(ctx, http.MethodPost, path, token, body, into, "Idempotency-Key", key); err == nil || isFinal(err) {
			return err
		}
	}
	return err
}

// unreachable says that a server did not answer, without the address, which may hold a token.
func (s *Server) unreachable(err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s does not answer: %w", s.url, context.DeadlineExceeded)
	}
	return fmt.Errorf("%s does not answer: %w", s.url, foreign{err})
}

// A foreign error has a text that may quote the server.
type foreign struct{ error }

func (e foreign) Error() string { return clean(e.error.Error()) }

func (e foreign) Unwrap() error { return e.error }

// refused reads an answer that says no.
func refused(answer *http.Response) error {
	r := &refusal{status: answer.StatusCode, text: "the server answers " + clean(answer.Status)}
	if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && seconds > 0 && seconds < 3600 {
		r.retry = time.Duration(seconds) * time.Second
	}
	var told struct {
		Error string `json:"error"`
	}
	err := json.NewDecoder(io.LimitReader(answer.Body, 1<<16)).Decode(&told)
	switch to := answer.Header.Get("Location"); {
	case err == nil && told.Error != "":
		r.text = clean(told.Error)
	case to != "" && answer.StatusCode < 400:
		r.text = "the server is at another address: use " + clean(to)
	case answer.StatusCode == http.StatusNotFound:
		r.text = "there is no server of duel at this address"
	}
	return r
}

// clean returns a text from elsewhere as a terminal may show it.
func clean(text string) string {
	const most = 400
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return digit.Printable(text)
}
