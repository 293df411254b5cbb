package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/digit"
)

func disguiseCommand() *cobra.Command {
	var seed string
	var strict bool
	cmd := &cobra.Command{
		Use:   "disguise GAME [key=value…]",
		Short: "Rename a game's pieces and prove it is unchanged",
		Long: "The seed decides the tokens, places, orders and weights of the disguise. With " +
			"SEED:words only the names change. The command prints its rules, the names of both " +
			"games side by side, and the proof, which compares all positions of the two games.",
		Example: "duel disguise dilemma --seed 7\n" +
			"duel disguise dilemma --seed 7:words\n" +
			"duel disguise divisibility target=11 --strict --json",
	}
	flags := cmd.Flags()
	flags.StringVar(&seed, "seed", "1", "seed of the disguise, or SEED:words for names only")
	flags.BoolVar(&strict, "strict", false, "spell the numbers in the rules as words")
	asJSON := jsonFlag(cmd, jsonText)
	return ofGame(cmd, func(r digit.Rules) error {
		spec, err := disguise.ParseSpec(seed)
		if err != nil || spec.Disguise == nil {
			return usagef("seed %q: allowed: a seed, such as 7, or 7:words for names only", seed)
		}
		d, proof, err := spec.ProvedDisguise(cmd.Context(), r, disguise.MostPositions)
		if err != nil {
			return orInterrupted(cmd.Context(), "disguise", err)
		}
		if *asJSON {
			return printJSON(cmd, disguise.Document{
				Rules: d.Rules, Seed: d.Seed, Arm: spec.Arm(), Strict: strict,
				Text: d.Game.Text(strict), Game: d.Game, Map: d.Map(), Certificate: proof,
			})
		}
		printDisguise(cmd.OutOrStdout(), d, seed, strict, proof)
		return nil
	})
}

// openIn returns a function that starts the programs of a match.
func openIn(
	ctx context.Context, plan *arena.Plan,
) (func(context.Context, string) (arena.Engine, error), error) {
	open, err := arena.OpenPlayers(ctx, plan)
	return open, orInterrupted(ctx, "disguise", err)
}

func printDisguise(
	out io.Writer, d *disguise.Disguise, seed string, strict bool, proof disguise.Certificate,
) {
	fmt.Fprintf(out, "%s\n--- not for the players ---\n\n%v, seed %s\n",
		d.Game.Text(strict), d.Rules, seed)
	m := d.Map()
	for _, names := range []struct {
		kind     string
		to, from map[string]string
	}{{"tokens", m.Tokens, m.Digits}, {"places", m.Places, m.Spots}} {
		fmt.Fprintf(out, "%s: %s\nback:   %s\n",
			names.kind, pairs(names.to), pairs(names.from))
	}
	fmt.Fprintf(out, "proved: %d positions and %d moves correspond one to one; %d positions won "+
		"by the first, %d by the second, %d drawn, in both games\n",
		proof.Positions, proof.Moves, proof.FirstWins, proof.SecondWins, proof.Draws)
}

// pairs lists the entries of a map in order.
func pairs(of map[string]string) string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(of)) {
		all = append(all, key+"="+of[key])
	}
	return strings.Join(all, " ")
}
