package main

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"digitduel/bot/sit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/store"
	"digitduel/ui/mcp"
)

// mcpConfig holds the flags of duel mcp.
type mcpConfig struct {
	db, baseURL string
	agents      agentFlags
	retries     int
	run         runFlags
}

func mcpCommand() *cobra.Command {
	var o mcpConfig
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve games to agents over MCP",
		Long: "An agent, such as a language model, plays levels and gets an exact report of what " +
			"its moves lost. A client of the Model Context Protocol starts this program and " +
			"talks to it over standard input and output. Games are stored in the database, where " +
			"duel serve shows them. Without --coach no tool reveals the value of a position.\n\n" +
			"With --out and --opponent the games are a planned run for duel match report: " +
			"new_game " +
			"deals them in pairs with the seats swapped, to several agents if they ask. With " +
			"--exam the agents take an exam, whose grades are in grades.jsonl. The database is " +
			"duel.db in that folder. docs/agents.md describes the tools.",
		Example: "duel mcp\nduel mcp --out runs/y --exam standard-1 --once --name some-model\n" +
			"duel mcp --out runs/x --name some-model --opponent master --pairs 20",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			if err := o.run.check(cmd.Flags()); err != nil {
				return err
			}
			return o.serve(cmd)
		},
	}
	f := cmd.Flags()
	memoryFlag(cmd)
	dbFlag(f, &o.db)
	f.StringVar(&o.baseURL, "base-url", "http://127.0.0.1:8080",
		"URL of duel serve, used in links to watch games")
	f.BoolVar(&o.agents.coach, "coach", false, "offer the tools analyze, hint and review")
	f.BoolVar(&o.agents.exams, "exams", false, examsText)
	f.IntVar(&o.retries, "retries", 2, "illegal moves to accept before a game is lost")
	o.run.add(f)
	renamed(cmd, "player", "name")
	return cmd
}

func (o mcpConfig) check() error {
	if o.retries < 0 || o.retries >= match.MaxTries {
		return usagef("retries %d: allowed: 0 to %d", o.retries, match.MaxTries-1)
	}
	u, err := url.Parse(o.baseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return usagef("base-url %q: allowed: an address such as https://duel.example", o.baseURL)
	}
	return checkAgents("", o.agents.exams, o.agents.coach, o.run.out)
}

// link returns the address at which people watch a table.
func (o mcpConfig) link(_ context.Context, table string) string {
	return strings.TrimRight(o.baseURL, "/") + "/t/" + table
}

// serve answers the client until it ends the connection.
func (o mcpConfig) serve(cmd *cobra.Command) (err error) {
	ctx := cmd.Context()
	warnings := &slog.HandlerOptions{Level: slog.LevelWarn}
	log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), warnings))
	budget, err := budgetOf(cmd)
	if err != nil {
		return err
	}
	solver := &solve.Solver{Config: solve.Config{Budget: budget}}
	run, err := o.run.open(cmd, o.retries)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.Close()) }()
	if run != nil && o.db == "" {
		o.db = filepath.Join(o.run.out, "duel.db")
	}
	where, err := databaseAt(o.db)
	if err != nil {
		return err
	}
	db, err := store.Open(ctx, where, store.Config{Log: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	secret, err := db.Secret(ctx)
	if err != nil {
		return err
	}
	host := func(ctx context.Context, t *match.Table) error {
		return sit.HostLevels(ctx, t, solver.Solve)
	}
	hall := match.NewHall(db, match.HallConfig{Host: host, Log: log})
	running, end := context.WithCancel(context.WithoutCancel(ctx))
	var upkeep sync.WaitGroup
	upkeep.Go(func() { hall.Run(running) })
	defer upkeep.Wait()
	defer end()
	defer hall.Close()
	server := o.agents.server(mcp.Config{
		Hall: hall, Keys: match.NewKeys(secret), Solve: solver.Solve, Tries: o.retries + 1,
		Sittings: db, Link: o.link, Player: o.run.name, Log: log, Now: time.Now,
	}, run)
	defer server.Close()
	if err := server.Settle(ctx); err != nil {
		return err
	}
	if terminal(cmd.InOrStdin()) != nil {
		cmd.PrintErrln("duel: waiting for messages of the Model Context Protocol, which clients " +
			"write here; Ctrl-D ends")
	}
	return server.Stdio(ctx, cmd.InOrStdin(), cmd.OutOrStdout())
}
