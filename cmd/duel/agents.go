package main

import (
	"context"

	"github.com/spf13/pflag"

	"digitduel/arena"
	"digitduel/cmd/duel/version"
	"digitduel/solve"
	"digitduel/ui/mcp"
)

// agentFlags is how a server lets agents in.
type agentFlags struct {
	mcp, coach, exams bool
	out               string
}

func (f *agentFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.mcp, "mcp", false, "let agents play at /mcp, by the Model Context Protocol")
	flags.BoolVar(&f.coach, "mcp-coach", false, "tell agents what positions and moves are worth, too")
	flags.BoolVar(&f.exams, "mcp-exams", false, "let agents sit exams and nothing else: a game could tell what an item is worth")
	flags.StringVar(&f.out, "mcp-out", "", "keep the games of agents as a run in this folder, for duel match report; one that duel mcp has planned is handed out")
}

func (f *agentFlags) check() error {
	for _, flag := range []struct {
		name  string
		given bool
	}{{"mcp-coach", f.coach}, {"mcp-exams", f.exams}, {"mcp-out", f.out != ""}} {
		if flag.given && !f.mcp {
			return usagef("%s without mcp: no agent is let in; add --mcp, or leave it out", flag.name)
		}
	}
	return examsAlone("mcp-", f.exams, f.coach, f.out)
}

// examsAlone returns nil if exams are not to be alone, or there is nothing beside them; a prefix is that of the flags.
func examsAlone(prefix string, exams, coach bool, out string) error {
	switch {
	case exams && coach:
		return usagef("%sexams with %scoach: a coach would tell the answers; leave one of them out", prefix, prefix)
	case exams && out != "":
		return usagef("%sexams with %sout: a run is of games; leave one of them out", prefix, prefix)
	}
	return nil
}

// open opens the run in which games are kept, if they are. One that was planned by duel mcp is handed out.
func (f *agentFlags) open(ctx context.Context, solver *solve.Solver) (*arena.Run, error) {
	if f.out == "" {
		return nil, nil
	}
	return arena.Folder(f.out).OpenRun(ctx, solver, func(kept *arena.Plan) (*arena.Plan, error) {
		if kept != nil && kept.Format != arena.Open && f.coach {
			return nil, usagef("mcp-coach: a planned run is played without one")
		}
		return unplanned(kept), nil
	})
}

// mostDisguised is how many positions a game may have to be told in other words at a server: so many are proved in about two seconds.
const mostDisguised = 1_000_000

// server returns the server for agents, or nil if none are let in.
func (f *agentFlags) server(c mcp.Config, run *arena.Run) *mcp.Server {
	if !f.mcp {
		return nil
	}
	c.Coach, c.ExamsOnly, c.Version, c.Disguised = f.coach, f.exams, version.Text(), mostDisguised
	if run != nil {
		c.Desk = run.Desk
	}
	return mcp.New(c)
}

// runAgents keeps the games of the run that were over before they could be kept, and closes the server
// for agents when ctx is done.
func runAgents(ctx context.Context, server *mcp.Server) {
	defer server.Close()
	if err := server.Settle(ctx); err != nil && ctx.Err() == nil {
		server.Log.Error("some games of the run are not kept", "error", err)
	}
	<-ctx.Done()
}
