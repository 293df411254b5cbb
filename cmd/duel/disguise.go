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
	var strict bool
	cmd := &cobra.Command{
		Use:   "disguise GAME [key=value…]",
		Short: "Rename a game's pieces and prove it is unchanged",
		Long: "The seed decides the tokens, places, orders and weights of the disguise. The " +
			"command prints its rules, the names of both games side by side, and the proof, " +
			"which compares all positions of the two games.",
		Example: "duel disguise dilemma --seed 7\n" +
			"duel disguise divisibility target=11 --strict --json",
	}
	flags := cmd.Flags()
	flags.Uint64Var(&seed, "seed", 1, "seed of the disguise")
	flags.BoolVar(&strict, "strict", false, "spell the numbers in the rules as words")
	asJSON := jsonFlag(cmd, jsonText)
	return ofGame(cmd, func(r digit.Rules) error {
		d, proof, err := proveDisguise(cmd.Context(), r, seed)
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(cmd, disguise.Document{
				Rules: d.Rules, Seed: seed, Strict: strict, Text: d.Game.Text(strict),
				Game: d.Game, Map: d.Map(), Certificate: proof,
			})
		}
		return printDisguise(cmd.OutOrStdout(), d, strict, proof)
	})
}

// proveDisguise returns a disguise with its proof.
func proveDisguise(ctx context.Context, r digit.Rules, seed uint64) (
	*disguise.Disguise, disguise.Certificate, error,
) {
	d, proof, err := disguise.Proved(ctx, r, seed, disguise.MostPositions)
	return d, proof, disguiseError(ctx, err)
}

// disguiseError returns the error of a proof, or [cli.ErrInterrupted] if ctx is done.
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

func printDisguise(
	out io.Writer, d *disguise.Disguise, strict bool, proof disguise.Certificate,
) error {
	var b strings.Builder
	b.WriteString(d.Game.Text(strict))
	fmt.Fprintf(&b, "\n--- not for the players ---\n\n%v, seed %d\n", d.Rules, d.Seed)
	m := d.Map()
	for _, names := range []struct {
		kind     string
		to, from map[string]string
	}{{"tokens", m.Tokens, m.Digits}, {"places", m.Places, m.Spots}} {
		fmt.Fprintf(&b, "%s: %s\n", names.kind, pairs(names.to))
		fmt.Fprintf(&b, "back:   %s\n", pairs(names.from))
	}
	fmt.Fprintf(&b, "proved: %d positions and %d moves correspond one to one; %d positions won by "+
		"the first, %d by the second, %d drawn, in both games\n",
		proof.Positions, proof.Moves, proof.FirstWins, proof.SecondWins, proof.Draws)
	_, err := io.WriteString(out, b.String())
	return err
}

// pairs lists the entries of a map in order.
func pairs(of map[string]string) string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(of)) {
		all = append(all, key+"="+of[key])
	}
	return strings.Join(all, " ")
}
