package web

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"digitduel/ui/gate"
)

var (
	metricName   = `[a-zA-Z_:][a-zA-Z0-9_:]*`
	metricHelp   = regexp.MustCompile(`^# HELP (` + metricName + `) (.+)$`)
	metricType   = regexp.MustCompile(`^# TYPE (` + metricName + `) (counter|gauge|histogram)$`)
	metricSample = regexp.MustCompile(`^(` + metricName +
		`)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (\S+)$`)
)

// parseMetrics parses the text format of Prometheus and returns the samples by name and labels. A
// metric must have help and a type before its samples, samples must be unique, and histograms must
// add up.
func parseMetrics(text string) (map[string]float64, error) {
	samples, kinds, helps := map[string]float64{}, map[string]string{}, map[string]bool{}
	if !strings.HasSuffix(text, "\n") {
		return nil, errors.New("the last line does not end with a newline")
	}
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		line := lines.Text()
		if m := metricHelp.FindStringSubmatch(line); m != nil {
			helps[m[1]] = true
			continue
		}
		if m := metricType.FindStringSubmatch(line); m != nil {
			if kinds[m[1]] != "" {
				return nil, fmt.Errorf("%s has two types", m[1])
			}
			kinds[m[1]] = m[2]
			continue
		}
		m := metricSample.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("invalid line: %s", line)
		}
		value, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			return nil, err
		}
		family := m[1]
		for _, end := range []string{"_bucket", "_sum", "_count"} {
			if base := strings.TrimSuffix(m[1], end); kinds[base] == "histogram" {
				family = base
			}
		}
		key := m[1] + "{" + m[2] + "}"
		if _, twice := samples[key]; twice || kinds[family] == "" || !helps[family] {
			return nil, fmt.Errorf("%s: duplicate, or without help or type", key)
		}
		if kinds[family] == "counter" && (value < 0 || !strings.HasSuffix(family, "_total")) {
			return nil, fmt.Errorf("%s %v is not a valid counter", key, value)
		}
		samples[key] = value
	}
	return samples, checkHistograms(samples)
}

var metricBucket = regexp.MustCompile(`^(.*)_bucket\{(.*),le="([^"]*)"\}$`)

// checkHistograms checks that buckets grow with their bounds and that the last one counts all.
func checkHistograms(samples map[string]float64) error {
	type bucket struct{ bound, n float64 }
	histograms := map[string][]bucket{} // by the keys of their counts
	for key, n := range samples {
		m := metricBucket.FindStringSubmatch(key)
		if m == nil {
			continue
		}
		bound, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			return err
		}
		count := m[1] + "_count{" + m[2] + "}"
		histograms[count] = append(histograms[count], bucket{bound, n})
	}
	for count, buckets := range histograms {
		byBound := func(a, b bucket) int { return cmp.Compare(a.bound, b.bound) }
		byCount := func(a, b bucket) int { return cmp.Compare(a.n, b.n) }
		slices.SortFunc(buckets, byBound)
		grows := slices.IsSortedFunc(buckets, byCount)
		all, counted := samples[count]
		_, summed := samples[strings.Replace(count, "_count{", "_sum{", 1)]
		last := buckets[len(buckets)-1]
		if !grows || !counted || !summed || !math.IsInf(last.bound, 1) || last.n != all {
			return fmt.Errorf("%s is %v, and its buckets are %v", count, all, buckets)
		}
	}
	return nil
}

func TestParseMetrics(t *testing.T) {
	const head = "# HELP a_total b\n# TYPE a_total counter\n# HELP h d\n# TYPE h histogram\n"
	for _, test := range []struct {
		text string
		ok   bool
	}{
		{head + "a_total 1\n", true},
		{head + `a_total{x="y",z="\"\\\n"} 1` + "\n", true},
		{head + "a_total 1", false},
		{head + "a_total 1\na_total 2\n", false},
		{head + "a_total -1\n", false},
		{head + "a_total one\n", false},
		{head + "b 1\n", false},
		{head + "a_total{x=y} 1\n", false},
		{head + `a_total{x="\y"} 1` + "\n", false},
		{head + `h_bucket{r="",le="1"} 1` + "\n" + `h_bucket{r="",le="+Inf"} 2` + "\n" + `h_sum{r=""} 3` + "\n" + `h_count{r=""} 2` + "\n", true},
		{head + `h_bucket{r="",le="1"} 3` + "\n" + `h_bucket{r="",le="+Inf"} 2` + "\n" + `h_sum{r=""} 3` + "\n" + `h_count{r=""} 2` + "\n", false},
		{head + `h_bucket{r="",le="1"} 1` + "\n" + `h_bucket{r="",le="+Inf"} 1` + "\n" + `h_sum{r=""} 3` + "\n" + `h_count{r=""} 2` + "\n", false},
		{head + `h_bucket{r="",le="2"} 1` + "\n" + `h_bucket{r="",le="1"} 2` + "\n" + `h_sum{r=""} 3` + "\n" + `h_count{r=""} 2` + "\n", false},
	} {
		if _, err := parseMetrics(test.text); (err == nil) != test.ok {
			t.Errorf("%q: %v", test.text, err)
		}
	}
}

// TestMetrics checks that requests, streams and tables are counted.
func TestMetrics(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		table := h.open(`{"rules":"dilemma"}`)
		h.open(`{"rules":"dilemma"}`)
		h.ask("POST", "/api/tables", "", `{"rules":"chess"}`)
		table.play("1:7a 2:3b 1:1c 2:1c")
		table.say("look")
		stream := table.listen(t.Context(), "", "")
		h.ask("GET", table.path+"/events", "", "") // the limit is one stream
		h.ask("GET", "/api/nothing", "", "")
		h.ask("GET", "/healthz", "", "")
		got := h.ask("GET", "/metrics", "", "")
		stream.body.Close()
		samples, err := parseMetrics(got.text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, got.text)
		}
		const served = "duel_http_request_duration_seconds_count"
		for key, want := range map[string]float64{
			"duel_limited_total{}": 1,
			"duel_tables_live{}":   2,
			"duel_streams{}":       1,
			"extra_total{}":        1.5,
			served + `{route="POST /api/tables",status="201"}`:            2,
			served + `{route="POST /api/tables",status="422"}`:            1,
			served + `{route="POST /api/tables/{id}/moves",status="200"}`: 3,
			served + `{route="POST /api/tables/{id}/moves",status="422"}`: 1,
			served + `{route="GET /api/tables/{id}",status="200"}`:        1,
			served + `{route="GET /api/tables/{id}/events",status="429"}`: 1,
			served + `{route="/api/",status="404"}`:                       1,
			served + `{route="GET /healthz",status="200"}`:                1,
		} {
			if have, there := samples[key]; !there || have != want {
				t.Errorf("%s is %v, want %v", key, have, want)
			}
		}
		for _, key := range []string{
			"process_resident_memory_bytes{}", "process_cpu_seconds_total{}",
		} {
			if samples[key] <= 0 {
				t.Errorf("%s is %v", key, samples[key])
			}
		}
	}, func(p *testConfig) {
		p.Limits.StreamsOfTable = 1
		value := func() float64 { return 1.5 }
		p.Figures = []Figure{{Name: "extra_total", Help: "More.", Counter: true, Value: value}}
	})
}

// TestMetricsOfQuietHandler checks that a handler that writes nothing is counted with status 200.
func TestMetricsOfQuietHandler(t *testing.T) {
	h := newTestServer(t)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /quiet", func(http.ResponseWriter, *http.Request) {})
	h.handler = h.guard(mux)
	mux.HandleFunc("GET /metrics", h.Metrics)
	if got := h.ask("GET", "/quiet", "", ""); got.status != http.StatusOK {
		t.Error(got)
	}
	const want = `{route="GET /quiet",status="200"} 1`
	if got := h.ask("GET", "/metrics", "", "").text; !strings.Contains(got, want) {
		t.Errorf("%s is not in\n%s", want, got)
	}
}

// TestReady checks that readiness is checked at most once a second, however many clients ask.
func TestReady(t *testing.T) {
	start, checks, now := time.Now(), 0, new(atomic.Int64)
	h := newTestServer(t, func(p *testConfig) {
		p.Now = func() time.Time { return start.Add(time.Duration(now.Load())) }
		// Ready is never called concurrently, or the race detector fails.
		p.Ready = func(context.Context) error {
			if checks++; checks == 2 {
				return errors.New("the disk is full: no room")
			}
			return nil
		}
	})
	for _, test := range []struct {
		after  time.Duration
		want   string
		checks int
	}{
		{0, "200 ready", 1},
		{999 * time.Millisecond, "200 ready", 1},
		{time.Second, "503 not ready: the disk is full", 2},
		{1999 * time.Millisecond, "503 not ready: the disk is full", 2},
		{2 * time.Second, "200 ready", 3},
	} {
		now.Store(int64(test.after))
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if got := h.ask("GET", "/readyz", "", "").String(); got != test.want {
					t.Errorf("after %v: got %s, want %s", test.after, got, test.want)
				}
			})
		}
		if all.Wait(); checks != test.checks {
			t.Errorf("after %v: %d checks, want %d", test.after, checks, test.checks)
		}
	}
	if n := strings.Count(h.log.String(), `msg="not ready"`); n != 1 {
		t.Errorf("the failure is logged %d times, want once:\n%s", n, h.log)
	}
}

// TestReadyGivenUp checks that a canceled request does not make the server seem unready to others.
func TestReadyGivenUp(t *testing.T) {
	s := &Server{Config: Config{
		Gate:  gate.New(gate.Config{Now: time.Now, Log: slog.New(slog.DiscardHandler)}),
		Ready: func(ctx context.Context) error { return ctx.Err() },
	}}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.isReady(canceled); err != nil {
		t.Error(err)
	}
}
