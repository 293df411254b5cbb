package web

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"digitduel/ui/gate"
)

// A Figure is a metric at /metrics.
type Figure struct {
	Name, Help string
	Counter    bool // it only rises
	Value      func() float64
}

// metrics counts the requests of the server. They are written in the text format of Prometheus.
type metrics struct {
	mu     sync.Mutex
	routes map[string]*took // by the labels of the route and the status
}

// A took holds the time that answers of one kind took.
type took struct {
	buckets [len(bounds) + 1]int64
	sum     float64
}

// bounds holds the upper bounds of the histogram's buckets in seconds.
var bounds = [...]float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5}

func (m *metrics) served(route string, status int, d time.Duration) {
	seconds := d.Seconds()
	bucket, _ := slices.BinarySearch(bounds[:], seconds)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.routes == nil {
		m.routes = map[string]*took{}
	}
	key := fmt.Sprintf("route=%q,status=\"%d\"", route, status)
	t := m.routes[key]
	if t == nil {
		t = new(took)
		m.routes[key] = t
	}
	t.buckets[bucket]++
	t.sum += seconds
}

// Metrics serves /metrics.
func (s *Server) Metrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	figures := append([]Figure{
		{"duel_limited_total", "Requests that were refused because there were too many.", true,
			func() float64 { return float64(s.Limited.Load()) }},
		{"duel_tables_live", "Tables in memory.", false,
			func() float64 { return float64(s.Hall.Len()) }},
		{"duel_streams", "Streams that are open.", false,
			func() float64 { return float64(s.Streaming()) }},
		{"process_resident_memory_bytes", "Memory of the process.", false, residentMemory},
		{"process_cpu_seconds_total", "Processor time of the process.", true, processorTime},
	}, s.Figures...)
	for _, f := range figures {
		kind := "gauge"
		if f.Counter {
			kind = "counter"
		}
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n%s %s\n", f.Name, f.Help, f.Name, kind, f.Name,
			strconv.FormatFloat(f.Value(), 'g', -1, 64))
	}
	s.metrics.write(w)
	if s.Agents != nil {
		writeCalls(w, s.Calls())
	}
}

// writeCalls writes the number of calls by agents.
func writeCalls(w io.Writer, calls map[gate.Call]int64) {
	const name = "duel_mcp_calls_total"
	fmt.Fprintf(w, "# HELP %s Calls by agents, by outcome.\n# TYPE %s counter\n",
		name, name)
	var lines []string
	for call, n := range calls {
		lines = append(lines,
			fmt.Sprintf("%s{tool=%q,outcome=%q} %d\n", name, call.Tool, call.Outcome, n))
	}
	slices.Sort(lines)
	io.WriteString(w, strings.Join(lines, ""))
}

// write writes the histogram of answers.
func (m *metrics) write(w io.Writer) {
	const name = "duel_http_request_duration_seconds"
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintf(w, "# HELP %s Seconds until answers ended; a stream counts until it is closed.\n"+
		"# TYPE %s histogram\n", name, name)
	for _, labels := range slices.Sorted(maps.Keys(m.routes)) {
		t, total := m.routes[labels], int64(0)
		for i, n := range t.buckets {
			total += n
			bound := "+Inf"
			if i < len(bounds) {
				bound = strconv.FormatFloat(bounds[i], 'g', -1, 64)
			}
			fmt.Fprintf(w, "%s_bucket{%s,le=\"%s\"} %d\n", name, labels, bound, total)
		}
		fmt.Fprintf(w, "%s_sum{%s} %g\n%s_count{%s} %d\n", name, labels, t.sum, name, labels, total)
	}
}

// residentMemory returns the bytes that the process holds, or those that the Go runtime obtained
// from the system where there is no /proc.
func residentMemory() float64 {
	text, err := os.ReadFile("/proc/self/statm")
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 1 {
		if pages, err := strconv.Atoi(fields[1]); err == nil {
			return float64(pages * os.Getpagesize())
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.Sys)
}
