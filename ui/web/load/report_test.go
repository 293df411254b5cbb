package load

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"digitduel/digit"
)

func TestReport(t *testing.T) {
	r := &run{Config: Config{Rules: digit.Dilemma, Games: 1000, Think: 2 * time.Second, Usage: func() Usage { return Usage{} }}}
	for i := range 100 {
		r.seen.add(time.Duration(i+1) * time.Millisecond)
		r.answered.add(time.Duration(i+1) * 10 * time.Microsecond)
	}
	start := time.Now()
	before := sample{server: Usage{Memory: 21e6}}
	seated := sample{at: start, moves: 0, server: Usage{Memory: 55e6, CPU: time.Second}, own: Usage{CPU: time.Second}, commits: 10, events: 20}
	after := sample{at: start.Add(30 * time.Second), moves: 15000, games: 2500, tables: 1100, server: Usage{63e6, 8100 * time.Millisecond}, own: Usage{CPU: 6 * time.Second}, machine: 14 * time.Second, commits: 8010, events: 20020}
	report := r.report(before, seated, after)
	if err := report.Err(); err != nil {
		t.Error(err)
	}
	var out strings.Builder
	report.Print(&out, "SQLite")
	report.Think, report.Watchers, report.Servers = 0, 2, 2
	report.Errors = []Error{{Gap, 3, "event 5: the last one was 3"}, {"status 500", 1, "broken"}}
	report.Memory, report.CPU, report.Commits = Memory{}, CPU{}, 0
	report.Print(&out, "PostgreSQL")
	want := `1000 games of dilemma, 2s thought, 30s, SQLite
moves     15000, 500/s; 2500 games ended, 1100 tables
seen      p50 50 ms  p90 90 ms  p99 99 ms  max 100 ms (by the opponent)
answered  p50 0.50 ms  p90 0.90 ms  p99 0.99 ms  max 1.00 ms
memory    start 21 MB, 1000 tables 55 MB, after play 63 MB: 42 KB a live table
cpu       server 7.1 s (473 µs a move), players 5.0 s (333 µs a move), others 1.9 s
kept      20000 events in 8000 commits, 2.5 each
errors    none
1000 games of dilemma, flat out, 30s, 2 watch each, 2 servers, PostgreSQL
moves     15000, 500/s; 2500 games ended, 1100 tables
seen      p50 50 ms  p90 90 ms  p99 99 ms  max 100 ms (by the opponent)
answered  p50 0.50 ms  p90 0.90 ms  p99 0.99 ms  max 1.00 ms
errors    3 × gap; first: event 5: the last one was 3
errors    1 × status 500; first: broken
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	if err := report.Err(); err == nil || err.Error() != "the server failed: 3 × gap, 1 × status 500; first: event 5: the last one was 3" {
		t.Error(err)
	}
	if err := (Figures{Time: 2}).Err(); err == nil || err.Error() != "no move was played in 2.0 s" {
		t.Error(err)
	}
	text, err := json.Marshal(report)
	if err != nil || !strings.Contains(string(text), `"seen":{"p50_ms":50`) || !strings.Contains(string(text), `"kind":"gap","count":3`) {
		t.Errorf("%s: %v", text, err)
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 999: "999 bytes", 1234: "1.2 KB", 12345: "12 KB", 1234567: "1.2 MB", 123456789: "123 MB", -4096: "-4.1 KB"} {
		if got := size(n); got != want {
			t.Errorf("%d bytes are %s, want %s", n, got, want)
		}
	}
}

// TestProcessUsage looks at this very process, which has worked for some time.
func TestProcessUsage(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("there is no /proc here: ", err)
	}
	before, machine := ProcessUsage(os.Getpid()), machineTime()
	after := before
	for began := time.Now(); after.CPU < before.CPU+50*time.Millisecond && time.Since(began) < time.Minute; {
		after = ProcessUsage(os.Getpid()) // which is work too
	}
	if worked := machineTime() - machine; worked < after.CPU-before.CPU-20*time.Millisecond || worked > time.Hour {
		t.Errorf("the machine worked for %v and this process for %v", worked, after.CPU-before.CPU)
	}
	if before.Memory < 1e6 || after.CPU <= before.CPU || after.CPU > time.Hour {
		t.Errorf("before %+v, after %+v", before, after)
	}
	if got := ProcessUsage(1 << 30); got != (Usage{}) {
		t.Errorf("a process that is not there takes %+v", got)
	}
}

// TestSilentServer measures two servers of which the first does not report anything.
func TestSilentServer(t *testing.T) {
	silent := httptest.NewServer(http.NotFoundHandler())
	defer silent.Close()
	r := &run{Config: Config{URL: silent.URL, Others: []string{serve(t, flaws{})}}}
	if s := r.sample(t.Context()); s.server.Memory != 3e7 {
		t.Errorf("the servers take %d bytes, want those of the second", s.server.Memory)
	}
}
