package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"digitduel/ui/web/load"
)

func benchCommand() *cobra.Command {
	cmd := group("bench", "Measure this program under load", benchServeCommand())
	cmd.Hidden = true
	return cmd
}

// benchConfig holds the flags of duel bench serve.
type benchConfig struct {
	load.Bench
	rules, url string
}

func benchServeCommand() *cobra.Command {
	var o benchConfig
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Load-test a server",
		Long: "Starts a server and plays many games at once over HTTP, with two players each. It " +
			"measures how long a move takes to reach the opponent, and the memory and processor " +
			"time of the server. It checks that every stream sends every move once and in order; " +
			"if not, the exit code is 1. The players share the machine with the server.",
		Example: "duel bench serve --games 200 --think 0\n" +
			"duel bench serve --db postgres://localhost/duel --duration 1m",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd.Flags()); err != nil {
				return err
			}
			return o.Run(cmd.Context(), cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Games, "games", 1000, "games at once")
	f.DurationVar(&o.Think, "think", 2*time.Second, "mean time to think about a move")
	f.DurationVar(&o.Time, "duration", 30*time.Second, "time to play")
	f.StringVar(&o.rules, "rules", "dilemma", "rules, as in 'highest width=4'")
	f.IntVar(&o.Rematches, "rematches", 9, "games that follow the first at a table, up to 49")
	f.IntVar(&o.Watchers, "watchers", 0, "watchers of each game")
	f.Uint64Var(&o.Seed, "seed", 1, seedText)
	f.StringVar(&o.DB, "db", "", "a file or postgres://… (default a new file)")
	f.IntVar(&o.Servers, "servers", 1,
		"servers on one database; the players of a table use different ones")
	f.StringVar(&o.url, "url", "", "measure this running server instead of starting one")
	f.StringArrayVar(&o.Flags, "server-flag", nil,
		"flag for the server, as in --server-flag=--left-after=5m; repeatable")
	f.BoolVar(&o.JSON, "json", false, jsonText)
	renamed(cmd, "time", "duration")
	return cmd
}

// longestThought is the longest mean time to think. A server closes connections that idle longer.
const longestThought = time.Minute

// mostGames is the largest number of games, which need more files than most systems allow.
const mostGames = 100_000

// check reads the rules and checks the other flags.
func (o *benchConfig) check(flags *pflag.FlagSet) (err error) {
	if o.Rules, err = rulesOf(o.rules); err != nil {
		return err
	}
	switch {
	case o.Games < 1 || o.Games > mostGames:
		return usagef("games %d: allowed: 1 to %d", o.Games, mostGames)
	case o.Rematches < 0 || o.Rematches > 49:
		return usagef("rematches %d: allowed: 0 to 49", o.Rematches)
	case o.Watchers < 0:
		return usagef("watchers %d: allowed: 0 and more", o.Watchers)
	case o.Think < 0 || o.Think > longestThought:
		return usagef("think %v: allowed: 0 to %v", o.Think, longestThought)
	case o.Time <= 0:
		return usagef("duration %v: allowed: more than 0", o.Time)
	case o.Servers < 1 || o.Servers > 1 && !strings.Contains(o.DB, "://"):
		return usagef("servers %d: allowed: 1, or more with --db postgres://…", o.Servers)
	}
	if o.url == "" {
		return nil
	}
	o.URLs = []string{o.url}
	if flag := firstGiven(flags, "db", "servers", "server-flag"); flag != "" {
		return usagef("--%s does not fit --url, which measures a running server", flag)
	}
	return nil
}
