package load

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// Figures are the result of a run. What the servers do not report is zero.
type Figures struct {
	Live     int     `json:"live_games"` // at once
	Servers  int     `json:"servers"`
	Watchers int     `json:"watchers,omitempty"`
	Rules    string  `json:"rules"`
	Think    float64 `json:"think_s"`
	Time     float64 `json:"time_s"`
	Moves    int     `json:"moves"`
	Rate     float64 `json:"moves_per_s"`
	Games    int     `json:"games"` // finished
	Tables   int     `json:"tables"`
	Seen     Latency `json:"seen"`     // from sending a move until the opponent's stream has it
	Answered Latency `json:"answered"` // from sending a move until it is answered
	Memory   Memory  `json:"memory"`
	CPU      CPU     `json:"cpu"`
	Commits  float64 `json:"commits,omitempty"` // of the store
	Events   float64 `json:"events,omitempty"`
	Errors   []Error `json:"errors"`
}

// A Latency has quantiles in milliseconds.
type Latency struct {
	P50 float64 `json:"p50_ms"`
	P90 float64 `json:"p90_ms"`
	P99 float64 `json:"p99_ms"`
	Max float64 `json:"max_ms"`
}

// Memory is the resident memory of the servers in bytes.
type Memory struct {
	Start float64 `json:"start"`
	End   float64 `json:"end"`   // at the end of the time to play, with all tables live
	Table float64 `json:"table"` // added by each live table
}

// CPU is the processor time of the servers during play in seconds.
type CPU struct {
	Server float64 `json:"server_s"`
}

// An Error is a kind of failure, with its count and the first occurrence.
type Error struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
	First string `json:"first"`
}

// report returns the figures of a run that took some time, with the metrics of the servers at the
// start, when all were seated, and at the end.
func (r *run) report(took time.Duration, before, seated, after map[string]float64) Figures {
	added := func(name string) float64 { return after[name] - seated[name] }
	const memory = "process_resident_memory_bytes"
	return Figures{
		Live: r.Config.Games, Servers: len(r.URLs), Watchers: r.Watchers, Rules: r.Rules.String(),
		Think: r.Think.Seconds(), Time: took.Seconds(),
		Moves: r.moves, Rate: float64(r.moves) / took.Seconds(), Games: r.games, Tables: r.tables,
		Seen: latency(r.seen), Answered: latency(r.answered),
		Memory: Memory{
			before[memory], after[memory],
			(after[memory] - before[memory]) / float64(r.Config.Games),
		},
		CPU:     CPU{added("process_cpu_seconds_total")},
		Commits: added("duel_store_commits_total"), Events: added("duel_store_events_total"),
		Errors: slices.SortedFunc(maps.Values(r.failures), func(x, y Error) int {
			return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Kind, y.Kind))
		}),
	}
}

// latency returns the quantiles for a report: the smallest durations that at least a half, nine
// tenths and so on do not exceed.
func latency(all []time.Duration) Latency {
	if len(all) == 0 {
		return Latency{}
	}
	slices.Sort(all)
	ms := func(part float64) float64 {
		at := int(math.Ceil(part*float64(len(all)))) - 1
		return float64(all[at].Microseconds()) / 1000
	}
	return Latency{ms(0.5), ms(0.9), ms(0.99), ms(1)}
}

// Err returns an error if the server made errors or no move was played.
func (f Figures) Err() error {
	if len(f.Errors) > 0 {
		kinds := make([]string, len(f.Errors))
		for i, e := range f.Errors {
			kinds[i] = fmt.Sprintf("%d × %s", e.Count, e.Kind)
		}
		return fmt.Errorf("the server failed: %s; first: %s",
			strings.Join(kinds, ", "), f.Errors[0].First)
	}
	if f.Moves == 0 {
		return fmt.Errorf("no move was played in %.1f s", f.Time)
	}
	return nil
}

// Print writes the report in short lines. Store names the server's database.
func (f Figures) Print(w io.Writer, store string) {
	fmt.Fprintf(w, "%d games of %s, %gs thought, %.0fs, watchers: %d, servers: %d, %s\n",
		f.Live, f.Rules, f.Think, f.Time, f.Watchers, f.Servers, store)
	fmt.Fprintf(w, "moves     %d, %.0f/s; %d games ended, %d tables\n",
		f.Moves, f.Rate, f.Games, f.Tables)
	for _, l := range []struct {
		name string
		Latency
	}{{"seen", f.Seen}, {"answered", f.Answered}} {
		fmt.Fprintf(w, "%-10sp50 %.2f ms  p90 %.2f ms  p99 %.2f ms  max %.2f ms\n",
			l.name, l.P50, l.P90, l.P99, l.Max)
	}
	if f.Commits > 0 && f.Moves > 0 {
		fmt.Fprintf(w, "server    %.0f KB a live table, %.0f µs of processor time a move, "+
			"%.1f events a commit\n",
			f.Memory.Table/1e3, f.CPU.Server*1e6/float64(f.Moves), f.Events/f.Commits)
	}
	if len(f.Errors) == 0 {
		fmt.Fprintln(w, "errors    none")
	}
	for _, e := range f.Errors {
		fmt.Fprintf(w, "errors    %d × %s; first: %s\n", e.Count, e.Kind, e.First)
	}
}
