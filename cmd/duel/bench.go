package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"digitduel/ui/web/load"
)

func benchCommand() *cobra.Command {
	cmd := group("bench", "Measure this program under load", benchServeCommand())
	cmd.Hidden = true
	return cmd
}

// benchConfig holds the flags of duel bench serve.
type benchConfig struct {
	load.Config
	rules   string
	idle    int
	servers int
	db      string
	profile string
	flags   []string
	keep    bool
	asJSON  bool
}

func benchServeCommand() *cobra.Command {
	var o benchConfig
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Load-test a server",
		Long: "Starts a server and plays many games at once over HTTP, with two players each. It " +
			"measures how long a move takes to reach the opponent, and the memory and processor " +
			"time used. It checks that every stream sends every move once and in order; if not, " +
			"the exit code is 1. The players share the machine with the server.",
		Example: "duel bench serve --games 200 --think 0\nduel bench serve --idle 100000\n" +
			"duel bench serve --db postgres://localhost/duel --duration 1m",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd.Flags().Changed); err != nil {
				return err
			}
			return o.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Games, "games", 1000, "games at once")
	f.DurationVar(&o.Think, "think", 2*time.Second, "mean time to think about a move")
	f.DurationVar(&o.Time, "duration", 30*time.Second, "time to play")
	f.StringVar(&o.rules, "rules", "dilemma", "rules, as in 'highest width=4'")
	f.IntVar(&o.Rematches, "rematches", 9, "games that follow the first at a table, up to 49")
	f.IntVar(&o.Watchers, "watchers", 0, "watchers of each game")
	f.IntVar(&o.idle, "idle", 0, "measure idle tables first, and play games only with --games")
	f.Uint64Var(&o.Seed, "seed", 1, seedText)
	f.StringVar(&o.db, "db", "", "a file or postgres://… (default a new file)")
	f.IntVar(&o.servers, "servers", 1,
		"servers on one database; the players of a table use different ones")
	f.StringVar(&o.URL, "url", "", "measure this running server instead of starting one")
	f.StringArrayVar(&o.flags, "server-flag", nil,
		"flag for the server, as in --server-flag=--left-after=5m; repeatable")
	f.StringVar(&o.profile, "profile", "", "write a CPU profile of the server")
	f.BoolVar(&o.keep, "keep", false, "keep the new database")
	f.BoolVar(&o.asJSON, "json", false, jsonText)
	renamed(cmd, "time", "duration")
	return cmd
}

// longestThought is the longest mean time to think. A server closes connections that idle longer.
const longestThought = time.Minute

// check reads the rules and checks the other flags.
func (o *benchConfig) check(given func(flag string) bool) (err error) {
	if o.Rules, err = rulesOf([]string{o.rules}); err != nil {
		return err
	}
	if o.idle > 0 && !given("games") {
		o.Games = 0
	}
	for _, n := range []struct {
		name  string
		value int
	}{{"games", o.Games}, {"rematches", o.Rematches}, {"watchers", o.Watchers}, {"idle", o.idle}} {
		if n.value < 0 {
			return usagef("%s %d: allowed: 0 and more", n.name, n.value)
		}
	}
	switch {
	case o.Games == 0 && o.idle == 0:
		return usagef("games 0: allowed: 1 and more, or --idle")
	case o.Think < 0 || o.Think > longestThought:
		return usagef("think %v: allowed: 0 to %v", o.Think, longestThought)
	case o.Time <= 0:
		return usagef("duration %v: allowed: more than 0", o.Time)
	}
	if o.servers < 1 || o.servers > 1 && !strings.Contains(o.db, "://") {
		return usagef("servers %d: allowed: 1, or more with --db postgres://…", o.servers)
	}
	for _, flag := range []string{"db", "servers", "server-flag", "keep", "profile"} {
		if o.URL != "" && given(flag) {
			return usagef("--%s does not fit --url, which measures a running server", flag)
		}
	}
	o.Patience = load.DefaultPatience
	return nil
}

// run starts a server unless one is given, measures it and prints the figures.
func (o *benchConfig) run(ctx context.Context, out, errs io.Writer) error {
	if o.URL != "" {
		return o.measure(ctx, "the server at "+o.URL, nil, out)
	}
	dir, err := os.MkdirTemp("", "duel-bench-")
	if err != nil {
		return err
	}
	if o.keep {
		fmt.Fprintln(errs, "the database is in", dir)
	} else {
		defer os.RemoveAll(dir)
	}
	store, disk := "PostgreSQL", (func() (int64, error))(nil)
	db := cmp.Or(o.db, filepath.Join(dir, "duel.db"))
	if !strings.Contains(db, "://") {
		store, disk = "SQLite", func() (int64, error) { return load.FileSizes(db) }
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	args := append([]string{"serve", "--addr", "127.0.0.1:0", "--db", db}, unlimited...)
	if o.profile != "" || o.idle > 0 { // load.Idle collects garbage by pprof
		args = append(args, "--pprof")
	}
	var servers load.Processes
	for range o.servers {
		server, err := load.Start(ctx, program, append(args, o.flags...)...)
		if err != nil {
			return errors.Join(err, servers.Stop())
		}
		servers = append(servers, server)
		o.Others = append(o.Others, server.URL)
	}
	o.URL, o.Others, o.Usage = o.Others[0], o.Others[1:], servers.Usage
	return errors.Join(o.measure(ctx, store, disk, out), servers.Stop())
}

// unlimited are the flags of a server that lets one address act for a thousand players.
var unlimited = []string{
	"--rate-address=0", "--rate-seat=0", "--rate-tables=0", "--max-streams=0",
	"--max-streams-address=0", "--max-streams-table=0", "--max-connections-address=0",
}

// measure measures a server with a kind of store and prints the figures. Disk returns the size of
// the database.
func (o *benchConfig) measure(
	ctx context.Context, store string, disk func() (int64, error), out io.Writer,
) error {
	var figures struct {
		Store string           `json:"store"`
		Idle  *load.IdleReport `json:"idle,omitempty"`
		Play  *load.Report     `json:"play,omitempty"`
	}
	figures.Store = store
	if o.idle > 0 {
		r, err := load.Idle(ctx, load.IdleConfig{
			URL: o.URL, Rules: o.Rules, Tables: o.idle, Patience: o.Patience,
			Drop: 5 * time.Minute, Usage: o.Usage, Disk: disk,
		})
		if err != nil {
			return err
		}
		figures.Idle = &r
		if !o.asJSON {
			r.Print(out, store)
		}
	}
	var failed error
	if o.Games > 0 {
		r, err := o.play(ctx)
		if err != nil {
			return err
		}
		figures.Play, failed = &r, r.Err()
		if !o.asJSON {
			r.Print(out, store)
		}
	}
	if o.asJSON {
		return errors.Join(failed, json.NewEncoder(out).Encode(figures))
	}
	return failed
}

// play plays games and writes a profile meanwhile, if there is a file for it.
func (o *benchConfig) play(ctx context.Context) (load.Report, error) {
	c := o.Config
	var profiling sync.WaitGroup
	var profileErr error
	if o.profile != "" {
		c.Started = func() {
			profiling.Go(func() { profileErr = load.Profile(ctx, o.URL, o.profile, o.Time) })
		}
	}
	r, err := load.Run(ctx, c)
	profiling.Wait()
	return r, errors.Join(err, profileErr)
}
