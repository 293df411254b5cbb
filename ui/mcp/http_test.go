package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// post sends a POST request to a server, with headers in addition to the usual ones.
func (srv *testServer) post(
	t *testing.T, body string, headers ...string,
) *httptest.ResponseRecorder {
	t.Helper()
	return srv.send(t, "POST", body, headers...)
}

// send sends a request to a server, with headers in addition to the usual ones.
func (srv *testServer) send(
	t *testing.T, method, body string, headers ...string,
) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for _, line := range headers {
		key, value, _ := strings.Cut(line, ": ")
		r.Header.Set(key, value)
	}
	w := httptest.NewRecorder()
	srv.Handler().ServeHTTP(w, r)
	return w
}

const pingRequest = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// TestHTTP checks the answers to unusual and invalid requests, and that none of them starts a
// session.
func TestHTTP(t *testing.T) {
	t.Parallel()
	srv := newTestServer(t, new(match.Memory), nil)
	call := func(tool, arguments string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call",`+
			`"params":{"name":%q,"arguments":%s}}`, tool, arguments)
	}
	listen := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":` +
		`{"toolsListChanged":true,"resourceSubscriptions":["duel://rules/dilemma"]},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	for _, test := range []struct {
		name, method, body string
		headers            []string
		status             int
		says               string
	}{
		{"a ping", "POST", pingRequest, nil, 200, `"result":{}`},
		{"an unknown session", "POST", pingRequest, []string{"Mcp-Session-Id: x"}, 200, `"result":{}`},
		{"a charset", "POST", pingRequest, []string{"Content-Type: application/json; charset=utf-8"}, 200, `"result":{}`},
		{"an old protocol", "POST", pingRequest, []string{"Mcp-Protocol-Version: 2025-03-26"}, 200, `"result":{}`},
		{"an unknown protocol", "POST", pingRequest, []string{"Mcp-Protocol-Version: 1999-01-01"}, 400, "2025-11-25"},
		{"a notification", "POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, 202, ""},
		{"GET", "GET", "", nil, 405, ""},
		{"HEAD", "HEAD", "", nil, 405, ""},
		{"the end of a session", "DELETE", "", []string{"Mcp-Session-Id: x"}, 405, ""},
		{"OPTIONS", "OPTIONS", "", nil, 405, ""},
		{"an empty body", "POST", "", nil, 400, `"id":null,"error":{"code":-32700,"message":"POST requires a non-empty body"}`},
		{"not JSON", "POST", "hello", nil, 400, `"id":null,"error":{"code":-32700,"message":"malformed payload: `},
		{"incomplete JSON", "POST", `{"jsonrpc":"2.0","id":1,`, nil, 400, `"id":null,"error":{"code":-32700,`},
		{"not a message", "POST", `{"a":1}`, nil, 400, `"id":null,"error":{"code":-32600,`},
		{"a list of numbers", "POST", "[1,2]", nil, 400, "batches are not supported; allowed: one JSON-RPC 2.0 message a request"},
		{"a list of messages", "POST", "\n [" + pingRequest + "," + pingRequest + "]", nil, 400, "batches are not supported; allowed: one JSON-RPC 2.0 message a request"},
		{"deep nesting", "POST", strings.Repeat(`{"a":`, 10_000), nil, 400, ""},
		{"another content type", "POST", pingRequest, []string{"Content-Type: text/plain"}, 415, ""},
		{"no content type", "POST", pingRequest, []string{"Content-Type: "}, 415, ""},
		{"accepts only HTML", "POST", pingRequest, []string{"Accept: text/html"}, 400, `"id":1,"error":{"code":-32600,"message":"Accept must contain`},
		{"resumes a stream", "POST", pingRequest, []string{"Last-Event-ID: 5"}, 400, ""},
		{"no such method", "POST", `{"jsonrpc":"2.0","id":"x","method":"nothing"}`, nil, 400, `"id":"x","error":{"code":-32601,`},
		{"no such tool", "POST", call("nothing", "{}"), nil, 200, "nothing"},
		{"no arguments", "POST", call("play", "null"), nil, 200, `"isError":true`},
		{"a forged game", "POST", call("state", `{"game":"a.b"}`), nil, 200, "no such game"},
		{"a subscription, though nothing changes", "POST", listen, []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: subscriptions/listen"}, 200, ""},
	} {
		w := srv.send(t, test.method, test.body, test.headers...)
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.says) {
			t.Errorf("%s: got %d %s, want %d with %q", test.name, w.Code, w.Body, test.status, test.says)
		}
		if w.Code == http.StatusMethodNotAllowed && w.Header().Get("Allow") != "POST" {
			t.Errorf("%s: the Allow header is %q, want POST", test.name, w.Header().Get("Allow"))
		}
		if kind := w.Header().Get("Content-Type"); w.Body.Len() > 0 &&
			!strings.HasPrefix(kind, "application/json") &&
			!strings.HasPrefix(kind, "text/event-stream") {
			t.Errorf("%s: the content type is %s", test.name, kind)
		}
		if w.Header().Get("Mcp-Session-Id") != "" {
			t.Errorf("%s: the answer starts a session", test.name)
		}
	}
	if left := slices.Collect(srv.server.Sessions()); len(left) > 0 {
		t.Errorf("%d sessions are left", len(left))
	}
}

// TestHTTPHolds checks that many requests leave no goroutines or sessions behind.
func TestHTTPHolds(t *testing.T) {
	srv := newTestServer(t, new(match.Memory), nil)
	before := 0
	for n := range 2000 {
		if n == 100 {
			before = runtime.NumGoroutine()
		}
		srv.post(t, pingRequest)
	}
	if after := runtime.NumGoroutine(); after > before+10 {
		t.Errorf("got %d goroutines, and %d after the first 100 requests", after, before)
	}
	if left := slices.Collect(srv.server.Sessions()); len(left) > 0 {
		t.Errorf("%d sessions are left", len(left))
	}
}

// stuckSolver solves nothing until the context is done.
func stuckSolver(ctx context.Context, _ digit.Rules) (*solve.Solution, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

const newGameRequest = `{"jsonrpc":"2.0","id":7,"method":"tools/call",` +
	`"params":{"name":"new_game","arguments":{}}}`

// TestHTTPSlow checks that a call that takes too long is answered after callTime.
func TestHTTPSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newTestServer(t, new(match.Memory), func(c *Config) {
			c.Solve, c.Limits = stuckSolver, new(limitsRecorder)
		})
		began := srv.Now()
		w := srv.post(t, newGameRequest)
		if took := srv.Now().Sub(began); took != callTime || w.Code != http.StatusOK ||
			!strings.Contains(w.Body.String(), "the call took too long; call state, or try again") {
			t.Errorf("after %v: %d %s", took, w.Code, w.Body)
		}
	})
}

// TestHTTPGone checks that a call ends when its client disconnects, and is not logged as an error
// of the server.
func TestHTTPGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		calls := new(limitsRecorder)
		srv := newTestServer(t, new(match.Memory), func(c *Config) {
			c.Limits, c.Log = calls, slog.New(slog.NewTextHandler(&log, nil))
			c.Solve = func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
				_, _ = stuckSolver(ctx, r)
				return nil, errors.New("interrupted")
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		r := httptest.NewRequestWithContext(ctx, "POST", "/mcp", strings.NewReader(newGameRequest))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		answered := make(chan struct{})
		go func() { srv.Handler().ServeHTTP(httptest.NewRecorder(), r); close(answered) }()
		synctest.Wait()
		cancel()
		synctest.Wait()
		select {
		case <-answered:
		default:
			t.Error("the call does not end")
		}
		if log.Len() > 0 || !slices.Equal(calls.calls, []string{"new_game  refused"}) {
			t.Errorf("recorded %q, logged %s", calls.calls, &log)
		}
	})
}

// A refusalError is an error whose text the caller may see.
type refusalError string

func (e refusalError) Error() string   { return string(e) + ", and more" }
func (e refusalError) Refusal() string { return string(e) }

// TestLimited checks the answers to agents over a limit, and the calls that limits record.
func TestLimited(t *testing.T) {
	t.Parallel()
	limits := new(limitsRecorder)
	srv := newTestServer(t, new(match.Memory), func(c *Config) { c.Limits = limits })
	cl := srv.client(t)
	state := mustCall[State](cl, "new_game", args{"side": "first"})
	mustCall[State](cl, "play", args{"game": state.Game, "move": "7a"})
	tryCall[State](cl, "play", args{"game": state.Game, "move": "x"})
	tryCall[State](cl, "state", args{"game": "nonsense." + strings.Repeat("secret", 5)})
	tryCall[State](cl, "state", args{})
	limits.err = refusalError("that is enough")
	for _, tool := range []string{"new_game", "play"} {
		a := args{"game": state.Game, "move": "1b"}
		if tool == "new_game" {
			a = nil
		}
		if answer, refused := tryCall[State](cl, tool, a); !refused ||
			answer.Reason != "that is enough" {
			t.Errorf("%s: got %+v", tool, answer)
		}
	}
	limits.err = errors.New("a fault of ours")
	if answer, refused := tryCall[State](cl, "new_game", nil); !refused ||
		strings.Contains(answer.Reason, "ours") {
		t.Errorf("got %+v", answer)
	}
	id, _, _ := strings.Cut(state.Game, ".")
	want := []string{
		"new_game " + id + " done", "play " + id + " done", "play " + id + " refused", "state  refused",
		"state  refused", "new_game  limited", "play " + id + " limited", "new_game  broken",
	}
	if !slices.Equal(limits.calls, want) {
		t.Errorf("recorded %q, want %q", limits.calls, want)
	}
	if limits.opened[0] != id {
		t.Errorf("MayOpen was asked about %s, want %s", limits.opened[0], id)
	}
}

// TestLimitedByWork checks that an agent learns why nothing is solved for it.
func TestLimitedByWork(t *testing.T) {
	t.Parallel()
	srv := newTestServer(t, new(match.Memory), func(c *Config) {
		c.Solve = func(context.Context, digit.Rules) (*solve.Solution, error) {
			return nil, fmt.Errorf("not now: %w", refusalError("place 3 in the queue"))
		}
	})
	if answer, refused := tryCall[State](srv.client(t), "new_game", nil); !refused ||
		answer.Reason != "place 3 in the queue" {
		t.Errorf("got %+v", answer)
	}
}

// TestLimitedDisguise checks that an agent learns why it gets no game in disguise.
func TestLimitedDisguise(t *testing.T) {
	t.Parallel()
	enough, done := error(nil), 0
	srv := newTestServer(t, new(match.Memory), func(c *Config) {
		c.Work = func(_ context.Context, do func()) error {
			if enough == nil {
				done++
				do()
			}
			return enough
		}
	})
	cl := srv.client(t)
	mustCall[State](cl, "new_game", args{"rules": "sevens", "disguise": 1})
	first := done // 2 on a slow machine, where a proof starts again in the slow lane
	mustCall[State](cl, "new_game", args{"rules": "sevens", "disguise": 1})
	if first == 0 || done != first {
		t.Errorf("the disguise was proved %d times, then %d times", first, done-first)
	}
	enough = refusalError("that is enough")
	answer, refused := tryCall[State](cl, "new_game", args{"rules": "sevens", "disguise": 2})
	if !refused || answer.Reason != "that is enough" {
		t.Errorf("got %+v", answer)
	}
	mustCall[State](cl, "new_game", args{"rules": "sevens", "disguise": 1})
}

// TestWholeGameOverHTTP plays with the SDK's client over real connections, with every protocol
// version that it supports.
func TestWholeGameOverHTTP(t *testing.T) {
	t.Parallel()
	srv := newTestServer(t, new(match.Memory), nil)
	server := httptest.NewServer(srv.Handler())
	defer server.Close()
	sdkClient := sdk.NewClient(&sdk.Implementation{Name: "guest", Version: "1"}, nil)
	for _, version := range sdk.SupportedProtocolVersions() {
		session, err := sdkClient.Connect(t.Context(),
			&sdk.StreamableClientTransport{Endpoint: server.URL},
			&sdk.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		if got := session.InitializeResult().ProtocolVersion; got != version {
			t.Errorf("asked for version %s, got %s", version, got)
		}
		cl := &testClient{T: t, session: session}
		cl.loadSchemas()
		for _, b := range digit.Books {
			state := mustCall[State](cl, "new_game", args{"rules": b.Name, "show_moves": true})
			for state.Result == "*" {
				state = mustCall[State](cl, "play", args{
					"game": state.Game, "move": state.Moves[0], "ply": state.Ply,
				})
			}
		}
		if err := session.Close(); err != nil {
			t.Errorf("%s: %v", version, err)
		}
	}
}

// FuzzHTTP checks that no request causes an internal error or leaves a session behind.
func FuzzHTTP(f *testing.F) {
	for _, body := range []string{
		"", "x", "[", "{}", "null", "[1,2]", pingRequest, newGameRequest, "[" + pingRequest + "]",
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"play"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"duel://rules/%zz"}}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"x","capabilities":{},"clientInfo":null}}`,
	} {
		f.Add(body, "2025-11-25")
		f.Add(body, "2026-07-28")
	}
	// Without a solver, no game starts.
	noSolver := func(context.Context, digit.Rules) (*solve.Solution, error) {
		return nil, refusalError("nothing is solved here")
	}
	srv := &testServer{Server: New(Config{
		Hall: match.NewHall(new(match.Memory), match.HallConfig{}), Solve: noSolver,
		Link: func(context.Context, string) string { return "" }, Now: time.Now,
	})}
	f.Fuzz(func(t *testing.T, body, version string) {
		if w := srv.post(t, body, "Mcp-Protocol-Version: "+version); w.Code >= 500 ||
			strings.Contains(w.Body.String(), rulebook.Broken.Long) {
			t.Errorf("%q: got %d %s", body, w.Code, w.Body)
		}
		if left := slices.Collect(srv.server.Sessions()); len(left) > 0 {
			t.Errorf("%q: %d sessions are left", body, len(left))
		}
	})
}

// A limitsRecorder implements Limits and records the calls.
type limitsRecorder struct {
	err    error // returned by MayOpen and MayPlay
	opened []string
	calls  []string
}

func (l *limitsRecorder) MayOpen(_ context.Context, table string) error {
	l.opened = append(l.opened, table)
	return l.err
}

func (l *limitsRecorder) MayPlay(context.Context, *match.Table, match.Seat) error { return l.err }

func (l *limitsRecorder) Called(_ context.Context, tool, table, outcome string, _ time.Duration) {
	l.calls = append(l.calls, tool+" "+table+" "+outcome)
}

// TestNoSecretLogged checks that the log of a failed request does not contain the token of the
// game, with which a reader could play.
func TestNoSecretLogged(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	srv := newTestServer(t, new(match.Memory), func(c *Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	cl := srv.client(t)
	state := mustCall[State](cl, "new_game", args{"show_moves": true})
	for state.Result == "*" {
		state = mustCall[State](cl, "play", args{"game": state.Game, "move": state.Moves[0]})
	}
	srv.Solve = func(context.Context, digit.Rules) (*solve.Solution, error) {
		return nil, errors.New("the solver is broken")
	}
	if _, refused := tryCall[State](cl, "report", args{"game": state.Game}); !refused {
		t.Error("report was not refused")
	}
	_, token, _ := strings.Cut(state.Game, ".")
	if strings.Count(log.String(), "the solver is broken") != 1 ||
		strings.Contains(log.String(), token) {
		t.Errorf("the token is %s, and the log:\n%s", token, log.String())
	}
}
