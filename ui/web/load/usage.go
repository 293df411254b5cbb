package load

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// A Usage is the resources that a process uses. An unknown value is zero.
type Usage struct {
	Memory int64 // resident, in bytes
	CPU    time.Duration
}

// ProcessUsage returns the resources that a process uses, from the system.
func ProcessUsage(pid int) Usage {
	var u Usage
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(status)) {
		if words := strings.Fields(line); len(words) == 3 && words[0] == "VmRSS:" {
			kib, _ := strconv.ParseInt(words[1], 10, 64)
			u.Memory = kib << 10
		}
	}
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(stat), ") ") // the name before it may have spaces
	if words := strings.Fields(rest); len(words) > 12 {
		for _, word := range words[11:13] { // user and system time, in hundredths of a second
			ticks, _ := strconv.ParseInt(word, 10, 64)
			u.CPU += time.Duration(ticks) * 10 * time.Millisecond
		}
	}
	return u
}

// machineTime returns the processor time used on this machine by all processes; 0: unknown.
func machineTime() time.Duration {
	stat, _ := os.ReadFile("/proc/stat")
	line, _, _ := strings.Cut(string(stat), "\n")
	words := strings.Fields(line) // cpu, user, nice, system, idle, iowait, …, in 10 ms
	if len(words) < 9 || words[0] != "cpu" {
		return 0
	}
	total := time.Duration(0)
	for _, i := range []int{1, 2, 3, 6, 7, 8} {
		ticks, _ := strconv.ParseInt(words[i], 10, 64)
		total += time.Duration(ticks) * 10 * time.Millisecond
	}
	return total
}

// get makes a request that is not part of the measurement, and may take up to ten seconds longer
// than length.
func get(ctx context.Context, url, path string, length time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, length+10*time.Second)
	defer cancel()
	url = strings.TrimSuffix(url, "/") + path
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("the server answers %s: %.200q", resp.Status, text)
	}
	return text, err
}

// metrics returns the metrics of a server by name, each the sum over all labels. It is empty
// without metrics.
func metrics(ctx context.Context, url string) map[string]float64 {
	values := map[string]float64{}
	text, err := get(ctx, url, "/metrics", 0)
	if err != nil {
		return values
	}
	for line := range strings.Lines(string(text)) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if at := strings.LastIndex(rest, " "); at >= 0 { // a space in a label
			rest = rest[at+1:]
		}
		name, _, _ = strings.Cut(name, "{")
		value, err := strconv.ParseFloat(rest, 64)
		if err == nil && !strings.HasPrefix(name, "#") {
			values[name] += value
		}
	}
	return values
}

// usage returns the resources that a server uses: those known to the caller, or those in its
// metrics.
func usage(known func() Usage, metrics map[string]float64) Usage {
	if known != nil {
		return known()
	}
	cpu := metrics["process_cpu_seconds_total"] * float64(time.Second)
	return Usage{int64(metrics["process_resident_memory_bytes"]), time.Duration(cpu)}
}

// A sample is the progress of a run at one time.
type sample struct {
	at              time.Time
	moves           int64
	games, tables   int64
	server, own     Usage
	machine         time.Duration
	commits, events float64
}

func (r *run) sample(ctx context.Context) sample {
	s := sample{
		at: time.Now(), moves: r.moves.Load(), games: r.games.Load(), tables: r.tables.Load(),
	}
	s.own, s.machine = ProcessUsage(os.Getpid()), machineTime()
	m := metrics(ctx, r.URL)
	for _, other := range r.Others {
		for name, value := range metrics(ctx, other) {
			m[name] += value
		}
	}
	s.server = usage(r.Usage, m)
	s.commits, s.events = m["duel_store_commits_total"], m["duel_store_events_total"]
	return s
}
