package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"digitduel/digit"
	"digitduel/rulebook"
)

func optionKeys() string { return strings.Join(digit.Keys(), ", ") }

func rulesCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "rules BOOK [key=value…]",
		Short:             "Tell the rules of a game, with the options in force",
		Long:              "Tell the rules of a game in words, with the options in force.\n\nBooks:\n" + bookList(),
		Example:           "  duel rules dilemma\n  duel rules divisibility pool=0-9 zero=barred",
		ValidArgsFunction: completeRules,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := rulesOf(args)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), rulebook.Explain(r))
			return err
		},
	}
}

func perftCommand() *cobra.Command {
	var depth, most int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "perft BOOK [key=value…]",
		Short: "Count positions and games by ply, for checking other implementations",
		Long: "Count the distinct positions that play can reach, those in which the game is over, and the sequences of moves\n" +
			"that end the game, ply by ply.",
		Example:           "  duel perft highest\n  duel perft dilemma zero=counts --json\n  duel perft divisibility pool=0-f --depth 5",
		ValidArgsFunction: completeRules,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := rulesOf(args)
			switch {
			case err != nil:
				return err
			case depth < 0 && cmd.Flags().Changed("depth"):
				return usagef("depth %d: allowed: 0 or more", depth)
			case most < 1:
				return usagef("max-positions %d: allowed: 1 or more", most)
			}
			count, err := perft(r, depth, most)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(count)
			}
			return count.print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().IntVar(&depth, "depth", -1, "the last ply to count")
	cmd.Flags().Lookup("depth").DefValue = "all"
	cmd.Flags().IntVar(&most, "max-positions", 20_000_000, "the most positions of one ply to go on from; each takes about 100 bytes")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

type perftCount struct {
	Rules     digit.Rules   `json:"rules"`
	Plies     []digit.Perft `json:"plies"`
	Positions int           `json:"positions"`
	Games     uint64        `json:"games"`
}

func perft(r digit.Rules, depth, most int) (perftCount, error) {
	count := perftCount{Rules: r}
	for ply := range r.Perft() {
		count.Plies = append(count.Plies, ply)
		count.Positions += ply.Positions
		count.Games += ply.Games
		if ply.Ply == depth {
			break
		}
		if open := ply.Positions - ply.Finished; open > most {
			return count, fmt.Errorf("perft %v: ply %d has %d positions to go on from, more than %d; use --depth %d, or a higher --max-positions",
				r, ply.Ply, open, most, ply.Ply)
		}
	}
	return count, nil
}

func (c perftCount) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "ply\tpositions\tfinished\tgames\t")
	finished := 0
	for _, p := range c.Plies {
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t\n", p.Ply, p.Positions, p.Finished, p.Games)
		finished += p.Finished
	}
	fmt.Fprintf(w, "all\t%d\t%d\t%d\t\n", c.Positions, finished, c.Games)
	return w.Flush()
}
