package main

import (
	"encoding/json"
	"math/rand/v2"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"digitduel/digit"
	"digitduel/solve"
)

// The text of flags that several commands have.
const (
	jsonText   = "write JSON"
	memoryText = "memory limit in MiB"
	seedText   = "random seed"
)

// lineFlags adds the flags for line mode.
func lineFlags(cmd *cobra.Command) {
	cmd.Flags().Bool("line", false, "line mode")
	cmd.Flags().Bool("plain", false, "line mode without colour or editing")
}

// isSet reports whether a command has a switch that is on.
func isSet(cmd *cobra.Command, name string) bool {
	on, err := cmd.Flags().GetBool(name)
	return err == nil && on
}

// firstGiven returns the first of some flags that is on the command line, or "".
func firstGiven(flags *pflag.FlagSet, names ...string) string {
	if i := slices.IndexFunc(names, flags.Changed); i >= 0 {
		return names[i]
	}
	return ""
}

// seedOf returns the seed of a command, or a random one if none is given.
func seedOf(cmd *cobra.Command) uint64 {
	seed, err := cmd.Flags().GetUint64("seed")
	if err != nil || !cmd.Flags().Changed("seed") {
		return rand.Uint64()
	}
	return seed
}

// memoryFlag adds the flag that budgetOf reads.
func memoryFlag(cmd *cobra.Command) {
	cmd.Flags().Int64("memory", solve.DefaultBudget>>20, memoryText)
}

// budgetOf returns the memory limit of a command in bytes.
func budgetOf(cmd *cobra.Command) (int64, error) {
	mebibytes, err := cmd.Flags().GetInt64("memory")
	switch {
	case err != nil: // it has no such flag
		return solve.DefaultBudget, nil
	case mebibytes < 1 || mebibytes > 1<<20:
		return 0, usagef("memory %d: allowed: 1 to %d MiB", mebibytes, 1<<20)
	}
	return mebibytes << 20, nil
}

// jsonFlag adds the flag --json.
func jsonFlag(cmd *cobra.Command, text string) *bool {
	return cmd.Flags().Bool("json", false, text)
}

// printJSON prints a value as JSON.
func printJSON(cmd *cobra.Command, v any) error {
	return json.NewEncoder(cmd.OutOrStdout()).Encode(v)
}

// one returns a check that a command has one argument.
func one(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usagef("%s: need one %s, not %d", pathOf(cmd), what, len(args))
		}
		return nil
	}
}

// ofGame makes a command take a game, with whose rules it calls run.
func ofGame(cmd *cobra.Command, run func(digit.Rules) error) *cobra.Command {
	cmd.Args, cmd.ValidArgsFunction = needsGame, completeRules
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		r, err := rulesOf(args...)
		if err != nil {
			return err
		}
		return run(r)
	}
	return cmd
}
