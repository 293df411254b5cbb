package main

import (
	"context"

	"github.com/spf13/pflag"

	"digitduel/arena"
	"digitduel/cmd/duel/version"
	"digitduel/ui/mcp"
)

// agentFlags are the flags of a server for agents. Those of duel mcp have no prefix.
type agentFlags struct {
	mcp, coach, exams bool
	out               string
}

func (f *agentFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.mcp, "mcp", false, "let agents play at /mcp (Model Context Protocol)")
	flags.BoolVar(&f.coach, "mcp-coach", false, "offer agents analysis, hints and reviews")
	flags.BoolVar(&f.exams, "mcp-exams", false, examsText)
	flags.StringVar(&f.out, "mcp-out", "",
		"folder of a run or exam planned by duel mcp")
}

// examsText is the text of the flag for exams. A game could reveal the value of an item.
const examsText = "let agents take exams, but not play"

func (f *agentFlags) check() error {
	switch {
	case f.mcp:
	case f.coach:
		return usagef("mcp-coach: needs --mcp")
	case f.exams:
		return usagef("mcp-exams: needs --mcp")
	case f.out != "":
		return usagef("mcp-out: needs --mcp")
	}
	return checkAgents("mcp-", f.exams, f.coach, f.out)
}

// checkAgents refuses flags that do not fit together. The prefix is that of the flags.
func checkAgents(prefix string, exams, coach bool, out string) error {
	switch {
	case exams && coach:
		return usagef("%sexams with %scoach: analysis gives the answers; leave out one of them",
			prefix, prefix)
	case coach && out != "":
		return usagef("%scoach: not allowed in a planned run", prefix)
	case exams && out != "":
		return usagef("%sexams with %sout: a run consists of games; leave out one of them",
			prefix, prefix)
	}
	return nil
}

// open opens the run of the flags, or returns nil if they name none.
func (f *agentFlags) open() (*arena.Run, error) {
	if f.out == "" {
		return nil, nil
	}
	return arena.Folder(f.out).OpenRun(func(kept *arena.Plan) (*arena.Plan, error) {
		if kept == nil {
			return nil, usagef("mcp-out: %s has no plan; plan it with duel mcp --out %[1]s", f.out)
		}
		return kept, nil
	})
}

// mostDisguised is the limit of positions for a game that a server disguises. To prove that many
// takes about two seconds.
const mostDisguised = 1_000_000

// server returns a server for agents. Run may be nil.
func (f *agentFlags) server(c mcp.Config, run *arena.Run) *mcp.Server {
	c.Coach, c.ExamsOnly, c.Version = f.coach, f.exams, version.Text()
	if run != nil {
		c.Desk, c.Exam = run.Desk, run.Exam
	}
	return mcp.New(c)
}

// runAgents saves games of the run that ended without being saved, and closes the server for agents
// when ctx is done.
func runAgents(ctx context.Context, server *mcp.Server) {
	defer server.Close()
	if err := server.Settle(ctx); err != nil && ctx.Err() == nil {
		server.Log.Error("cannot save some games of the run", "error", err)
	}
	<-ctx.Done()
}
