package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// shortConfig returns a load of half a second.
func shortConfig(url string) Config {
	return Config{
		URLs: []string{url}, Rules: digit.Dilemma, Games: 4, Time: 500 * time.Millisecond,
		Rematches: 2, Seed: 1,
	}
}

func TestRun(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Config)
	}{
		{"without thinking", func(*Config) {}},
		{"thinking", func(c *Config) { c.Think = 5 * time.Millisecond }},
		{"thinking for longer than the run", func(c *Config) { c.Think, c.Games = 2*time.Second, 40 }},
		{"watched", func(c *Config) { c.Watchers = 2 }},
		{"a table for each game", func(c *Config) { c.Rematches = 0 }},
		{"hands and calls", func(c *Config) { c.Rules = digit.Sevens }},
		{"ends", func(c *Config) { c.Rules = digit.Divisibility }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := shortConfig(serve(t, flaws{}))
			tt.change(&c)
			r := playEnough(t, c)
			if r.Rate <= 0 || r.Seen.P50 <= 0 || r.Seen.Max < r.Seen.P99 || r.Answered.P50 <= 0 {
				t.Errorf("report %+v", r)
			}
			if c.Think == 0 && (r.Games == 0 || r.Events < float64(r.Moves) || r.Commits == 0) {
				t.Errorf("report %+v", r)
			}
			expected := float64(c.Games) / c.Think.Seconds()
			if c.Think > 0 && r.Rate > 3*expected {
				t.Errorf("%.0f moves a second, want about %.0f", r.Rate, expected)
			}
		})
	}
}

// TestServers checks that the two players of a table use different servers of one store.
func TestServers(t *testing.T) {
	var moves [2]atomic.Int64
	count := func(i int, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/moves") {
			moves[i].Add(1)
		}
	}
	first := serve(t, flaws{intercept: func(_ http.ResponseWriter, r *http.Request) bool {
		count(0, r)
		return false
	}})
	to, err := url.Parse(first)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	second := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count(1, r)
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(second.Close)
	c := shortConfig(first)
	c.URLs = append(c.URLs, second.URL)
	if r := playEnough(t, c); r.Servers != 2 {
		t.Errorf("%d servers, want 2", r.Servers)
	}
	if all, some := moves[0].Load(), moves[1].Load(); some < all/4 || some > all*3/4 {
		t.Errorf("the second server got %[2]d of %[1]d moves, want about half", all, some)
	}
}

// playEnough repeats a run, with more time on a slow machine, until it has a move or, if the
// players do not think, a second table for a game.
func playEnough(t *testing.T, c Config) Figures {
	for ; ; c.Time *= 2 {
		r, err := Run(t.Context(), c)
		if err == nil && len(r.Errors) > 0 {
			err = r.Err()
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Moves > 0 && (c.Think > 0 || r.Tables > c.Games) {
			return r
		}
		if c.Time > 20*time.Second {
			t.Fatalf("report %+v", r)
		}
	}
}

// sendTimes makes streams send one event a number of times, and all others once. It applies to the
// stream of one client, or to all streams if client is empty.
func sendTimes(seq int, client string, times int) func(string, match.Event) int {
	return func(to string, e match.Event) int {
		if e.Seq == seq && (client == "" || client == to) {
			return times
		}
		return 1
	}
}

// onPath returns an intercept function that answers the requests for paths that end with path.
func onPath(path string, answer http.HandlerFunc) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		matches := strings.HasSuffix(r.URL.Path, path)
		if matches {
			answer(w, r)
		}
		return matches
	}
}

// hang does not answer until the client is gone.
func hang(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice that the client is gone
	<-r.Context().Done()
}

// status answers with an error.
func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		fmt.Fprint(w, `{"error":"no more chairs"}`)
	}
}

// respondWith answers with a text.
func respondWith(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
}

// replaced replaces a text in the data of one event.
func replaced(seq int, from, to string) func(match.Event, string) string {
	return func(e match.Event, data string) string {
		if e.Seq == seq {
			return strings.Replace(data, from, to, 1)
		}
		return data
	}
}

// TestFaults checks that each error of a server is detected. Events 1 and 2 open the table and the
// game; 3 is a move of player 1, 4 of player 2.
func TestFaults(t *testing.T) {
	tests := []struct {
		name  string
		flaws flaws
		want  string // the kind
	}{
		{"an event sent to nobody", flaws{times: sendTimes(4, "", 0)}, Unseen},
		{"an event not sent to the opponent", flaws{times: sendTimes(3, "Player 2", 0)}, Unseen},
		{"an event not sent to the mover", flaws{times: sendTimes(3, "Player 1", 0)}, Gap},
		{"an event not sent to a watcher", flaws{times: sendTimes(5, "watcher", 0)}, Gap},
		{"an event sent twice", flaws{times: sendTimes(4, "Player 1", 2)}, Repeat},
		{"an event sent twice to a watcher", flaws{times: sendTimes(4, "watcher", 2)}, Repeat},
		{"a stream that ends", flaws{times: sendTimes(5, "Player 2", -1)}, Closed},
		{"a server that fails", flaws{intercept: onPath("/moves", status(500))}, "status 500"},
		{"a server without room", flaws{intercept: onPath("/api/tables", status(503))}, "status 503"},
		{"a server without streams", flaws{intercept: onPath("/events", status(404))}, "status 404"},
		{"a move that is not answered", flaws{intercept: onPath("/moves", hang)}, Silence},
		{"a table that is not answered", flaws{intercept: onPath("/api/tables", hang)}, Silence},
		{"a stream that is not answered", flaws{intercept: onPath("/events", hang)}, Silence},
		{"a move that is answered but not played", flaws{intercept: onPath("/moves", respondWith(`{"seq":3}`))}, Unseen},
		{"a next game that is answered but not started", flaws{intercept: onPath("/acts", respondWith(`{"seq":99}`))}, Silence},
		{"a move that is answered as another event", flaws{intercept: onPath("/moves", respondWith(`{"seq":4}`))}, Mismatch},
		{"a wrong position", flaws{data: replaced(3, "___", "7__")}, Mismatch},
		{"an invalid move", flaws{data: replaced(3, `"move":"`, `"move":"x`)}, Mismatch},
		{"a wrong event number", flaws{data: replaced(3, `"seq":3`, `"seq":4`)}, Gap},
		{"invalid JSON", flaws{data: replaced(3, "{", "")}, Garbled},
		{"a table without seats", flaws{intercept: onPath("/api/tables", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusCreated)
			fmt.Fprint(w, `{"id":"t1","seats":[]}`)
		})}, Garbled},
		{"an incomplete stream", flaws{intercept: onPath("/events", respondWith("id: 1\n"))}, Closed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := shortConfig(serve(t, tt.flaws))
			c.Games, c.Watchers, c.Rematches, c.Time = 1, 1, 1, time.Minute // it ends with an error
			if tt.want == Silence || tt.want == Unseen {
				c.Patience = time.Second
			}
			r, err := Run(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Errors) != 1 || r.Errors[0].Kind != tt.want || r.Errors[0].Count != 1 {
				t.Fatalf("errors %+v, want one of kind %s", r.Errors, tt.want)
			}
			if err := r.Err(); err == nil || !strings.Contains(err.Error(), "1 × "+tt.want) {
				t.Errorf("error %v, want kind %s in it", err, tt.want)
			}
		})
	}
}

// TestStray checks that moves that were not acknowledged are detected.
func TestStray(t *testing.T) {
	p := &player{name: "player 1", seen: []numberedMove{
		{3, digit.Move{Digit: 7, Spot: 'a'}}, {4, digit.Move{Digit: 3, Spot: 'a'}},
	}}
	for n, want := range []string{Stray, Stray, ""} {
		got := ""
		if err := p.check(p.seen[:n], true); err != nil {
			got = kindOf(err)
		}
		if got != want {
			t.Errorf("%d of 2 moves acknowledged: %q, want %q", n, got, want)
		}
	}
	other := []numberedMove{{5, digit.Move{Digit: 7, Spot: 'a'}}}
	if err := p.check(other, false); kindOf(err) != Unseen {
		t.Errorf("a move acknowledged as another event: %v", err)
	}
}

// TestInterrupted cancels a run while clients connect, and while they play.
func TestInterrupted(t *testing.T) {
	hung := serve(t, flaws{intercept: onPath("/events", hang)})
	for name, url := range map[string]string{"connecting": hung, "playing": serve(t, flaws{})} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer time.AfterFunc(200*time.Millisecond, cancel).Stop()
			c := shortConfig(url)
			c.Time, c.Think, c.Games = time.Hour, time.Hour, 50
			r, err := Run(ctx, c)
			if !errors.Is(err, context.Canceled) || len(r.Errors) > 0 {
				t.Errorf("error %v, report %+v", err, r)
			}
		})
	}
}

func TestNoServer(t *testing.T) {
	for url, want := range map[string]string{
		"http://127.0.0.1:1": "connection refused",
		"nowhere":            "unsupported protocol scheme",
	} {
		r, err := Run(t.Context(), shortConfig(url))
		if err == nil {
			err = r.Err()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", url, err, want)
		}
	}
}
