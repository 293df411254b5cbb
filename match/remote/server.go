package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// A Server is a server that keeps tables.
type Server struct {
	url    string
	client *http.Client
	pause  func(try int) time.Duration // before the next try, counted from 0
}

// NewServer returns the server at an address. See [Link].
func NewServer(address string) *Server {
	return &Server{url: strings.TrimSuffix(address, "/"), pause: backoff, client: &http.Client{
		// A redirect is not followed: the body of a move would be lost.
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}}
}

// URL returns the address of the server.
func (s *Server) URL() string { return s.url }

// backoff returns the pause before the next try: short at first, and at most ten seconds, so that
// people do not think it has given up.
func backoff(try int) time.Duration {
	return min(250*time.Millisecond<<min(try, 10), 10*time.Second)
}

// callTime is the time limit of a request. The server itself gives up sooner.
const callTime = 8 * time.Second

// A refusal is an answer with an error status.
type refusal struct {
	status int
	text   string
	retry  time.Duration // when to try again, if the server sets it
}

func (r *refusal) Error() string { return r.text }

// Unwrap returns the error of package match with the same text, if there is one. So a change of
// such a text breaks older clients.
func (r *refusal) Unwrap() error {
	for _, known := range append(match.Refusals(), match.ErrNoTable) {
		if strings.HasPrefix(r.text, known.Error()) {
			return known
		}
	}
	return nil
}

// isFinal reports whether an error is the server's answer: the act was not done, and trying again
// would not change that.
func isFinal(err error) bool {
	r, ok := errors.AsType[*refusal](err)
	return ok && r.status < http.StatusInternalServerError &&
		r.status != http.StatusTooManyRequests && r.status != http.StatusRequestTimeout
}

// isForbidden reports whether the server rejected a token.
func isForbidden(err error) bool {
	r, ok := errors.AsType[*refusal](err)
	return ok && r.status == http.StatusForbidden
}

// send sends one request to the API and returns the answer, unless it has an error status. Token
// and key may be empty; a key makes it safe to repeat the request. It is a POST if it has a body.
func (s *Server) send(
	ctx context.Context, path, token, key string, body any,
) (*http.Response, error) {
	method, text := http.MethodGet, bytes.Buffer{}
	if body != nil {
		method = http.MethodPost
		if err := json.NewEncoder(&text).Encode(body); err != nil {
			return nil, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, s.url+"/api/tables"+path, &text)
	if err != nil {
		return nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return nil, s.unreachable(err)
	}
	if answer.StatusCode >= 300 {
		defer answer.Body.Close() //nolint:errcheck // it is only read
		return nil, refused(answer)
	}
	return answer, nil
}

// call sends one request to the API and decodes the answer.
func (s *Server) call(
	ctx context.Context, path, token, key string, body, into any,
) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	answer, err := s.send(ctx, path, token, key, body)
	if err != nil {
		return err
	}
	defer answer.Body.Close() //nolint:errcheck // it is only read
	const most = 4 << 20      // many times the longest log
	if err := json.NewDecoder(io.LimitReader(answer.Body, most)).Decode(into); err != nil {
		return s.unreachable(err)
	}
	return nil
}

// retryPost sends a request with a key, which makes it safe to repeat, and retries a few times
// without an answer.
func (s *Server) retryPost(
	ctx context.Context, path, token, key string, body, into any,
) (err error) {
	for try := range 4 {
		if try > 0 {
			select {
			case <-time.After(s.pause(try - 1)):
			case <-ctx.Done():
				return err
			}
		}
		err = s.call(ctx, path, token, key, body, into)
		if err == nil || isFinal(err) {
			return err
		}
	}
	return err
}

// unreachable returns the error for a server that did not answer. It omits the URL, which may
// contain a token.
func (s *Server) unreachable(err error) error {
	if at, ok := errors.AsType[*url.Error](err); ok {
		err = at.Err
	}
	if failed, ok := errors.AsType[*net.OpError](err); ok { // without "dial tcp" and the address
		err = failed.Err
	}
	if call, ok := errors.AsType[*os.SyscallError](err); ok {
		err = call.Err
	}
	if lookup, ok := errors.AsType[*net.DNSError](err); ok { // without the name server
		err = errors.New(lookup.Err)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s does not answer: %w", s.url, context.DeadlineExceeded)
	}
	return fmt.Errorf("%s does not answer: %w", s.url, remoteError{err})
}

// A remoteError may quote the server, so its text is cleaned.
type remoteError struct{ error }

func (e remoteError) Error() string { return clean(e.error.Error()) }

func (e remoteError) Unwrap() error { return e.error }

// refused returns the error of an answer with an error status.
func refused(answer *http.Response) error {
	r := &refusal{status: answer.StatusCode, text: "the server answers " + clean(answer.Status)}
	seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	if err == nil && seconds > 0 && seconds < 3600 {
		r.retry = time.Duration(seconds) * time.Second
	}
	var body struct {
		Error string `json:"error"`
	}
	err = json.NewDecoder(io.LimitReader(answer.Body, 1<<16)).Decode(&body)
	switch to := answer.Header.Get("Location"); {
	case err == nil && body.Error != "":
		r.text = clean(body.Error)
	case to != "" && answer.StatusCode < 400:
		r.text = "the server is at another address: use " + clean(to)
	case answer.StatusCode == http.StatusNotFound:
		r.text = "there is no duel server at this address"
	}
	return r
}

// clean returns a text from the server in a form that is safe for a terminal.
func clean(text string) string {
	const most = 400
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return digit.Printable(text)
}
