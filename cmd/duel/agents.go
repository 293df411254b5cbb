package main

import (
	"context"
	"net/http"

	"github.com/spf13/pflag"

	"digitduel/cmd/duel/version"
	"digitduel/mcp"
	"digitduel/web"
)

// agentFlags is how a server lets agents in.
type agentFlags struct {
	mcp, coach bool
	out        string
}

func (f *agentFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.mcp, "mcp", false, "let agents play at /mcp, by the Model Context Protocol")
	flags.BoolVar(&f.coach, "mcp-coach", false, "tell agents what positions and moves are worth, too")
	flags.StringVar(&f.out, "mcp-out", "", "keep the games of agents as a run in this folder, for duel match report")
}

func (f *agentFlags) check() error {
	switch {
	case f.mcp:
		return nil
	case f.coach:
		return usagef("mcp-coach without mcp: no agent is let in; add --mcp, or leave it out")
	case f.out != "":
		return usagef("mcp-out without mcp: no agent is let in; add --mcp, or leave it out")
	}
	return nil
}

// open opens the run in which games are kept, if they are.
func (f *agentFlags) open() (*runFolder, error) {
	if f.out == "" {
		return nil, nil
	}
	return openRun(f.out, openly(f.out))
}

// mostDisguised is how many positions a game may have to be told in other words at a server: so many are proved in about two seconds.
const mostDisguised = 1_000_000

// An agency is what answers agents at a server. The zero agency answers none.
type agency struct {
	config mcp.Config
	server *mcp.Server // when the server for people is there
}

// agency returns what answers agents, with all of its config but what the server for people gives it.
func (f *agentFlags) agency(c mcp.Config, run *runFolder) (a agency) {
	if !f.mcp {
		return a
	}
	c.Coach, c.Version, c.Disguised = f.coach, version.Text(), mostDisguised
	if run != nil {
		c.Desk = run.desk
	}
	return agency{config: c}
}

// answer is for [web.Config]: nil if no agents are let in.
func (a *agency) answer() func(*web.Server) http.Handler {
	if a.config.Hall == nil {
		return nil
	}
	return func(s *web.Server) http.Handler {
		a.config.Solve, a.config.Work, a.config.Link, a.config.Limits = s.SolvedFor, s.Work, s.Watch, s
		a.server = mcp.New(a.config)
		return a.server.Handler()
	}
}

// run keeps the games of the run that were over before they could be kept, and stops what is being worked out when ctx is done.
func (a *agency) run(ctx context.Context) {
	if a.server == nil {
		return
	}
	defer a.server.Close()
	if err := a.server.Settle(ctx); err != nil && ctx.Err() == nil {
		a.config.Log.Error("some games of the run are not kept", "error", err)
	}
	<-ctx.Done()
}
