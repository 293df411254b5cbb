package load

import (
	"encoding/json"
	"errors"
	"fmt"
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

func TestIdle(t *testing.T) {
	c := Bench{
		Config: Config{URL: serve(t, flaws{}), Rules: digit.Sevens, Patience: time.Minute}, Idle: 100,
		drop: time.Minute, disk: func() (int64, error) { return 5000, nil },
	}
	r, err := c.idle(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r.Tables != 100 || r.Setup <= 0 || r.Memory != (IdleAmounts{3e7, 3e7, 3e7}) || r.Disk != (IdleAmounts{5000, 5000, 5000}) {
		t.Errorf("report %+v", r)
	}
	if told := metrics(t.Context(), c.URL)["duel_store_events_total"]; told != 200 {
		t.Errorf("%v events were kept, want 200", told)
	}
	var out strings.Builder
	IdleFigures{Tables: 1000, Setup: 2, Dropped: 1.5, Memory: IdleAmounts{20e6, 30e6, 22e6}, Disk: IdleAmounts{50e3, 4e5, 550e3}}.Print(&out, "SQLite")
	want := `1000 idle tables, SQLite
set up    in 2.0 s, 500/s; out of memory 1.5 s later
memory    before 20 MB, set up 30 MB, idle 22 MB: 2.0 KB a table
disk      before 50 KB, set up 400 KB, idle 550 KB: 500 bytes a table
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestIdleFails(t *testing.T) {
	full := errors.New("the disk is gone")
	tests := []struct {
		name   string
		flaws  flaws
		change func(*Bench)
		want   string
	}{
		{"no metrics", flaws{door: at("/metrics", status(404))}, nil, "no duel_tables_live in /metrics"},
		{"no room", flaws{door: at("/api/tables", status(503))}, nil, "a new table: no more chairs"},
		{"kept in memory", flaws{door: countless()}, func(c *Bench) { c.drop = time.Nanosecond }, "the server still has 2 tables in memory, and had 1 before"},
		{"no disk", flaws{}, func(c *Bench) { c.disk = func() (int64, error) { return 0, full } }, full.Error()},
		{"no such server", flaws{}, func(c *Bench) { c.URL = "http://127.0.0.1:1" }, "no duel_tables_live"},
	}
	for _, tt := range tests {
		c := Bench{
			Config: Config{URL: serve(t, tt.flaws), Rules: digit.Dilemma, Patience: time.Minute}, Idle: 3, drop: time.Minute,
		}
		if tt.change != nil {
			tt.change(&c)
		}
		if _, err := c.idle(t.Context()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// countless says that there is a live table, and ever after two.
func countless() func(http.ResponseWriter, *http.Request) bool {
	live := 1
	return at("/metrics", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "duel_tables_live %d\n", live)
		live = 2
	})
}
