package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/digit"
	"digitduel/ui/cli"
)

func disguiseCommand() *cobra.Command {
	var seed uint64
	var strict, asJSON bool
	cmd := &cobra.Command{
		Use:   "disguise BOOK [key=value…]",
		Short: "Dress a game in other words, and prove that it is the same game",
		Long: "Give a game other tokens, places, orders and weights by a seed: its rules in words, the map both ways, and what was compared\n" +
			"in both games, position by position, to prove that they are the same. The same seed gives the same disguise.",
		Example:           "  duel disguise dilemma --seed 7\n  duel disguise divisibility target=11 --seed 7 --strict\n  duel disguise highest --seed 7 --json",
		ValidArgsFunction: completeRules,
	}
	flags := cmd.Flags()
	flags.Uint64Var(&seed, "seed", 1, "of the disguise")
	flags.BoolVar(&strict, "strict", false, "no digit in the rules: numbers are words")
	flags.BoolVar(&asJSON, "json", false, "write JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, err := rulesOf(args)
		if err != nil {
			return err
		}
		d, proof, err := proveDisguise(cmd.Context(), r, seed)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(cmd, struct {
				Rules       digit.Rules          `json:"rules"`
				Seed        uint64               `json:"seed"`
				Strict      bool                 `json:"strict"`
				Text        string               `json:"text"`
				Game        *disguise.Game       `json:"game"`
				Map         disguise.Map         `json:"map"`
				Certificate disguise.Certificate `json:"certificate"`
			}{d.Rules, seed, strict, d.Game.Text(strict), &d.Game, d.Map(), proof})
		}
		return printDisguise(cmd.OutOrStdout(), d, strict, proof)
	}
	return cmd
}

// proveDisguise returns a disguise that is proved.
func proveDisguise(ctx context.Context, r digit.Rules, seed uint64) (*disguise.Disguise, disguise.Certificate, error) {
	d, proof, err := disguise.Proved(ctx, r, seed, disguise.MostPositions)
	return d, proof, disguiseError(ctx, err)
}

// disguiseError returns the error of a proof, which may have been interrupted.
func disguiseError(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(err, cli.ErrInterrupted) {
		return fmt.Errorf("disguise: %w", cli.ErrInterrupted)
	}
	return err
}

// openIn returns a function that starts the programs of a match.
func openIn(
	ctx context.Context, plan *arena.Plan,
) (func(context.Context, string) (arena.Engine, error), error) {
	open, err := arena.OpenPlayers(ctx, plan)
	return open, disguiseError(ctx, err)
}

func printDisguise(out io.Writer, d *disguise.Disguise, strict bool, proof disguise.Certificate) error {
	var b strings.Builder
	b.WriteString(d.Game.Text(strict))
	fmt.Fprintf(&b, "\n--- not for the players ---\n\n%v, seed %d\n", d.Rules, d.Seed)
	m := d.Map()
	for _, one := range []struct {
		what    string
		to, fro map[string]string
	}{{"tokens", m.Tokens, m.Digits}, {"places", m.Places, m.Spots}} {
		fmt.Fprintf(&b, "%s: %s\n", one.what, pairs(one.to))
		fmt.Fprintf(&b, "back:   %s\n", pairs(one.fro))
	}
	fmt.Fprintf(&b, "proved: %d positions and %d moves correspond one to one; %d positions won by the first, %d by the second, %d drawn, in both games\n",
		proof.Positions, proof.Moves, proof.FirstWins, proof.SecondWins, proof.Draws)
	_, err := io.WriteString(out, b.String())
	return err
}

// pairs lists what stands for what, in order.
func pairs(of map[string]string) string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(of)) {
		all = append(all, key+"="+of[key])
	}
	return strings.Join(all, " ")
}
