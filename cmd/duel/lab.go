package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"digitduel/digit"
	"digitduel/lab"
	"digitduel/solve"
	"digitduel/ui/cli"
)

func labCommand() *cobra.Command {
	var asJSON bool
	var svg string
	var levels int
	var config lab.Config
	cmd := &cobra.Command{
		Use:   "lab BOOK [key=value…]",
		Short: "Measure how even a game is, for beginners and for experts",
		Long: "Measure how even a game is: who wins and how, what Player 1 gets when both players slip more or less often, how long\n" +
			"games are, how tense, and what to do about it. All figures are exact, worked out over all positions. A game with too many\n" +
			"of them is sampled; then seed, number of games and standard error are told.",
		Example:           "  duel lab dilemma\n  duel lab divisibility target=127 --json\n  duel lab sevens --svg sevens.svg\n  duel lab sweep divisibility target=2..130 --sort bias",
		ValidArgsFunction: completeRules,
	}
	cmd.AddCommand(sweepCommand(), repairCommand())
	solveGame := solving(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "write JSON")
	flags.StringVar(&svg, "svg", "", "draw the curve, the lengths and the first moves into this file")
	flags.IntVar(&levels, "levels", 0, "let computer players of each level play so many games, and tell what came of them")
	flags.Uint64Var(&config.Seed, "seed", 1, "of games that are played or sampled")
	flags.IntVar(&config.Games, "games", lab.SampledGames, "how many games to sample, where that is needed")
	flags.Int64Var(&config.Most, "positions", lab.MostClasses, "the most positions, like ones counted once, to go through; where there are more, games are sampled")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, err := rulesOf(args)
		switch {
		case err != nil:
			return err
		case config.Games < 2:
			return usagef("games %d: allowed: 2 or more", config.Games)
		case config.Most < 1:
			return usagef("positions %d: allowed: 1 or more", config.Most)
		case levels != 0 && levels < 2:
			return usagef("levels %d: allowed: 2 or more games, or 0 for none", levels)
		}
		if svg != "" {
			if err := mayWrite("svg", svg); err != nil {
				return err
			}
		}
		s, err := solveGame(cmd.Context(), r)
		if err != nil {
			return err
		}
		report, err := measure(cmd, s, config)
		if err != nil {
			return err
		}
		var played []lab.LevelResult
		if levels > 0 {
			if played, err = lab.PlayLevels(cmd.Context(), s, config.Seed, levels); err != nil {
				return stoppedAt(cmd.Context(), r, err)
			}
		}
		if svg != "" {
			draw := func(out io.Writer) error { return lab.Draw(out, report, s) }
			if err := writePicture(svg, draw); err != nil {
				return err
			}
		}
		if asJSON {
			return printJSON(cmd, struct {
				lab.Report
				Levels []lab.LevelResult `json:"levels,omitempty"`
			}{report, played})
		}
		return cli.PrintLab(cmd.OutOrStdout(), report, played)
	}
	return cmd
}

// writePicture draws a picture into a file.
func writePicture(path string, draw func(io.Writer) error) error {
	var picture bytes.Buffer
	if err := draw(&picture); err != nil {
		return err
	}
	return os.WriteFile(path, picture.Bytes(), 0o644)
}

// mayWrite finds out, before long work, whether the file of a flag can be written. It leaves none that was not there.
func mayWrite(flag, path string) error {
	_, missing := os.Stat(path)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return cannotWrite(flag, path, err)
	}
	if err := file.Close(); err != nil || missing == nil {
		return err
	}
	return os.Remove(path)
}

// cannotWrite says that the file of a flag cannot be written, and why.
func cannotWrite(flag, path string, err error) error {
	if why, ok := errors.AsType[*os.PathError](err); ok {
		err = why.Err
	}
	return fmt.Errorf("%s %s: it cannot be written: %w", flag, path, err)
}

// measure measures a game, and shows how it goes on if that takes a while on a terminal.
func measure(cmd *cobra.Command, s *solve.Solution, c lab.Config) (lab.Report, error) {
	if _, ok := terminal(cmd.ErrOrStderr()); ok {
		progress := cli.NewProgress(cmd.ErrOrStderr())
		defer progress.Clear()
		c.Progress = progress.Show
	}
	report, err := lab.Measure(cmd.Context(), s, c)
	return report, stoppedAt(cmd.Context(), s.Rules(), err)
}

// stoppedAt returns an error, or that the work on a game was interrupted.
func stoppedAt(ctx context.Context, r digit.Rules, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("measuring %v: %w", r, cli.ErrInterrupted)
	}
	return err
}
