package load

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"digitduel/digit"
)

// TestLatency checks the quantiles of 1 to n milliseconds, in random order.
func TestLatency(t *testing.T) {
	for n, want := range map[int]Latency{
		0: {}, 1: {1, 1, 1, 1}, 2: {1, 2, 2, 2}, 10: {5, 9, 10, 10}, 1000: {500, 900, 990, 1000},
	} {
		var all []time.Duration
		for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
			all = append(all, time.Duration(i+1)*time.Millisecond)
		}
		if got := latency(all); got != want {
			t.Errorf("%d durations: %+v, want %+v", n, got, want)
		}
	}
}

func TestReport(t *testing.T) {
	r := &run{
		Config: Config{
			URLs: []string{"a", "b"}, Rules: digit.Dilemma, Games: 1000, Watchers: 2,
			Think: 2 * time.Second,
		},
		moves: 15000, games: 2500, tables: 1100,
	}
	for i := range 100 {
		r.seen = append(r.seen, time.Duration(i+1)*time.Millisecond)
		r.answered = append(r.answered, time.Duration(i+1)*10*time.Microsecond)
	}
	const memory, cpu = "process_resident_memory_bytes", "process_cpu_seconds_total"
	const commits, events = "duel_store_commits_total", "duel_store_events_total"
	report := r.report(30*time.Second,
		map[string]float64{memory: 21e6},
		map[string]float64{memory: 55e6, cpu: 1, commits: 10, events: 20},
		map[string]float64{memory: 63e6, cpu: 8.1, commits: 8010, events: 20020})
	if err := report.Err(); err != nil {
		t.Error(err)
	}
	var out strings.Builder
	report.Print(&out, "SQLite")
	r.failures = map[string]Error{
		"status 500": {"status 500", 1, "broken"}, Gap: {Gap, 3, "the next event is 5"},
	}
	report = r.report(30*time.Second, nil, nil, nil)
	report.Print(&out, "PostgreSQL")
	want := `1000 games of dilemma, 2s thought, 30s, watchers: 2, servers: 2, SQLite
moves     15000, 500/s; 2500 games ended, 1100 tables
seen      p50 50.00 ms  p90 90.00 ms  p99 99.00 ms  max 100.00 ms
answered  p50 0.50 ms  p90 0.90 ms  p99 0.99 ms  max 1.00 ms
server    42 KB a live table, 473 µs of processor time a move, 2.5 events a commit
errors    none
1000 games of dilemma, 2s thought, 30s, watchers: 2, servers: 2, PostgreSQL
moves     15000, 500/s; 2500 games ended, 1100 tables
seen      p50 50.00 ms  p90 90.00 ms  p99 99.00 ms  max 100.00 ms
answered  p50 0.50 ms  p90 0.90 ms  p99 0.99 ms  max 1.00 ms
errors    3 × gap; first: the next event is 5
errors    1 × status 500; first: broken
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	const failed = "the server failed: 3 × gap, 1 × status 500; first: the next event is 5"
	if err := report.Err(); err == nil || err.Error() != failed {
		t.Errorf("error %v, want %s", err, failed)
	}
	if err := (Figures{Time: 2}).Err(); err == nil || err.Error() != "no move was played in 2.0 s" {
		t.Error(err)
	}
	text, err := json.Marshal(report)
	if err != nil || !strings.Contains(string(text), `"seen":{"p50_ms":50`) ||
		!strings.Contains(string(text), `"kind":"gap","count":3`) {
		t.Errorf("%s: %v", text, err)
	}
}

// TestSilentServer reads the metrics of two servers, of which the first has none.
func TestSilentServer(t *testing.T) {
	silent := httptest.NewServer(http.NotFoundHandler())
	defer silent.Close()
	r := &run{
		Config: Config{URLs: []string{silent.URL, serve(t, flaws{})}, Patience: time.Minute},
		client: http.DefaultClient,
	}
	if m := r.metrics(t.Context()); m["process_resident_memory_bytes"] != 3e7 {
		t.Errorf("metrics %v, want those of the second server", m)
	}
}
