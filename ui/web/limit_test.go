package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"digitduel/match"
)

// TestAddress holds where a request is said to come from.
func TestAddress(t *testing.T) {
	for _, test := range []struct {
		trust     bool
		remote    string
		forwarded []string
		want      string
	}{
		{false, "192.0.2.7:50000", nil, "192.0.2.7"},
		{false, "192.0.2.7:50000", []string{"203.0.113.1"}, "192.0.2.7"}, // which anybody can say
		{true, "192.0.2.7:50000", nil, "192.0.2.7"},
		{true, "192.0.2.7:50000", []string{""}, "192.0.2.7"},
		{true, "192.0.2.7:50000", []string{"203.0.113.1"}, "203.0.113.1"},
		{true, "192.0.2.7:50000", []string{"198.51.100.9, 203.0.113.1"}, "203.0.113.1"},
		{true, "192.0.2.7:50000", []string{"198.51.100.9", "203.0.113.1"}, "203.0.113.1"},
		{true, "192.0.2.7:50000", []string{"198.51.100.9,203.0.113.1", " 203.0.113.2 "}, "203.0.113.2"},
		{true, "192.0.2.7:50000", []string{"somebody"}, "unknown"},
		{false, "[2001:db8:1:2:3:4:5:6]:50000", nil, "2001:db8:1:2::/64"},
		{false, "[fe80::1%eth0]:50000", nil, "fe80::/64"},
		{false, "[::ffff:192.0.2.7]:50000", nil, "192.0.2.7"},
		{true, "192.0.2.7:50000", []string{"2001:db8:1:2:ffff::1"}, "2001:db8:1:2::/64"},
		{false, "192.0.2.7", nil, "192.0.2.7"},
		{false, "@", nil, "unknown"},
	} {
		s := &Server{Config: Config{TrustProxy: test.trust}}
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = test.remote
		r.Header["X-Forwarded-For"] = test.forwarded
		if got := s.address(r); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

// TestLimits holds each limit of requests: what comes together in ten seconds may come at once, and then one after the other.
func TestLimits(t *testing.T) {
	for _, test := range []struct {
		name   string
		limits Limits
		burst  int
		ask    func(t *table) reply
		others func(t *table) reply // which are not limited
		want   string
		retry  string
	}{
		{"address", Limits{Address: 2}, 19, // one request has opened the table
			func(t *table) reply { return t.say("look") },
			func(t *table) reply { return t.ask("GET", t.path, "", "", "X-Forwarded-For: 203.0.113.1") },
			"429 too many requests from your address; try again in 1 s", "1"},
		{"address and figures", Limits{Address: 2}, 19,
			func(t *table) reply { return t.say("look") },
			func(t *table) reply { return t.ask("GET", "/metrics", "", "") },
			"429 too many requests from your address; try again in 1 s", "1"},
		{"seat", Limits{Seat: 0.5}, 5,
			func(t *table) reply { return t.say("1:7a@2") },
			func(t *table) reply { return t.say("2:hints") },
			"429 too many acts from your seat; try again in 2 s", "2"},
		{"seat of another table", Limits{Seat: 0.5}, 5,
			func(t *table) reply { return t.say("1:7a@2") },
			func(t *table) reply { return t.open(`{"rules":"dilemma"}`).say("1:7a") },
			"429 too many acts from your seat; try again in 2 s", "2"},
		{"tables", Limits{Tables: 0.1}, 0, // one was opened
			func(t *table) reply { return t.ask("POST", "/api/tables", "", `{"rules":"dilemma"}`) },
			func(t *table) reply { return t.say("look") },
			"429 too many new tables from your address; try again in 10 s", "10"},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, h *house) {
				table := h.open(`{"rules":"dilemma"}`)
				for i := range test.burst {
					if got := test.ask(table); got.status >= 300 {
						t.Fatalf("request %d: %v", i+1, got)
					}
				}
				got := test.ask(table)
				if got.String() != test.want || got.header.Get("Retry-After") != test.retry {
					t.Errorf("got %v, Retry-After %s, want %s", got, got.header.Get("Retry-After"), test.want)
				}
				if got := test.others(table); got.status >= 300 {
					t.Errorf("others: %v", got)
				}
				wait, _ := time.ParseDuration(test.retry + "s")
				time.Sleep(wait)
				if got := test.ask(table); got.status >= 300 {
					t.Errorf("after %v: %v", wait, got)
				}
				if got := h.metrics.limited.Load(); got != 1 {
					t.Errorf("%d refusals were counted", got)
				}
			}, func(p *plan) { p.Limits, p.TrustProxy = test.limits, true })
		})
	}
}

// TestLimitsEverywhere holds that an address that asks too often is refused whatever it asks for, but can be watched over.
func TestLimitsEverywhere(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		for range 10 {
			h.ask("GET", "/api/stats", "", "")
		}
		for _, request := range requests {
			id := match.NewID(time.Now())
			fill := strings.NewReplacer("{id}", id, "{1}", h.Keys.Token(id, match.One))
			method, path, _ := strings.Cut(fill.Replace(request.request), " ")
			want := "429 too many requests from your address; try again in 1 s"
			if isUpkeep(path) { // these have a limit of their own
				want = "200"
			}
			if got := h.ask(method, path, fill.Replace(request.token), request.body); !strings.HasPrefix(got.String(), want) {
				t.Errorf("%s: got %v, want %s", request.request, got, want)
			}
		}
		for _, path := range []string{"/healthz", "/readyz", "/metrics"} {
			for i := 0; h.ask("GET", path, "", "").status == http.StatusOK; i++ {
				if i > 10 {
					t.Fatalf("%s has no limit", path)
				}
			}
		}
	}, func(p *plan) { p.Limits.Address = 1 })
}

// TestSweep holds that buckets are forgotten when they are full again, and not before.
func TestSweep(t *testing.T) {
	g := gate{limits: Limits{Address: 1}}
	now := time.Unix(1_000_000_000, 0)
	for i := range 1000 {
		g.admit(fmt.Sprint("address ", i), now)
	}
	for range 10 {
		g.admit("busy", now.Add(59*time.Second))
	}
	if n := len(g.buckets); n != 1001 {
		t.Errorf("there are %d buckets", n)
	}
	g.admit("another", now.Add(61*time.Second))
	if n := len(g.buckets); n != 2 {
		t.Errorf("after a minute there are %d buckets", n)
	}
	if _, ok := g.admit("busy", now.Add(61*time.Second)); !ok {
		t.Error("what has come together since is not there")
	}
	for range 8 {
		g.admit("busy", now.Add(61*time.Second))
	}
	if wait, ok := g.admit("busy", now.Add(61*time.Second)); ok || wait != time.Second {
		t.Errorf("a bucket that was swept over is %t, %v", ok, wait)
	}
}
