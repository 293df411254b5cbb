package main

import (
	"bytes"
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
	var svg string
	var levelGames int
	var seed uint64
	var config lab.Config
	cmd := &cobra.Command{
		Use:   "lab GAME [key=value…]",
		Short: "Measure how fair a game is",
		Long: "Shows who wins, the score of Player 1 when both players make mistakes more or " +
			"less often, how long and tense games are, and how to make the game fairer. The " +
			"figures are exact, from all positions. docs/lab.md explains them.",
		Example: "duel lab dilemma\nduel lab sevens --svg sevens.svg\n" +
			"duel lab sweep divisibility target=2..130 --sort bias",
	}
	cmd.AddCommand(sweepCommand(), repairCommand())
	memoryFlag(cmd)
	asJSON := jsonFlag(cmd, jsonText)
	flags := cmd.Flags()
	flags.StringVar(&svg, "svg", "", "draw the figures")
	flags.IntVar(&levelGames, "level-games", 0, "games that each level plays against itself")
	flags.Int64Var(&config.Most, "max-positions", lab.MostClasses,
		"refuse a game with more positions, equal ones counted once")
	flags.Uint64Var(&seed, "seed", 1, seedText)
	renamed(cmd, "levels", "level-games", "positions", "max-positions")
	return ofGame(cmd, func(r digit.Rules) error {
		switch {
		case config.Most < 1:
			return usagef("max-positions %d: allowed: 1 or more", config.Most)
		case levelGames != 0 && levelGames < 2:
			return usagef("level-games %d: allowed: 2 or more, or 0 for none", levelGames)
		}
		if err := mayWrite("svg", svg); err != nil {
			return err
		}
		s, err := solving(cmd)(r)
		if err != nil {
			return err
		}
		report, err := measure(cmd, s, config)
		if err != nil {
			return err
		}
		var played []lab.LevelResult
		if levelGames > 0 {
			played, err = lab.PlayLevels(cmd.Context(), s, seed, levelGames)
			if err != nil {
				return orInterrupted(cmd.Context(), "measuring "+r.String(), err)
			}
		}
		draw := func(out io.Writer) error { return lab.Draw(out, report, s) }
		if err := writeFile(svg, draw); err != nil {
			return err
		}
		if *asJSON {
			return printJSON(cmd, lab.Measured{Report: report, Levels: played})
		}
		cli.PrintLab(cmd.OutOrStdout(), report, played)
		return nil
	})
}

// writeFile writes the file of a flag, if the flag is given.
func writeFile(path string, write func(io.Writer) error) error {
	var content bytes.Buffer
	if path == "" {
		return nil
	}
	if err := write(&content); err != nil {
		return err
	}
	return os.WriteFile(path, content.Bytes(), 0o644)
}

// mayWrite checks before long work that the file of a flag, if it is given, can be written. It
// creates none.
func mayWrite(flag, path string) error {
	if path == "" {
		return nil
	}
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

// cannotWrite returns the error for the file of a flag that cannot be written.
func cannotWrite(flag, path string, err error) error {
	if why, ok := errors.AsType[*os.PathError](err); ok {
		err = why.Err
	}
	return fmt.Errorf("%s %s: cannot write: %w", flag, path, err)
}

// measure measures a game, and shows its progress on a terminal.
func measure(cmd *cobra.Command, s *solve.Solution, c lab.Config) (lab.Report, error) {
	if terminal(cmd.ErrOrStderr()) != nil {
		progress := cli.NewProgress(cmd.ErrOrStderr(), true)
		defer progress.Clear()
		c.Progress = progress.Show
	}
	report, err := lab.Measure(cmd.Context(), s, c)
	return report, orInterrupted(cmd.Context(), "measuring "+s.Rules().String(), err)
}

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
			return orInterrupted(cmd.Context(), "measuring "+r.String(), err)
		}
		if *asJSON {
			return printJSON(cmd, lab.Repaired{Rules: r, Repairs: repairs})
		}
		cli.PrintRepairs(cmd.OutOrStdout(), r, repairs)
		return nil
	})
}
