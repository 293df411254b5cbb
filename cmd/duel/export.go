package main

import (
	"bufio"
	"encoding/json"

	"github.com/spf13/cobra"

	"digitduel/digit"
	"digitduel/ui/cli"
)

func exportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export GAME [key=value…]",
		Short: "Write every position with its exact value",
		Long: "Writes a JSON line for each position in which the game is not over, in the order " +
			"of their plies: the value of the position, and of every legal move for the player " +
			"making it. docs/data.md explains how to split such data.",
		Example: "duel export dilemma --jsonl > dilemma.jsonl\n" +
			"duel export highest width=4 --jsonl | gzip > highest4.jsonl.gz",
	}
	memoryFlag(cmd)
	cmd.Flags().Bool("jsonl", true, "write JSON lines, the only format")
	return ofGame(cmd, func(r digit.Rules) error {
		s, err := solving(cmd)(r)
		if err == nil {
			err = s.CheckCensus()
		}
		if err != nil {
			return err
		}
		out := bufio.NewWriter(cmd.OutOrStdout())
		lines := json.NewEncoder(out)
		for sample := range s.Samples() {
			if cmd.Context().Err() != nil {
				return cli.ErrInterrupted
			}
			if err := lines.Encode(sample); err != nil {
				return err
			}
		}
		return out.Flush()
	})
}
