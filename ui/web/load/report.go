package load

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Figures are the result of a run.
type Figures struct {
	Live     int     `json:"live_games"` // at once
	Servers  int     `json:"servers"`
	Watchers int     `json:"watchers,omitempty"`
	Rules    string  `json:"rules"`
	Think    float64 `json:"think_s"`
	Time     float64 `json:"time_s"`
	Moves    int64   `json:"moves"`
	Rate     float64 `json:"moves_per_s"`
	Games    int64   `json:"games"` // finished
	Tables   int64   `json:"tables"`
	Seen     Latency `json:"seen"`     // from sending a move until the opponent's stream has it
	Answered Latency `json:"answered"` // from sending a move until it is answered
	Memory   Memory  `json:"memory"`
	CPU      CPU     `json:"cpu"`
	Commits  int64   `json:"commits,omitempty"` // of the store; 0: unknown
	Events   int64   `json:"events,omitempty"`
	Errors   []Error `json:"errors"`
}

// A Latency has quantiles in milliseconds.
type Latency struct {
	P50 float64 `json:"p50_ms"`
	P90 float64 `json:"p90_ms"`
	P99 float64 `json:"p99_ms"`
	Max float64 `json:"max_ms"`
}

func (l Latency) String() string {
	return fmt.Sprintf("p50 %s  p90 %s  p99 %s  max %s",
		millis(l.P50), millis(l.P90), millis(l.P99), millis(l.Max))
}

func millis(ms float64) string {
	if ms < 10 {
		return fmt.Sprintf("%.2f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}

// Memory is the resident memory of the server in bytes; 0: unknown.
type Memory struct {
	Start  int64 `json:"start"`
	Seated int64 `json:"seated"` // with all tables and streams open, before the first move
	End    int64 `json:"end"`    // at the end of the time to play, with all tables live
	Table  int64 `json:"table"`  // added by each live table at the end
}

// CPU is the processor time during play in seconds; 0: unknown.
type CPU struct {
	Server  float64 `json:"server_s"`
	Players float64 `json:"players_s"`
	Others  float64 `json:"others_s"` // by other processes, which distort the figures
}

func (r *run) report(before, seated, after sample) Figures {
	took := after.at.Sub(seated.at)
	moves := after.moves - seated.moves
	cpu := CPU{
		Server:  (after.server.CPU - seated.server.CPU).Seconds(),
		Players: (after.own.CPU - seated.own.CPU).Seconds(),
	}
	if r.Usage != nil { // the server is on this machine
		cpu.Others = max(0, (after.machine-seated.machine).Seconds()-cpu.Server-cpu.Players)
	}
	return Figures{
		Live: r.Games, Servers: len(r.addrs), Watchers: r.Watchers, Rules: r.Rules.String(),
		Think: r.Think.Seconds(), Time: took.Seconds(),
		Moves: moves, Rate: float64(moves) / took.Seconds(),
		Games: after.games, Tables: after.tables,
		Seen: r.seen.latency(), Answered: r.answered.latency(),
		Memory: Memory{
			Start: before.server.Memory, Seated: seated.server.Memory, End: after.server.Memory,
			Table: (after.server.Memory - before.server.Memory) / int64(max(1, r.Games)),
		},
		CPU: cpu, Commits: int64(after.commits - seated.commits),
		Events: int64(after.events - seated.events),
	}
}

// Err returns an error if the server made errors or no move was played.
func (r Figures) Err() error {
	if len(r.Errors) > 0 {
		kinds := make([]string, len(r.Errors))
		for i, e := range r.Errors {
			kinds[i] = fmt.Sprintf("%d × %s", e.Count, e.Kind)
		}
		return fmt.Errorf("the server failed: %s; first: %s",
			strings.Join(kinds, ", "), r.Errors[0].First)
	}
	if r.Moves == 0 {
		return fmt.Errorf("no move was played in %.1f s", r.Time)
	}
	return nil
}

// Print writes the report in short lines. Store names the server's database.
func (r Figures) Print(w io.Writer, store string) {
	thought := fmt.Sprintf("%v thought", time.Duration(r.Think*float64(time.Second)))
	if r.Think == 0 {
		thought = "flat out"
	}
	fmt.Fprintf(w, "%d games of %s, %s, %.0fs", r.Live, r.Rules, thought, r.Time)
	if r.Watchers > 0 {
		fmt.Fprintf(w, ", %d watch each", r.Watchers)
	}
	if r.Servers > 1 {
		fmt.Fprintf(w, ", %d servers", r.Servers)
	}
	fmt.Fprintf(w, ", %s\n", store)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-10s"+format+"\n", append([]any{name}, args...)...)
	}
	line("moves", "%d, %.0f/s; %d games ended, %d tables", r.Moves, r.Rate, r.Games, r.Tables)
	line("seen", "%v (by the opponent)", r.Seen)
	line("answered", "%v", r.Answered)
	if m := r.Memory; m.Start > 0 {
		line("memory", "start %s, %d tables %s, after play %s: %s a live table",
			size(m.Start), r.Live, size(m.Seated), size(m.End), size(m.Table))
	}
	if r.CPU.Server > 0 && r.Moves > 0 {
		each := func(s float64) string {
			return fmt.Sprintf("%.1f s (%.0f µs a move)", s, s*1e6/float64(r.Moves))
		}
		others := ""
		if r.CPU.Others > 0 {
			others = fmt.Sprintf(", others %.1f s", r.CPU.Others)
		}
		line("cpu", "server %s, players %s%s", each(r.CPU.Server), each(r.CPU.Players), others)
	}
	if r.Commits > 0 {
		line("kept", "%d events in %d commits, %.1f each",
			r.Events, r.Commits, float64(r.Events)/float64(r.Commits))
	}
	if len(r.Errors) == 0 {
		line("errors", "none")
	}
	for _, e := range r.Errors {
		line("errors", "%d × %s; first: %s", e.Count, e.Kind, e.First)
	}
}

// size formats a number of bytes.
func size(n int64) string {
	switch much := max(n, -n); {
	case much >= 1e7:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	case much >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case much >= 1e4:
		return fmt.Sprintf("%.0f KB", float64(n)/1e3)
	case much >= 1e3:
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	default:
		return fmt.Sprintf("%d bytes", n)
	}
}
