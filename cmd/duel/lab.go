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
		if svg != "" {
			if err := mayWrite("svg", svg); err != nil {
				return err
			}
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
				return stoppedAt(cmd.Context(), r, err)
			}
		}
		if svg != "" {
			draw := func(out io.Writer) error { return lab.Draw(out, report, s) }
			if err := writePicture(svg, draw); err != nil {
				return err
			}
		}
		if *asJSON {
			return printJSON(cmd, lab.Measured{Report: report, Levels: played})
		}
		cli.PrintLab(cmd.OutOrStdout(), report, played)
		return nil
	})
}

// writePicture writes a picture to a file.
func writePicture(path string, draw func(io.Writer) error) error {
	var picture bytes.Buffer
	if err := draw(&picture); err != nil {
		return err
	}
	return os.WriteFile(path, picture.Bytes(), 0o644)
}

// mayWrite checks before long work that the file of a flag can be written. It creates none.
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

// cannotWrite returns the error for the file of a flag that cannot be written.
func cannotWrite(flag, path string, err error) error {
	if why, ok := errors.AsType[*os.PathError](err); ok {
		err = why.Err
	}
	return fmt.Errorf("%s %s: cannot write: %w", flag, path, err)
}

// measure measures a game, and shows its progress on a terminal.
func measure(cmd *cobra.Command, s *solve.Solution, c lab.Config) (lab.Report, error) {
	if _, ok := terminal(cmd.ErrOrStderr()); ok {
		progress := cli.NewProgress(cmd.ErrOrStderr(), true)
		defer progress.Clear()
		c.Progress = progress.Show
	}
	report, err := lab.Measure(cmd.Context(), s, c)
	return report, stoppedAt(cmd.Context(), s.Rules(), err)
}

// stoppedAt returns err, or [cli.ErrInterrupted] if ctx is done.
func stoppedAt(ctx context.Context, r digit.Rules, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("measuring %v: %w", r, cli.ErrInterrupted)
	}
	return err
}
