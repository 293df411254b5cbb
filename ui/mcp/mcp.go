// Package mcp lets agents play: the acts of a table as tools of the Model Context Protocol. It is one more front end of [match.Table].
//
// Everything about a game is in the log of its table, and a game is named by its table and the token of the agent's seat. So nothing lives
// in a session: calls may come by any connection, side by side, and after a restart.
package mcp

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A Config is what a server needs.
type Config struct {
	Hall      *match.Hall // whose host plays for the computer
	Keys      match.Keys
	Solve     func(context.Context, digit.Rules) (*solve.Solution, error) // until the context is done
	Tries     int                                                         // how many answers a move may take until one is legal; 0: three
	Coach     bool                                                        // whether there are tools that tell what a position is worth
	Sittings  Sittings                                                    // of exams; nil: there are none
	ExamsOnly bool                                                        // whether no games are played: a report on one would tell what an item is worth
	Disguised int                                                         // how many positions a game may have to be told in other words; 0: [disguise.MostPositions]
	Link      func(ctx context.Context, table string) string              // where people watch a table
	Limits    Limits                                                      // of a server that many call; nil: none
	Work      func(ctx context.Context, do func()) error                  // does what takes long, for whoever calls; nil: at once
	Player    string                                                      // what the agent is called; empty: as it says
	Desk      *arena.Desk                                                 // where the games are kept as a run; nil: nowhere but at their tables
	Version   string
	Log       *slog.Logger // nil: none
	Now       func() time.Time
}

// A Server answers agents.
type Server struct {
	Config
	server  *sdk.Server
	papers  arena.Papers
	dresses *arena.Workshop[dress, *disguise.Disguise]
	ctx     context.Context // until it is closed
	close   context.CancelFunc
	solving sync.WaitGroup
}

// Close stops what is being worked out.
func (s *Server) Close() {
	s.close()
	s.solving.Wait()
	s.papers.Close()
	s.dresses.Close()
}

const instructions = "Play two-player games against opponents of graded strength, and learn exactly what each of your moves threw away. " +
	"new_game begins a game and returns its state; play makes your move and returns the state after the opponent's answer; " +
	reportAfterGame +
	"Every state has the goal of the game, how a move is written, the board and what is left to take. " +
	"Name the game by its id in each call: it can be gone on with at any time, also after a break. " +
	"Moves are final. A move that is not legal costs one of a few tries, and the game is lost when none is left."

// When there is a report, what follows where there are exams, and what is told where there is nothing else.
const (
	reportAfterGame      = "when the game is over, report tells what your moves kept and what they lost. "
	reportAfterRun       = "new_game hands out one game after another, and when all of them are over, report tells what your moves kept and what they lost. "
	examInstructions     = " next_item and answer examine you by single decisions instead, and report tells what your answers come to when there are none left."
	examOnlyInstructions = "Choose moves in single positions of two-player games. next_item returns a position, and answer takes your move: the first answer counts. When none are left, report tells what your answers come to."
)

// New returns a server. The caller closes it.
func New(c Config) *Server {
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	c.Tries = cmp.Or(c.Tries, 3)
	c.Limits = cmp.Or[Limits](c.Limits, boundless{})
	c.Disguised = cmp.Or(c.Disguised, disguise.MostPositions)
	if c.Work == nil {
		c.Work = func(_ context.Context, do func()) error { do(); return nil }
	}
	s := &Server{Config: c, papers: newPapers(c.Solve), dresses: newDresses(c.Disguised, c.Work)}
	s.ctx, s.close = context.WithCancel(context.Background())
	who, how := &sdk.Implementation{Name: "duel", Title: "Digit Duel", Version: c.Version}, instructions
	switch {
	case s.ExamsOnly:
		how = examOnlyInstructions
	case s.examines():
		how += examInstructions
	}
	if s.planned() {
		how = strings.Replace(how, reportAfterGame, reportAfterRun, 1)
	}
	if s.veiled() {
		who.Title = ""
	}
	// Nothing changes while a server runs, and no logs are sent to clients.
	s.server = sdk.NewServer(who, &sdk.ServerOptions{Instructions: how, Logger: quiet(c.Log), Capabilities: &sdk.ServerCapabilities{
		Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}, Prompts: &sdk.PromptCapabilities{},
	}})
	s.server.AddReceivingMiddleware(s.guard, readable)
	if !s.ExamsOnly {
		s.addGameTools()
	}
	if s.examines() {
		s.addExamTools()
	}
	s.addReport()
	if c.Coach {
		s.addCoachTools()
	}
	s.addResources()
	if !s.veiled() {
		s.addRules()
		s.addPrompts()
	}
	return s
}

// guard keeps a fault of this program from ending the session.
func (s *Server) guard(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (answer sdk.Result, err error) {
		defer func() {
			if fault := recover(); fault != nil {
				s.Log.Error("a request broke", "method", method, "error", fault, "stack", string(debug.Stack()))
				answer, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: rulebook.Broken.Long}
			}
		}()
		ctx, done := limited(ctx)
		defer done()
		return next(ctx, method, req)
	}
}

// quiet returns a logger for the SDK, to which what a client does wrong is an error of the server.
func quiet(log *slog.Logger) *slog.Logger { return slog.New(hushed{log.Handler()}) }

// hushed logs everything as what is of interest to whoever looks for a fault.
type hushed struct{ slog.Handler }

func (h hushed) Enabled(ctx context.Context, _ slog.Level) bool {
	return h.Handler.Enabled(ctx, slog.LevelDebug)
}

func (h hushed) Handle(ctx context.Context, r slog.Record) error {
	r.Level = slog.LevelDebug
	return h.Handler.Handle(ctx, r)
}

func (h hushed) WithAttrs(attrs []slog.Attr) slog.Handler { return hushed{h.Handler.WithAttrs(attrs)} }
func (h hushed) WithGroup(name string) slog.Handler       { return hushed{h.Handler.WithGroup(name)} }

// A refusal is what an agent is told that cannot have what it asked for. Any other error is this program's, and is not told.
type refusal struct {
	reason string
	fault  string // what kind of fault the agent is charged with; empty: none
	state  *State // of the game that it is about; nil: of none
}

func (e *refusal) Error() string { return e.reason }

func refusef(format string, args ...any) error { return &refusal{reason: fmt.Sprintf(format, args...)} }
