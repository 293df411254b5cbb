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

// post sends a body to a house over HTTP, as clients do but for some headers.
func (h *house) post(t *testing.T, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	return h.ask(t, "POST", body, headers...)
}

func (h *house) ask(t *testing.T, method, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for _, line := range headers {
		key, value, _ := strings.Cut(line, ": ")
		r.Header.Set(key, value)
	}
	w := httptest.NewRecorder()
	h.Handler().ServeHTTP(w, r)
	return w
}

const pinged = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// TestHTTP holds how requests are answered that are none of the protocol, or none that this server
// takes. Whatever comes, nothing is kept of it.
func TestHTTP(t *testing.T) {
	t.Parallel()
	h := open(t, new(match.Memory), nil)
	call := func(tool, arguments string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
	}
	listen := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["duel://rules/dilemma"]},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	for _, test := range []struct {
		name, method, body string
		headers            []string
		status             int
		says               string
	}{
		{"a ping", "POST", pinged, nil, 200, `"result":{}`},
		{"by a session that nobody began", "POST", pinged, []string{"Mcp-Session-Id: x"}, 200, `"result":{}`},
		{"a charset", "POST", pinged, []string{"Content-Type: application/json; charset=utf-8"}, 200, `"result":{}`},
		{"an old protocol", "POST", pinged, []string{"Mcp-Protocol-Version: 2025-03-26"}, 200, `"result":{}`},
		{"no such protocol", "POST", pinged, []string{"Mcp-Protocol-Version: 1999-01-01"}, 400, "2025-11-25"},
		{"a notification", "POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, 202, ""},
		{"a look", "GET", "", nil, 405, ""},
		{"a look at the head", "HEAD", "", nil, 405, ""},
		{"the end of a session", "DELETE", "", []string{"Mcp-Session-Id: x"}, 405, ""},
		{"what is allowed", "OPTIONS", "", nil, 405, ""},
		{"nothing", "POST", "", nil, 400, `"id":null,"error":{"code":-32700,"message":"POST requires a non-empty body"}`},
		{"rubbish", "POST", "hello", nil, 400, `"id":null,"error":{"code":-32700,"message":"malformed payload: `},
		{"half a message", "POST", `{"jsonrpc":"2.0","id":1,`, nil, 400, `"id":null,"error":{"code":-32700,`},
		{"no message", "POST", `{"a":1}`, nil, 400, `"id":null,"error":{"code":-32600,`},
		{"a list of no messages", "POST", "[1,2]", nil, 400, "batches are not supported; allowed: one JSON-RPC 2.0 message a request"},
		{"a list of messages", "POST", "\n [" + pinged + "," + pinged + "]", nil, 400, "batches are not supported; allowed: one JSON-RPC 2.0 message a request"},
		{"depth", "POST", strings.Repeat(`{"a":`, 10_000), nil, 400, ""},
		{"another type", "POST", pinged, []string{"Content-Type: text/plain"}, 415, ""},
		{"no type", "POST", pinged, []string{"Content-Type: "}, 415, ""},
		{"wants pages", "POST", pinged, []string{"Accept: text/html"}, 400, `"id":1,"error":{"code":-32600,"message":"Accept must contain`},
		{"wants an event again", "POST", pinged, []string{"Last-Event-ID: 5"}, 400, ""},
		{"no such method", "POST", `{"jsonrpc":"2.0","id":"x","method":"nothing"}`, nil, 400, `"id":"x","error":{"code":-32601,`},
		{"no such tool", "POST", call("nothing", "{}"), nil, 200, "nothing"},
		{"no arguments", "POST", call("play", "null"), nil, 200, `"isError":true`},
		{"a forged game", "POST", call("state", `{"game":"a.b"}`), nil, 200, "no such game"},
		{"what waits for changes, of which there are none", "POST", listen, []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: subscriptions/listen"}, 200, ""},
	} {
		w := h.ask(t, test.method, test.body, test.headers...)
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.says) {
			t.Errorf("%s: got %d %s, want %d with %q", test.name, w.Code, w.Body, test.status, test.says)
		}
		if w.Code == http.StatusMethodNotAllowed && w.Header().Get("Allow") != "POST" {
			t.Errorf("%s: allowed are %q", test.name, w.Header().Get("Allow"))
		}
		if kind := w.Header().Get("Content-Type"); w.Body.Len() > 0 && !strings.HasPrefix(kind, "application/json") && !strings.HasPrefix(kind, "text/event-stream") {
			t.Errorf("%s: is answered as %s", test.name, kind)
		}
		if w.Header().Get("Mcp-Session-Id") != "" {
			t.Errorf("%s: begins a session", test.name)
		}
	}
	if left := slices.Collect(h.server.Sessions()); len(left) > 0 {
		t.Errorf("%d sessions are left", len(left))
	}
}

// TestHTTPHolds asks much and holds that nothing grows with it.
func TestHTTPHolds(t *testing.T) {
	h := open(t, new(match.Memory), nil)
	before := 0
	for n := range 2000 {
		if n == 100 {
			before = runtime.NumGoroutine()
		}
		h.post(t, pinged)
	}
	if after := runtime.NumGoroutine(); after > before+10 {
		t.Errorf("there are %d goroutines, of %d after a hundred requests", after, before)
	}
	if left := slices.Collect(h.server.Sessions()); len(left) > 0 {
		t.Errorf("%d sessions are left", len(left))
	}
}

// stuck is a solver that never comes to an end.
func stuck(ctx context.Context, _ digit.Rules) (*solve.Solution, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

const wanted = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"new_game","arguments":{}}}`

// TestHTTPSlow holds that a call is answered within a time, whatever it waits for.
func TestHTTPSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, new(match.Memory), func(c *Config) { c.Solve, c.Limits = stuck, new(ledger) })
		began := h.Now()
		w := h.post(t, wanted)
		if took := h.Now().Sub(began); took != callTime || w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "the call took too long; call state, or try again") {
			t.Errorf("after %v: %d %s", took, w.Code, w.Body)
		}
	})
}

// TestHTTPGone holds that a call of a client that has gone comes to an end, and is no fault of the
// server, whatever breaks by it.
func TestHTTPGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		calls := new(ledger)
		h := open(t, new(match.Memory), func(c *Config) {
			c.Limits, c.Log = calls, slog.New(slog.NewTextHandler(&log, nil))
			c.Solve = func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
				_, _ = stuck(ctx, r)
				return nil, errors.New("interrupted")
			}
		})
		ctx, leave := context.WithCancel(t.Context())
		r := httptest.NewRequestWithContext(ctx, "POST", "/mcp", strings.NewReader(wanted))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		answered := make(chan struct{})
		go func() { h.Handler().ServeHTTP(httptest.NewRecorder(), r); close(answered) }()
		synctest.Wait()
		leave()
		synctest.Wait()
		select {
		case <-answered:
		default:
			t.Error("it goes on")
		}
		if log.Len() > 0 || !slices.Equal(calls.calls, []string{"new_game  refused"}) {
			t.Errorf("noted %q, logged %s", calls.calls, &log)
		}
	})
}

// A word is an error that the caller may read.
type word string

func (e word) Error() string   { return string(e) + ", and more" }
func (e word) Refusal() string { return string(e) }

// TestLimited checks the answers to agents over a limit, and the calls that limits record.
func TestLimited(t *testing.T) {
	t.Parallel()
	ledger := new(ledger)
	h := open(t, new(match.Memory), func(c *Config) { c.Limits = ledger })
	g := h.guest(t)
	state := got[State](g, "new_game", args{"side": "first"})
	got[State](g, "play", args{"game": state.Game, "move": "7a"})
	try[State](g, "play", args{"game": state.Game, "move": "x"})
	try[State](g, "state", args{"game": "nonsense." + strings.Repeat("secret", 5)})
	try[State](g, "state", args{})
	ledger.full = word("that is enough")
	for _, tool := range []string{"new_game", "play"} {
		a := args{"game": state.Game, "move": "1b"}
		if tool == "new_game" {
			a = nil
		}
		if answer, refused := try[State](g, tool, a); !refused || answer.Reason != "that is enough" {
			t.Errorf("%s: told %+v", tool, answer)
		}
	}
	ledger.full = errors.New("a fault of ours")
	if answer, refused := try[State](g, "new_game", nil); !refused || strings.Contains(answer.Reason, "ours") {
		t.Errorf("told %+v", answer)
	}
	id, _, _ := strings.Cut(state.Game, ".")
	want := []string{
		"new_game " + id + " done", "play " + id + " done", "play " + id + " refused", "state  refused", "state  refused", "new_game  limited", "play " + id + " limited", "new_game  broken",
	}
	if !slices.Equal(ledger.calls, want) {
		t.Errorf("noted %q, want %q", ledger.calls, want)
	}
	if ledger.opened[0] != id {
		t.Errorf("%s was let in, and %s opened", ledger.opened[0], id)
	}
}

// TestLimitedByWork checks that an agent learns why nothing is solved for it.
func TestLimitedByWork(t *testing.T) {
	t.Parallel()
	h := open(t, new(match.Memory), func(c *Config) {
		c.Solve = func(context.Context, digit.Rules) (*solve.Solution, error) {
			return nil, fmt.Errorf("not now: %w", word("place 3 in the queue"))
		}
	})
	if answer, refused := try[State](h.guest(t), "new_game", nil); !refused || answer.Reason != "place 3 in the queue" {
		t.Errorf("told %+v", answer)
	}
}

// TestLimitedDisguise checks that an agent learns why it gets no game in disguise.
func TestLimitedDisguise(t *testing.T) {
	t.Parallel()
	enough, done := error(nil), 0
	h := open(t, new(match.Memory), func(c *Config) {
		c.Work = func(_ context.Context, do func()) error {
			if enough == nil {
				done++
				do()
			}
			return enough
		}
	})
	g := h.guest(t)
	got[State](g, "new_game", args{"rules": "sevens", "disguise": 1})
	first := done // 2 on a slow machine, where a proof starts again in the slow lane
	got[State](g, "new_game", args{"rules": "sevens", "disguise": 1})
	if first == 0 || done != first {
		t.Errorf("the disguise was proved %d times, then %d times", first, done-first)
	}
	enough = word("that is enough")
	if answer, refused := try[State](g, "new_game", args{"rules": "sevens", "disguise": 2}); !refused || answer.Reason != "that is enough" {
		t.Errorf("told %+v", answer)
	}
	got[State](g, "new_game", args{"rules": "sevens", "disguise": 1})
}

// TestWholeGameOverHTTP plays with the SDK's own client over real connections, by every protocol
// that it knows.
func TestWholeGameOverHTTP(t *testing.T) {
	t.Parallel()
	h := open(t, new(match.Memory), nil)
	server := httptest.NewServer(h.Handler())
	defer server.Close()
	client := sdk.NewClient(&sdk.Implementation{Name: "guest", Version: "1"}, nil)
	for _, version := range sdk.SupportedProtocolVersions() {
		session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: server.URL}, &sdk.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		if got := session.InitializeResult().ProtocolVersion; got != version {
			t.Errorf("%s was asked for, and %s is spoken", version, got)
		}
		g := &guest{T: t, session: session}
		g.learn()
		for _, b := range digit.Books {
			state := got[State](g, "new_game", args{"rules": b.Name, "show_moves": true})
			for state.Result == "*" {
				state = got[State](g, "play", args{"game": state.Game, "move": state.Moves[0], "ply": state.Ply})
			}
		}
		if err := session.Close(); err != nil {
			t.Errorf("%s: %v", version, err)
		}
	}
}

// FuzzHTTP sends what it likes: no request breaks anything, and nothing is kept of it.
func FuzzHTTP(f *testing.F) {
	for _, body := range []string{
		"", "x", "[", "{}", "null", "[1,2]", pinged, wanted, "[" + pinged + "]", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"play"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"duel://rules/%zz"}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"x","capabilities":{},"clientInfo":null}}`,
	} {
		f.Add(body, "2025-11-25")
		f.Add(body, "2026-07-28")
	}
	nothing := func(context.Context, digit.Rules) (*solve.Solution, error) {
		return nil, word("nothing is solved here")
	} // so no game begins
	h := &house{Server: New(Config{
		Hall: match.NewHall(new(match.Memory), match.HallConfig{}), Solve: nothing, Link: func(context.Context, string) string { return "" }, Now: time.Now,
	})}
	f.Fuzz(func(t *testing.T, body, version string) {
		if w := h.post(t, body, "Mcp-Protocol-Version: "+version); w.Code >= 500 || strings.Contains(w.Body.String(), rulebook.Broken.Long) {
			t.Errorf("%q is answered with %d %s", body, w.Code, w.Body)
		}
		if left := slices.Collect(h.server.Sessions()); len(left) > 0 {
			t.Errorf("%q leaves %d sessions", body, len(left))
		}
	})
}

// A ledger records the calls of limits.
type ledger struct {
	full   error // the answer to every question
	opened []string
	calls  []string
}

func (l *ledger) MayOpen(_ context.Context, table string) error {
	l.opened = append(l.opened, table)
	return l.full
}

func (l *ledger) MayPlay(context.Context, *match.Table, match.Seat) error { return l.full }

func (l *ledger) Called(_ context.Context, tool, table, outcome string, _ time.Duration) {
	l.calls = append(l.calls, tool+" "+table+" "+outcome)
}

// TestNoSecretLogged breaks a request of an agent: the log says so without the id of the game, with
// which a reader could play.
func TestNoSecretLogged(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	h := open(t, new(match.Memory), func(c *Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	g := h.guest(t)
	state := got[State](g, "new_game", args{"show_moves": true})
	for state.Result == "*" {
		state = got[State](g, "play", args{"game": state.Game, "move": state.Moves[0]})
	}
	h.Solve = func(context.Context, digit.Rules) (*solve.Solution, error) {
		return nil, errors.New("the solver is broken")
	}
	if _, refused := try[State](g, "report", args{"game": state.Game}); !refused {
		t.Error("there is a report")
	}
	_, secret, _ := strings.Cut(state.Game, ".")
	if strings.Count(log.String(), "the solver is broken") != 1 || strings.Contains(log.String(), secret) {
		t.Errorf("the secret is %s, and the log:\n%s", secret, log.String())
	}
}
