package web

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"digitduel/match"
	"digitduel/ui/gate"
)

// TestLimits checks each limit of requests: the requests of ten seconds may come at once, further
// ones at the given rate.
func TestLimits(t *testing.T) {
	for _, test := range []struct {
		name   string
		limits gate.Limits
		burst  int
		ask    func(t *table) reply
		others func(t *table) reply // a request that is not limited
		want   string
		retry  string
	}{
		{"address", gate.Limits{Address: 2}, 19, // one request opened the table
			func(t *table) reply { return t.say("look") },
			func(t *table) reply {
				return t.ask("GET", t.path, "", "", "X-Forwarded-For: 203.0.113.1")
			},
			"429 too many requests from your address; try again in 1 s", "1"},
		{"address and metrics", gate.Limits{Address: 2}, 19,
			func(t *table) reply { return t.say("look") },
			func(t *table) reply { return t.ask("GET", "/metrics", "", "") },
			"429 too many requests from your address; try again in 1 s", "1"},
		{"seat", gate.Limits{Seat: 0.5}, 5,
			func(t *table) reply { return t.say("1:7a@2") },
			func(t *table) reply { return t.say("2:hints") },
			"429 too many acts from your seat; try again in 2 s", "2"},
		{"seat of another table", gate.Limits{Seat: 0.5}, 5,
			func(t *table) reply { return t.say("1:7a@2") },
			func(t *table) reply { return t.open(`{"rules":"dilemma"}`).say("1:7a") },
			"429 too many acts from your seat; try again in 2 s", "2"},
		{"tables", gate.Limits{Tables: 0.1}, 0, // the test has opened one
			func(t *table) reply { return t.ask("POST", "/api/tables", "", `{"rules":"dilemma"}`) },
			func(t *table) reply { return t.say("look") },
			"429 too many new tables from your address; try again in 10 s", "10"},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, h *testServer) {
				table := h.open(`{"rules":"dilemma"}`)
				for i := range test.burst {
					if got := test.ask(table); got.status >= 300 {
						t.Fatalf("request %d: %v", i+1, got)
					}
				}
				got := test.ask(table)
				if got.String() != test.want || got.header.Get("Retry-After") != test.retry {
					t.Errorf("got %v, Retry-After %s, want %s", got, got.header.Get("Retry-After"),
						test.want)
				}
				if got := test.others(table); got.status >= 300 {
					t.Errorf("a request that is not limited: %v", got)
				}
				wait, _ := time.ParseDuration(test.retry + "s")
				time.Sleep(wait)
				if got := test.ask(table); got.status >= 300 {
					t.Errorf("after %v: %v", wait, got)
				}
				if got := h.Limited.Load(); got != 1 {
					t.Errorf("%d refusals were counted, want 1", got)
				}
			}, func(p *testConfig) { p.Limits, p.TrustProxy = test.limits, true })
		})
	}
}

// TestLimitsEverywhere checks that the limit of an address applies to every request, except that
// health checks and metrics have limits of their own.
func TestLimitsEverywhere(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
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
			if got := h.ask(method, path, fill.Replace(request.token),
				request.body); !strings.HasPrefix(got.String(), want) {
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
	}, func(p *testConfig) { p.Limits.Address = 1 })
}
