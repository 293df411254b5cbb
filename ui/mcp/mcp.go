// Package mcp lets agents play: it offers the acts of a table as tools of the Model Context
// Protocol. It is one of the front ends of [match.Table].
//
// All data of a game is in the log of its table. A game is named by its table and the token of the
// agent's seat, so there are no sessions: calls may use any connection, overlap, and continue after
// a restart.
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

// A Config configures a Server.
type Config struct {
	Hall *match.Hall // its host plays for the computer
	Keys match.Keys
	// Solve returns a solution that may be used until the context is done.
	Solve func(context.Context, digit.Rules) (*solve.Solution, error)
	// Tries is how many answers a move may take until one is legal; 0: three.
	Tries    int
	Coach    bool     // offer the tools that evaluate positions
	Sittings Sittings // of exams; nil: there are none
	// ExamsOnly disables games: a report on one would reveal the value of an item.
	ExamsOnly bool
	// Disguised is the most positions of a game in disguise; 0: [disguise.MostPositions].
	Disguised int
	// Link returns the address at which people watch a table.
	Link   func(ctx context.Context, table string) string
	Limits Limits // of a shared server; nil: none
	// Work runs a long computation for the caller; nil: at once.
	Work    func(ctx context.Context, do func()) error
	Player  string          // the name of the agent; empty: the agent chooses it
	Desk    *arena.Desk     // hands out the games of a run; nil: agents choose their games
	Exam    *arena.ExamDesk // the only exam; nil: agents choose their exams
	Version string
	Log     *slog.Logger // nil: none
	Now     func() time.Time
}

// A Server answers agents.
type Server struct {
	Config
	server    *sdk.Server
	papers    arena.Papers
	disguises *arena.Cache[disguiseKey, *disguise.Disguise]
	ctx       context.Context // done when the server is closed
	close     context.CancelFunc
	solving   sync.WaitGroup
	grading   sync.Mutex // held while the grades are saved
}

// Close saves the grades of an exam, and stops computations in the background.
func (s *Server) Close() {
	s.saveGrades(context.Background())
	s.close()
	s.solving.Wait()
	s.papers.Close()
	s.disguises.Close()
}

const instructions = "Play two-player games against opponents of graded strength, " +
	"and learn exactly what each of your moves threw away. " +
	"new_game starts a game and returns its state; " +
	"play makes your move and returns the state after the opponent's answer; " +
	reportAfterGame +
	"Every state has the goal of the game, the notation of moves, the board " +
	"and what is left to take. " +
	"Pass the id of the game in each call: you can resume it at any time. " +
	"Moves are final. An illegal move costs one of a few tries, " +
	"and without tries left the game is lost."

// Parts of the instructions for servers with runs or exams.
const (
	reportAfterGame = "when the game is over, report shows what your moves kept and lost. "
	reportAfterRun  = "new_game starts one game after another, and when all of them are over, " +
		"report shows what your moves kept and lost. "
	examInstructions = " next_item and answer test you on single decisions instead, " +
		"and report grades your answers when all items are answered."
	examOnlyInstructions = "Choose moves in single positions of two-player games. " +
		"next_item returns a position, and answer takes your move: the first answer counts. " +
		"When all items are answered, report grades your answers."
)

// New returns a server. The caller closes it.
func New(c Config) *Server {
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	c.Tries = cmp.Or(c.Tries, 3)
	c.Limits = cmp.Or[Limits](c.Limits, noLimits{})
	c.Disguised = cmp.Or(c.Disguised, disguise.MostPositions)
	c.ExamsOnly = c.ExamsOnly || c.Exam != nil
	if c.Work == nil {
		c.Work = func(_ context.Context, do func()) error { do(); return nil }
	}
	s := &Server{
		Config: c, papers: newPapers(c.Solve), disguises: newDisguises(c.Disguised, c.Work),
	}
	s.ctx, s.close = context.WithCancel(context.Background())
	who := &sdk.Implementation{Name: "duel", Title: "Digit Duel", Version: c.Version}
	how := instructions
	switch {
	case s.ExamsOnly:
		how = examOnlyInstructions
	case s.examines():
		how += examInstructions
	}
	if s.planned() {
		how = strings.Replace(how, reportAfterGame, reportAfterRun, 1)
	}
	if s.hidesGames() {
		who.Title = ""
	}
	// The capabilities are empty: no list changes while a server runs, and clients get no logs.
	// The SDK has no logger, since it logs mistakes of clients as errors.
	s.server = sdk.NewServer(who, &sdk.ServerOptions{
		Instructions: how,
		Capabilities: &sdk.ServerCapabilities{
			Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{},
		},
	})
	s.server.AddReceivingMiddleware(s.guard)
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
	if !s.hidesGames() {
		s.addRules()
	}
	return s
}

// guard recovers from a panic, which would end the session.
func (s *Server) guard(next sdk.MethodHandler) sdk.MethodHandler {
	return func(
		ctx context.Context, method string, req sdk.Request,
	) (answer sdk.Result, err error) {
		defer func() {
			if fault := recover(); fault != nil {
				s.Log.Error("request panicked",
					"method", method, "error", fault, "stack", string(debug.Stack()))
				answer, err = nil, errInternal
			}
		}()
		ctx, done := limited(ctx)
		defer done()
		return next(ctx, method, req)
	}
}

// errInternal is the answer after an error of this program.
var errInternal = &jsonrpc.Error{
	Code: jsonrpc.CodeInternalError, Message: rulebook.Broken.Long,
}

// A refusal is an error that the agent may read. Any other error is this program's and stays
// hidden.
type refusal struct {
	reason string
	answer any // a Refusal, or the State of a game with one
}

func (e *refusal) Error() string { return e.reason }

func refusef(format string, args ...any) error {
	reason := fmt.Sprintf(format, args...)
	return &refusal{reason, Refusal{Reason: reason}}
}
