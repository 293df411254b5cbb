// Package gate limits the requests and the computing time of the visitors of a server. Pages, API
// and agents share one Gate, so a visitor has one share for all of them.
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

// Config configures a Gate.
type Config struct {
	Limits     Limits
	Solver     *solve.Solver
	Now        func() time.Time
	Log        *slog.Logger
	TrustProxy bool // trust X-Forwarded-For and X-Forwarded-Proto
}

// A Gate enforces limits on requests and work. The caller stops it.
type Gate struct {
	Config
	Limited atomic.Int64 // the number of refused requests, calls and connections

	mu      sync.Mutex
	buckets map[string]*bucket
	swept   time.Time
	counts  map[string]int // open streams and connections, by key
	calls   map[Call]int64

	work workQueue
	ctx  context.Context // done after Stop
	end  context.CancelFunc
}

// New returns a Gate.
func New(c Config) *Gate {
	g := &Gate{
		Config: c, buckets: map[string]*bucket{}, counts: map[string]int{}, calls: map[Call]int64{},
		work: workQueue{
			turns: map[string]*turn{}, large: map[digit.Rules]*job{}, payers: map[string]string{},
			heavy: make(chan struct{}, 1),
		},
	}
	g.ctx, g.end = context.WithCancel(context.Background())
	return g
}

// Stop ends work that belongs to no request.
func (g *Gate) Stop() { g.end() }

// Wait waits until no game is being solved for visitors who were asked to retry. It is called when
// all requests are answered.
func (g *Gate) Wait() { g.work.jobs.Wait() }

// A Refusal is the error for a request over a limit.
type Refusal struct {
	Status   int    // of the answer over HTTP
	Text     string // for programs
	Sentence string // for people, from the rulebook
	Retry    int    // the number of seconds to wait
	Place    int    // in the queue of large games, if that is the reason
}

func (r *Refusal) Error() string { return r.Text }

// Refusal returns the text of an error that an agent may read.
func (r *Refusal) Refusal() string { return r.Text }

// tooMany returns the refusal of a request over a limit.
func tooMany(what string, wait time.Duration) *Refusal {
	seconds := secondsOf(wait)
	return &Refusal{
		Status: http.StatusTooManyRequests, Retry: seconds,
		Sentence: rulebook.TooFast(seconds).Long,
		Text:     fmt.Sprintf("too many %s; try again in %d s", what, seconds),
	}
}

// secondsOf returns a time to wait in whole seconds.
func secondsOf(wait time.Duration) int { return max(1, int(math.Ceil(wait.Seconds()))) }

// An Asker is the sender of an agent's request: its address, as limits count it, and the origin of
// links to this server.
type Asker struct{ Address, Origin string }

type askerKey struct{}

// WithAsker returns a context for a request of an agent.
func WithAsker(ctx context.Context, a Asker) context.Context {
	return context.WithValue(ctx, askerKey{}, a)
}

// AskerOf returns the asker of the request with this context.
func AskerOf(ctx context.Context) Asker {
	a, _ := ctx.Value(askerKey{}).(Asker)
	return a
}

// MayOpen returns an error if an agent may not open a table for a game against the computer. The
// agent pays for the computer's first turn.
func (g *Gate) MayOpen(ctx context.Context, id string) error {
	address := AskerOf(ctx).Address
	if err := g.Open(address); err != nil {
		return err
	}
	g.Pays(id, address)
	return nil
}

// MayPlay returns an error if an agent may not act for a seat of a table. The agent pays for the
// computer's answer.
func (g *Gate) MayPlay(ctx context.Context, t *match.Table, seat match.Seat) error {
	if err := g.Act(t, seat); err != nil {
		return err
	}
	return g.Answered(AskerOf(ctx).Address, t)
}

// SolvedFor returns the solution of a game for an agent, which pays for it until ctx is done. The
// agent must not wait for other work in the meantime, which would only begin after that.
func (g *Gate) SolvedFor(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
	solution, done, err := g.Solved(ctx, AskerOf(ctx).Address, Patience, r)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, done)
	return solution, nil
}

// Work runs do for an agent, which pays for it.
func (g *Gate) Work(ctx context.Context, do func()) error {
	return g.Charged(ctx, AskerOf(ctx).Address, do)
}

// A Call is a kind of agent call: a tool and an outcome, which is done, refused, limited or broken.
type Call struct{ Tool, Outcome string }

// Called counts and logs a call of a tool. Table may be empty.
func (g *Gate) Called(ctx context.Context, tool, table, outcome string, took time.Duration) {
	if outcome == "limited" {
		g.Limited.Add(1)
	}
	g.mu.Lock()
	g.calls[Call{tool, outcome}]++
	g.mu.Unlock()
	g.Log.DebugContext(ctx, "called",
		"tool", tool, "table", table, "outcome", outcome, "took", took)
}

// Calls returns the number of calls of each kind.
func (g *Gate) Calls() map[Call]int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return maps.Clone(g.calls)
}
