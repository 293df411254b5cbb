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
	"digitduel/cmd/duel/version"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/store"
	"digitduel/ui/mcp"
	"digitduel/ui/web"
)

// mcpConfig is what the flags of duel mcp say.
type mcpConfig struct {
	db, baseURL string
	coach       bool
	exams       bool
	retries     int
	run         runFlags
}

func mcpCommand() *cobra.Command {
	var o mcpConfig
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Let an agent play: the games as tools of the Model Context Protocol",
		Long: "Let an agent, such as a language model, play graded and perfect opponents, and report exactly what each of its moves threw\n" +
			"away. It speaks the Model Context Protocol over standard input and output, to a client that starts it. Games are kept in the\n" +
			"database: they can be gone on with later, and watched at duel serve with the same database.\n\n" +
			"No answer tells what the position of a game under way is worth, unless --coach is given.\n\n" +
			"With --out the games are kept as a run, which duel match report tells of as of a match; with --opponent its games are\n" +
			"planned and handed out in pairs with the seats swapped. Then the database is duel.db in that folder.",
		Example: "  duel mcp\n  duel mcp --db games.db --coach\n  duel mcp --exams\n  duel mcp --out runs/open\n" +
			"  duel mcp --out runs/x --player some-model --opponent master --rules 'dilemma target=13' --starts won:ply=1-4 --pairs 20",
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
	f.StringVar(&o.baseURL, "base-url", "http://127.0.0.1:8080", "what links to watch games begin with: where duel serve is reached")
	f.BoolVar(&o.coach, "coach", false, "also offer tools that tell what positions and moves are worth: analyze, hint, review")
	f.BoolVar(&o.exams, "exams", false, "let agents sit exams and nothing else: a game could tell what an item is worth")
	o.run.add(f)
	f.IntVar(&o.retries, "retries", 2, "how often an agent may answer again after a move that is not legal; then the game is lost")
	return cmd
}

func (o mcpConfig) check() error {
	if o.retries < 0 || o.retries >= match.MaxTries {
		return usagef("retries %d: allowed: 0 to %d", o.retries, match.MaxTries-1)
	}
	if u, err := url.Parse(o.baseURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return usagef("base-url %q: allowed: an address such as https://duel.example", o.baseURL)
	}
	return examsAlone("", o.exams, o.coach, o.run.out)
}

// link returns where people watch a table.
func (o mcpConfig) link(_ context.Context, table string) string {
	return strings.TrimRight(o.baseURL, "/") + "/t/" + table
}

// serve answers the client at the other end until it ends.
func (o mcpConfig) serve(cmd *cobra.Command) (err error) {
	ctx := cmd.Context()
	log := slog.New(web.Dedupe(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelWarn})))
	budget, err := budgetOf(cmd)
	if err != nil {
		return err
	}
	solver := &solve.Solver{Config: solve.Config{Budget: budget}}
	o.run.coached = o.coach
	run, err := o.run.open(cmd, o.retries, solver)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.Close()) }()
	if run != nil && o.db == "" {
		o.db = filepath.Join(o.run.out, "duel.db")
	}
	where, err := whereIs(o.db)
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
	hall := match.NewHall(db, match.HallConfig{Host: func(ctx context.Context, t *match.Table) error { return sit.HostLevels(ctx, t, solver.Solve) }, Log: log})
	running, end := context.WithCancel(context.WithoutCancel(ctx))
	var upkeep sync.WaitGroup
	upkeep.Go(func() { hall.Run(running) })
	defer upkeep.Wait()
	defer end()
	defer hall.Close()
	config := mcp.Config{
		Hall: hall, Keys: match.NewKeys(secret), Solve: solver.Solve, Tries: o.retries + 1, Coach: o.coach, ExamsOnly: o.exams, Sittings: db, Link: o.link, Player: o.run.player,
		Version: version.Text(), Log: log, Now: time.Now,
	}
	if run != nil {
		config.Desk = run.Desk
	}
	server := mcp.New(config)
	defer server.Close()
	if err := server.Settle(ctx); err != nil {
		return err
	}
	if _, typed := terminal(cmd.InOrStdin()); typed {
		cmd.PrintErrln("duel: waiting for a client of the Model Context Protocol, which starts this program itself and writes messages here; Ctrl-D ends it")
	}
	return server.Stdio(ctx, cmd.InOrStdin(), cmd.OutOrStdout())
}
