package main

import (
	"github.com/spf13/cobra"

	"digitduel/digit"
	"digitduel/lab"
	"digitduel/solve"
	"digitduel/ui/cli"
)

func repairCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "repair BOOK [key=value…]",
		Short: "Look for ways to make a game fairer, each with its proof",
		Long: "Look for ways to make a game fairer: rulesets nearby in which nobody can force a win, choosing sides after the first move,\n" +
			"forbidden first moves, lots among openings, and pairs of games. Each comes with its proof and a command that checks it, the\n" +
			"best first; what does not help is told at the end.",
		Example:           "  duel lab repair dilemma\n  duel lab repair divisibility target=25 --json",
		ValidArgsFunction: completeRules,
	}
	solveGame := solving(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, err := rulesOf(args)
		if err != nil {
			return err
		}
		s, err := solveGame(cmd.Context(), r)
		if err != nil {
			return err
		}
		progress := newProgress(cmd)
		repairs, err := lab.Repairs(cmd.Context(), s, lab.Sweep{Budget: solve.DefaultBudget / 8}, progress.Show)
		progress.Clear()
		if err != nil {
			return stoppedAt(cmd.Context(), r, err)
		}
		if asJSON {
			return printJSON(cmd, struct {
				Rules   digit.Rules  `json:"rules"`
				Repairs []lab.Repair `json:"repairs"`
			}{r, repairs})
		}
		return cli.PrintRepairs(cmd.OutOrStdout(), r, repairs)
	}
	return cmd
}
