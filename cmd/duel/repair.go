package main

import (
	"github.com/spf13/cobra"

	"digitduel/digit"
	"digitduel/lab"
	"digitduel/solve"
	"digitduel/ui/cli"
)

func repairCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "repair GAME [key=value…]",
		Short: "Suggest fairer rules",
		Long: "Tries similar rule sets in which neither player can force a win, a swap after the " +
			"first move, forbidden first moves, random openings, and pairs of games. Each " +
			"suggestion, best first, has a proof and a command that checks it.",
		Example: "duel lab repair dilemma\nduel lab repair divisibility target=25 --json",
	}
	memoryFlag(cmd)
	asJSON := jsonFlag(cmd, jsonText)
	return ofGame(cmd, func(r digit.Rules) error {
		s, err := solving(cmd)(r)
		if err != nil {
			return err
		}
		progress := newProgress(cmd)
		sweep := lab.Sweep{Budget: solve.DefaultBudget / 8}
		repairs, err := lab.Repairs(cmd.Context(), s, sweep, progress.Show)
		progress.Clear()
		if err != nil {
			return stoppedAt(cmd.Context(), r, err)
		}
		if *asJSON {
			return printJSON(cmd, lab.Repaired{Rules: r, Repairs: repairs})
		}
		cli.PrintRepairs(cmd.OutOrStdout(), r, repairs)
		return nil
	})
}
