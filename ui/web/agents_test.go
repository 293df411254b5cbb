package web

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/ui/gate"
)

// withAgents sets the handler for agents.
func withAgents(agents func(w http.ResponseWriter, r *http.Request)) func(*testConfig) {
	return func(p *testConfig) { p.Agents = http.HandlerFunc(agents) }
}

// TestAgentsAreOff checks that /mcp does not exist unless agents are allowed.
func TestAgentsAreOff(t *testing.T) {
	h := newTestServer(t)
	for _, method := range []string{"GET", "POST", "DELETE"} {
		body := "{}"
		if method == "GET" {
			body = ""
		}
		if got := h.ask(method, "/mcp", "", body); got.status != http.StatusNotFound {
			t.Errorf("%s: %v", method, got)
		}
	}
	if text := h.ask("GET", "/metrics", "", "").text; strings.Contains(text, "mcp") {
		t.Errorf("the metrics are %s", text)
	}
}

// TestAgentsHost checks that no page of another site can send requests to /mcp through a browser,
// even if its host name resolves to this server (DNS rebinding).
func TestAgentsHost(t *testing.T) {
	const outside, inside = "192.0.2.1:80", "127.0.0.1:80"
	for _, test := range []struct {
		at, host, origin string
		trust            bool
		base             string
		want             int
	}{
		{at: outside, host: "192.0.2.1", want: 204},
		{at: outside, host: "duel.example", want: 204},
		{at: outside, host: "evil.example", origin: "http://evil.example", want: 403},
		{at: outside, host: "192.0.2.1", origin: "http://evil.example", want: 403},
		{at: outside, host: "192.0.2.1", origin: "http://192.0.2.1", want: 204},
		{at: outside, host: "192.0.2.1", origin: "null", want: 403},
		{at: inside, host: "127.0.0.1:80", want: 204},
		{at: inside, host: "[::1]:80", want: 204},
		{at: inside, host: "LOCALHOST:80", want: 204},
		{at: inside, host: "localhost:80", origin: "http://localhost:80", want: 204},
		{at: inside, host: "localhost:80", origin: "http://localhost:6274", want: 403},
		{at: inside, host: "evil.example", want: 403},
		{at: inside, host: "localhost.evil.example", want: 403},
		{at: inside, host: "evil.example:80", origin: "http://evil.example:80", want: 403},
		{at: inside, host: "duel.example", trust: true, want: 204},
		{at: inside, host: "duel.example", origin: "https://duel.example", trust: true, want: 403},
		{at: inside, host: "duel.example", base: "https://duel.example/", want: 204},
		{at: inside, host: "duel.example", origin: "https://duel.example", base: "https://duel.example", want: 204},
		{at: inside, host: "evil.example", origin: "https://evil.example", base: "https://duel.example", want: 403},
	} {
		accept := func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNoContent)
		}
		h := newTestServer(t, withAgents(accept), func(p *testConfig) {
			p.TrustProxy, p.BaseURL = test.trust, test.base
		})
		at, err := net.ResolveTCPAddr("tcp", test.at)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("POST", "http://"+test.host+"/mcp", strings.NewReader("{}"))
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(at)))
		if test.origin != "" {
			r.Header.Set("Origin", test.origin)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != test.want {
			t.Errorf("%+v: got %d: %s", test, w.Code, w.Body)
		}
		if w.Code == http.StatusForbidden &&
			!strings.HasPrefix(w.Body.String(), `{"error":{"code":-32000,"message":"the request `) {
			t.Errorf("%+v: the body is %s", test, w.Body)
		}
		if w.Header().Get("Access-Control-Allow-Origin") != "" ||
			w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%+v: headers %v", test, w.Header())
		}
	}
}

// TestAgentsLimits checks that agents are subject to the limits of their address, and that other
// addresses are not affected.
func TestAgentsLimits(t *testing.T) {
	var h *testServer
	h = newTestServer(t, func(p *testConfig) {
		p.TrustProxy, p.Limits = true, gate.Limits{Address: 3, Tables: 0.5, Seat: 0.2}
	}, withAgents(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err == nil && string(text) == "open" {
			if err = h.MayOpen(r.Context(), "t"); err != nil {
				h.Called(r.Context(), "new_game", "", "limited", 0)
			}
		}
		if err == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		h.refuse(w, r, h.problemOf(r, err))
	}))
	ask := func(body, from string) reply { return h.ask("POST", "/mcp", "", body, from) }
	if got := ask(strings.Repeat("x", maxAgentBody), here); got.status != http.StatusNoContent {
		t.Errorf("a large request: %v", got)
	}
	if got := ask(strings.Repeat("x", maxAgentBody+1),
		here); got.status != http.StatusRequestEntityTooLarge ||
		!strings.Contains(got.text, "allowed: 64 KiB") {
		t.Errorf("a request that is too large: %v", got)
	}
	for range 5 {
		if got := ask("open", here); got.status != http.StatusNoContent {
			t.Errorf("a table within the limit: %v", got)
		}
	}
	const tables = "too many new tables from your address; try again in 2 s"
	if got := ask("open", here); got.status != 429 || !strings.Contains(got.text, tables) ||
		got.header.Get("Retry-After") != "2" {
		t.Errorf("the sixth table: %v", got)
	}
	if got := ask("open", there); got.status != http.StatusNoContent {
		t.Errorf("a table from another address: %v", got)
	}
	status := 0
	for range 30 {
		status = max(status, ask("", here).status)
	}
	if status != 429 {
		t.Errorf("many requests: %d", status)
	}
	if got := ask("", there); got.status != http.StatusNoContent {
		t.Errorf("a request from another address: %v", got)
	}
	if text := h.ask("GET", "/metrics", "",
		"").text; !strings.Contains(text, `duel_mcp_calls_total{tool="new_game",outcome="limited"} 1`+"\n") {
		t.Errorf("the metrics are %s", text)
	}
}

// TestAgentsWork checks that work for an agent counts against its address, and that the work of
// other addresses is done meanwhile.
func TestAgentsWork(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		as := func(address string) (context.Context, func()) {
			return context.WithCancel(gate.WithAsker(t.Context(), gate.Asker{Address: address}))
		}
		rules, err := digit.ParseRules("dilemma target=9")
		if err != nil {
			t.Fatal(err)
		}
		visit, err := h.Hall.Open(t.Context(), "table",
			match.Setup{Rules: rules, Levels: [2]string{"", "casual"}})
		if err != nil {
			t.Fatal(err)
		}
		defer visit.Close()
		ctx, done := as("203.0.113.1")
		if _, err := h.SolvedFor(ctx, rules); err != nil {
			t.Fatal(err)
		}
		if err := h.MayPlay(ctx, visit.Table, match.One); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second) // more than its share of 2 s
		done()
		h.settle()
		exhausted, end := as("203.0.113.1")
		defer end()
		other, end := as("203.0.113.2")
		defer end()
		const want = "your address has used up its share of computing, which large games take much of; try again in 5 s"
		if _, err := h.SolvedFor(exhausted, rules); fmt.Sprint(err) != want {
			t.Errorf("the next solution: %v", err)
		}
		if err := h.MayPlay(exhausted, visit.Table, match.One); fmt.Sprint(err) != want {
			t.Errorf("the next move: %v", err)
		}
		if err := h.Work(exhausted,
			func() { t.Error("the work was done") }); fmt.Sprint(err) != want {
			t.Errorf("the next work: %v", err)
		}
		if err := h.Work(other, func() { time.Sleep(time.Second) }); err != nil {
			t.Errorf("work for another address: %v", err)
		}
		h.Charge(gate.Explaining, "203.0.113.2", time.Second) // the second of its 2 s
		if err := h.Afford(gate.Explaining, "203.0.113.2"); err != nil {
			t.Errorf("a second of work is charged as more: %v", err)
		}
		h.Charge(gate.Explaining, "203.0.113.2", 2*time.Millisecond)
		if h.Afford(gate.Explaining, "203.0.113.2") == nil {
			t.Error("a second of work is charged as less")
		}
		time.Sleep(time.Minute) // the share is available again
		for _, r := range []digit.Rules{digit.Dilemma, digit.Sevens} {
			if _, err := h.SolvedFor(exhausted, r); err != nil {
				t.Errorf("a book: %v", err)
			}
		}
		if _, err := h.SolvedFor(other, rules); err != nil {
			t.Errorf("another address: %v", err)
		}
	}, func(p *testConfig) { p.Limits.Work = 0.2 })
}

// TestAgentsSeat checks that the limit for seats applies to an agent's seat.
func TestAgentsSeat(t *testing.T) {
	h := newTestServer(t, func(p *testConfig) { p.Limits.Seat = 0.2 })
	visit, err := h.Hall.Open(t.Context(), "table", match.Setup{Rules: digit.Dilemma})
	if err != nil {
		t.Fatal(err)
	}
	defer visit.Close()
	for range 2 {
		if err := h.MayPlay(t.Context(), visit.Table, match.One); err != nil {
			t.Error(err)
		}
	}
	if err := h.MayPlay(t.Context(), visit.Table,
		match.One); fmt.Sprint(err) != "too many acts from your seat; try again in 5 s" {
		t.Errorf("the third act: %v", err)
	}
	if err := h.MayPlay(t.Context(), visit.Table, match.Two); err != nil {
		t.Errorf("the other seat: %v", err)
	}
}

// TestAgentsTold checks how calls are counted and logged, and the link that an agent gets.
func TestAgentsTold(t *testing.T) {
	var h *testServer
	h = newTestServer(t, withAgents(func(_ http.ResponseWriter, r *http.Request) {
		h.Called(r.Context(), "new_game", "abc", "done", time.Millisecond)
		h.Called(r.Context(), "play", "abc", "done", 0)
		h.Called(r.Context(), "play", "abc", "refused", 0)
		if got := Link(r.Context(), "abc"); got != "http://duel.example/t/abc" {
			t.Errorf("the link is %s", got)
		}
	}))
	h.ask("POST", "/mcp", "", "{}")
	samples, err := parseMetrics(h.ask("GET", "/metrics", "", "").text)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]float64{
		`duel_mcp_calls_total{tool="new_game",outcome="done"}`: 1,
		`duel_mcp_calls_total{tool="play",outcome="done"}`:     1,
		`duel_mcp_calls_total{tool="play",outcome="refused"}`:  1,
	} {
		if samples[key] != want {
			t.Errorf("%s is %v, want %v", key, samples[key], want)
		}
	}
	if text := h.log.String(); !strings.Contains(text, "msg=called tool=new_game table=abc outcome=done took=1ms\n") {
		t.Errorf("the log is %s", text)
	}
}
