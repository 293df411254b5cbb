// Package load plays many games at once against a server, over its HTTP API. It measures how long a
// move takes to reach the opponent, and checks that every stream has every move once and in order.
package load

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"digitduel/digit"
)

// A Config configures a run.
type Config struct {
	URLs      []string // of the servers of one store, which share the players of a table
	Rules     digit.Rules
	Games     int           // the number of simultaneous games
	Watchers  int           // of each game
	Think     time.Duration // the average time for a move; 0: none
	Time      time.Duration // the time to play, after all are seated
	Rematches int           // at a table before the players change to a new one
	Patience  time.Duration // the time limit for answers; 0: 20 seconds
	Seed      uint64
}

// A run is a load test under way.
type run struct {
	Config
	client *http.Client
	start  chan struct{} // closed when all are seated
	stop   chan struct{} // closed when time is up

	mu                   sync.Mutex
	moves, games, tables int
	seen, answered       []time.Duration
	failures             map[string]Error
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// count calls add, which changes counts, until time is up.
func (r *run) count(add func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !isClosed(r.stop) {
		add()
	}
}

// arriving is the number of pairs that are seated at once.
const arriving = 16

// Run plays and reports. Errors of the server are in the report; the returned error is that of ctx.
func Run(ctx context.Context, c Config) (Figures, error) {
	c.Patience = cmp.Or(c.Patience, 20*time.Second)
	r := &run{
		Config: c, start: make(chan struct{}), stop: make(chan struct{}),
		client: &http.Client{Transport: &http.Transport{
			MaxIdleConnsPerHost: 2 * c.Games, IdleConnTimeout: time.Minute,
		}},
		failures: map[string]Error{},
	}
	defer r.client.CloseIdleConnections()
	all, giveUp := context.WithCancel(ctx)
	defer giveUp()
	before := r.metrics(ctx)
	var playing, sitting sync.WaitGroup
	arrivals := make(chan struct{}, arriving)
	for i := range c.Games {
		sitting.Add(1)
		sat := sync.OnceFunc(func() { <-arrivals; sitting.Done() })
		playing.Go(func() {
			arrivals <- struct{}{}
			defer sat()
			err := r.play(all, i, sat)
			if err == nil || all.Err() != nil {
				return
			}
			r.failed(err)
			if !isClosed(r.start) { // do not wait for a server that cannot seat all
				giveUp()
			}
		})
	}
	sitting.Wait()
	finished := make(chan struct{})
	go func() { playing.Wait(); close(finished) }()
	seated, began := r.metrics(all), time.Now()
	close(r.start)
	select {
	case <-time.After(r.Time):
	case <-finished: // all have failed
	case <-all.Done():
	}
	took, after := time.Since(began), r.metrics(all)
	r.mu.Lock()
	close(r.stop)
	r.mu.Unlock()
	<-finished
	return r.report(took, before, seated, after), ctx.Err()
}

// play lets a pair play at one table after another until time is up or an error occurs. It calls
// sat when they are seated.
func (r *run) play(ctx context.Context, number int, sat func()) error {
	for ; ; number += r.Games {
		t, err := r.sit(ctx, uint64(number))
		if err != nil {
			return err
		}
		sat()
		<-r.start
		if err := t.play(); err != nil || isClosed(r.stop) {
			return err
		}
	}
}

// request sends a request to the server of a player, and returns the body of the answer. It is a
// POST if it has a body. Token and body may be empty.
func (r *run) request(
	ctx context.Context, player int, path, token, body string,
) (io.ReadCloser, error) {
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	url := strings.TrimSuffix(r.URLs[player%len(r.URLs)], "/") + path
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := r.client.Do(req)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode >= 300 {
		defer answer.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 200)) // the status is enough
		return nil, failuref(fmt.Sprint("status ", answer.StatusCode), "%s: %s", path, text)
	}
	return answer.Body, nil
}

// call sends a request and decodes the answer.
func (r *run) call(
	ctx context.Context, player int, path, token, body string, answer any,
) error {
	text, err := r.request(ctx, player, path, token, body)
	if err != nil {
		return err
	}
	defer text.Close()
	if err := json.NewDecoder(text).Decode(answer); err != nil {
		return failuref(Garbled, "the answer of %s: %w", path, err)
	}
	_, err = io.Copy(io.Discard, text) // lets the next request use the connection
	return err
}

// metrics returns the metrics of all servers by name, without those that have labels.
func (r *run) metrics(ctx context.Context) map[string]float64 {
	ctx, cancel := context.WithTimeout(ctx, r.Patience)
	defer cancel()
	sums := map[string]float64{}
	for i := range r.URLs {
		text, err := r.request(ctx, i, "/metrics", "", "")
		if err != nil {
			continue // a server may have none
		}
		for lines := bufio.NewScanner(text); lines.Scan(); {
			name, value, _ := strings.Cut(lines.Text(), " ")
			if n, err := strconv.ParseFloat(value, 64); err == nil {
				sums[name] += n
			}
		}
		text.Close()
	}
	return sums
}

// Kinds of failures. Each refusal has a kind such as "status 500".
const (
	Gap      = "gap"      // a stream omitted an event
	Repeat   = "repeat"   // a stream repeated an event
	Unseen   = "unseen"   // a stream omitted a move that was acknowledged
	Stray    = "stray"    // a stream has a move that was not acknowledged
	Mismatch = "mismatch" // an event or answer does not follow from the rules
	Silence  = "silence"  // the server sent nothing in time
	Closed   = "closed"   // the server closed a connection or was not there
	Garbled  = "garbled"  // the server broke the protocol
)

// A failure is an error of the server.
type failure struct {
	kind string
	error
}

func failuref(kind, format string, args ...any) error {
	return &failure{kind, fmt.Errorf(format, args...)}
}

// kindOf returns the kind of an error.
func kindOf(err error) string {
	if f := (*failure)(nil); errors.As(err, &f) {
		return f.kind
	}
	return Closed
}

// failed counts an error of the server.
func (r *run) failed(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	kind := kindOf(err)
	e := r.failures[kind]
	r.failures[kind] = Error{kind, e.Count + 1, cmp.Or(e.First, err.Error())}
}
