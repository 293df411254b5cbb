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

	"digitduel/digit"
	"digitduel/ui/web/load"
)

func benchCommand() *cobra.Command {
	return group("bench", "Measure this program under load", benchServeCommand())
}

// benchConfig is what the command line asks for.
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
		Short: "Play many games at once at a server, and tell how fast moves arrive and what they cost",
		Long: "Start a server, play many games at once at it over HTTP with two players each, and tell how long a move takes to reach\n" +
			"the opponent, what memory and processor time that takes, and whether every stream told every move once and in order.\n" +
			"If one did not, the exit code is 1. The players share the machine with the server.",
		Example: "  duel bench serve\n  duel bench serve --games 200 --think 0\n  duel bench serve --idle 100000\n" +
			"  duel bench serve --db postgres://localhost/duel --time 1m",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd.Flags().Changed); err != nil {
				return err
			}
			return o.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Games, "games", 1000, "how many games are played at once")
	f.DurationVar(&o.Think, "think", 2*time.Second, "how long a player thinks on average; 0: not at all")
	f.DurationVar(&o.Time, "time", 30*time.Second, "how long to play")
	f.StringVar(&o.rules, "rules", "dilemma", "the game, as in \"highest width=4\"")
	f.IntVar(&o.Rematches, "rematches", 9, "how many games, up to 49, follow the first at a table, before a new one")
	f.IntVar(&o.Watchers, "watchers", 0, "how many watch each game")
	f.IntVar(&o.idle, "idle", 0, "first set up this many tables, let them lie and tell what they cost; no games unless --games is given too")
	f.Uint64Var(&o.Seed, "seed", 1, "makes the moves and thoughts repeatable")
	f.StringVar(&o.db, "db", "", "where the server keeps its tables: a file, or postgres://…; empty: a new file")
	f.IntVar(&o.servers, "servers", 1, "how many servers to start over one database; the players of a table sit at different ones")
	f.StringVar(&o.URL, "url", "", "measure the server that runs here, as in http://127.0.0.1:8080, instead of starting one")
	f.StringArrayVar(&o.flags, "server-flag", nil, "a further flag for the server, as in --server-flag=--left-after=5m")
	f.StringVar(&o.profile, "profile", "", "write a profile of the server's processor time to this file")
	f.BoolVar(&o.keep, "keep", false, "keep the new file")
	f.BoolVar(&o.asJSON, "json", false, "write JSON")
	return cmd
}

// longestThought is how long players think at the most, since a server closes connections on which it is not asked anything for long.
const longestThought = time.Minute

// check reads the rules and refuses what cannot be.
func (o *benchConfig) check(given func(flag string) bool) (err error) {
	if o.Rules, err = digit.ParseRules(o.rules); err != nil {
		return usageError{err}
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
		return usagef("time %v: allowed: more than 0", o.Time)
	}
	if o.servers < 1 || o.servers > 1 && !strings.Contains(o.db, "://") {
		return usagef("servers %d: allowed: 1, or more with a database that servers share: --db postgres://…", o.servers)
	}
	for _, flag := range []string{"db", "servers", "server-flag", "keep", "profile"} {
		if o.URL != "" && given(flag) {
			return usagef("--%s is for a server that is started, and --url measures one that runs", flag)
		}
	}
	o.Patience = load.DefaultPatience
	return nil
}

// run starts a server if none is given, measures it and tells the figures.
func (o *benchConfig) run(ctx context.Context, out, errs io.Writer) error {
	if o.URL != "" {
		return o.measure(ctx, "the server at "+o.URL, nil, out)
	}
	dir, err := os.MkdirTemp("", "duel-bench-")
	if err != nil {
		return err
	}
	if o.keep {
		fmt.Fprintln(errs, "the tables are kept in", dir)
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
	if o.profile != "" || o.idle > 0 { // which also lets it be told to collect garbage
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

// unlimited are the flags of a server that lets one address do what a thousand players do.
var unlimited = []string{"--rate-address=0", "--rate-seat=0", "--rate-tables=0", "--max-streams=0", "--max-streams-address=0", "--max-streams-table=0", "--max-connections-address=0"}

// measure measures a server, which keeps its tables in a store, and tells the figures.
func (o *benchConfig) measure(ctx context.Context, store string, disk func() (int64, error), out io.Writer) error {
	var told struct {
		Store string           `json:"store"`
		Idle  *load.IdleReport `json:"idle,omitempty"`
		Play  *load.Report     `json:"play,omitempty"`
	}
	told.Store = store
	if o.idle > 0 {
		r, err := load.Idle(ctx, load.IdleConfig{
			URL: o.URL, Rules: o.Rules, Tables: o.idle, Patience: o.Patience, Drop: 5 * time.Minute, Usage: o.Usage, Disk: disk,
		})
		if err != nil {
			return err
		}
		told.Idle = &r
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
		told.Play, failed = &r, r.Err()
		if !o.asJSON {
			r.Print(out, store)
		}
	}
	if o.asJSON {
		return errors.Join(failed, json.NewEncoder(out).Encode(told))
	}
	return failed
}

// play plays games and, if it is wanted, has a profile written meanwhile.
func (o *benchConfig) play(ctx context.Context) (load.Report, error) {
	c := o.Config
	var profiling sync.WaitGroup
	var profileErr error
	if o.profile != "" {
		c.Started = func() { profiling.Go(func() { profileErr = load.Profile(ctx, o.URL, o.profile, o.Time) }) }
	}
	r, err := load.Run(ctx, c)
	profiling.Wait()
	return r, errors.Join(err, profileErr)
}
