// Package gate limits what visitors of a server may do and have computed. Pages, API and agents pass
// the same Gate, so that a visitor has one share, whatever the way in.
package gate

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// Config is what a gate needs.
type Config struct {
	Limits     Limits
	Solver     *solve.Solver
	Now        func() time.Time
	Log        *slog.Logger
	TrustProxy bool // whether X-Forwarded-For and X-Forwarded-Proto are a proxy's word
}

// A Gate lets requests and work through within limits. The caller stops it.
type Gate struct {
	Config
	Limited atomic.Int64 // the number of requests, calls and connections refused because there were too many

	mu      sync.Mutex
	buckets map[string]*bucket
	swept   time.Time
	counts  map[string]int // streams and connections, by the key that they are counted for
	calls   map[Call]int64

	work work
	stop chan struct{} // closed when nothing more is to be solved
}

// New returns a gate.
func New(c Config) *Gate {
	return &Gate{Config: c, stop: make(chan struct{}), work: work{heavy: make(chan struct{}, 1)}}
}

// Stop ends work that is done for no request.
func (g *Gate) Stop() { close(g.stop) }

// Wait waits until no game is solved any more for visitors who were asked to wait. It is called when
// all requests are answered.
func (g *Gate) Wait() { g.work.jobs.Wait() }

// A Refusal is the error of a gate that lets something not through.
type Refusal struct {
	Status int    // of an answer over HTTP
	Text   string // for programs
	Told   string // the same for people, in the words of the rulebook
	Retry  int    // after how many seconds it may be let through
	Place  int    // in the queue of large games, if that is the reason
}

func (r *Refusal) Error() string { return r.Text }

// Refusal marks an error that an agent may read.
func (r *Refusal) Refusal() string { return r.Text }

// tooMany refuses one thing too many.
func tooMany(what string, wait time.Duration) *Refusal {
	seconds := secondsOf(wait)
	return &Refusal{
		Status: http.StatusTooManyRequests, Retry: seconds, Told: rulebook.TooFast(seconds).Long,
		Text: fmt.Sprintf("too many %s; try again in %d s", what, seconds),
	}
}

// secondsOf returns a time to wait in whole seconds.
func secondsOf(wait time.Duration) int { return max(1, int(math.Ceil(wait.Seconds()))) }

// An Asker is the caller of a request of an agent: the address, as limits count it, and the origin that
// links to this server begin with.
type Asker struct{ Address, Origin string }

type askerKey struct{}

// WithAsker returns a context for a request of an agent.
func WithAsker(ctx context.Context, a Asker) context.Context {
	return context.WithValue(ctx, askerKey{}, a)
}

// AskerOf returns the asker of the request whose context it is.
func AskerOf(ctx context.Context) Asker {
	a, _ := ctx.Value(askerKey{}).(Asker)
	return a
}

// MayOpen returns nil if an agent may open a table for a game against the computer, and notes that the
// agent pays for its first turn.
func (g *Gate) MayOpen(ctx context.Context, id string) error {
	address := AskerOf(ctx).Address
	if err := g.Open(address); err != nil {
		return err
	}
	g.Pays(id, address)
	return nil
}

// MayPlay returns nil if an agent may act for a seat of a table, after which the computer may be to
// move.
func (g *Gate) MayPlay(ctx context.Context, t *match.Table, seat match.Seat) error {
	if err := g.Act(t, seat); err != nil {
		return err
	}
	return g.Answered(AskerOf(ctx).Address, t)
}

// SolvedFor returns the solution of a game for an agent, which pays for it, until ctx is done. The agent
// must not wait for another piece of work meanwhile, which comes after this one.
func (g *Gate) SolvedFor(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
	solution, done, err := g.Solved(ctx, AskerOf(ctx).Address, Patience, r)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, done)
	return solution, nil
}

// Work does something for an agent that takes long, and that the agent pays for.
func (g *Gate) Work(ctx context.Context, do func()) error {
	return g.Charged(ctx, AskerOf(ctx).Address, do)
}

// A Call is a kind of call of an agent: a tool, and the outcome, which is done, refused, limited or
// broken.
type Call struct{ Tool, Outcome string }

// Called counts and logs a call of a tool, about a table if there is one.
func (g *Gate) Called(ctx context.Context, tool, table, outcome string, took time.Duration) {
	if outcome == "limited" {
		g.Limited.Add(1)
	}
	g.mu.Lock()
	if g.calls == nil {
		g.calls = map[Call]int64{}
	}
	g.calls[Call{tool, outcome}]++
	g.mu.Unlock()
	if g.Log.Enabled(ctx, slog.LevelDebug) {
		g.Log.Debug("called", "tool", tool, "table", table, "outcome", outcome, "took", took)
	}
}

// Calls returns the number of calls of each kind.
func (g *Gate) Calls() map[Call]int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return maps.Clone(g.calls)
}
