package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"digitduel/arena"
	"digitduel/solve"
	"digitduel/ui/cli"
)

func printSummary(cmd *cobra.Command, s *arena.Summary, asJSON bool) error {
	if asJSON {
		return printJSON(cmd, s)
	}
	return s.Print(cmd.OutOrStdout())
}

func matchReportCommand() *cobra.Command {
	var asJSON bool
	var svg string
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Tell what the games of a match come to",
		Long: "Read the games of a match, or of a run of an agent (duel mcp --out DIR), check each of them, and tell what they come to, whether\n" +
			"or not it is over. Where a game is missing there is no score.\n" +
			"Games with forfeits kept by an older version are solved.",
		Example: "  duel match report runs/x\n  duel match report runs/x --json\n  duel match report runs/x --svg table.svg",
		Args:    oneMatch("report"),
	}
	memoryFlag(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.Flags().StringVar(&svg, "svg", "", "draw the table into this file")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		folder, plan, err := planOf(args[0])
		if err != nil {
			return err
		}
		budget, err := budgetOf(cmd)
		if err != nil {
			return err
		}
		solver := &solve.Solver{Config: solve.Config{Budget: budget}}
		standing, err := folder.Standing(cmd.Context(), plan, solver)
		if cmd.Context().Err() != nil {
			return fmt.Errorf("%s: %w", args[0], cli.ErrInterrupted)
		}
		if err != nil {
			return err
		}
		summary := standing.Summary()
		if svg != "" {
			if err := writePicture(svg, summary.Draw); err != nil {
				return err
			}
		}
		return printSummary(cmd, &summary, asJSON)
	}
	return cmd
}

// planOf returns the folder of a match or a run, and its plan.
func planOf(dir string) (arena.Folder, *arena.Plan, error) {
	folder := arena.Folder(dir)
	plan, err := folder.Plan()
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, fmt.Errorf("%s: there is no match in it, and no run: they have a %s", dir, arena.PlanFile)
	}
	return folder, plan, err
}

// oneMatch wants the folder of one match.
func oneMatch(command string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usagef("%s: the folder of one match is wanted, as in duel match %[1]s runs/x", command)
		}
		return nil
	}
}

func matchCheckCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check DIR",
		Short: "Check every figure of every game of a match against the solution",
		Long: "Play the games of a match, or of a run of an agent (duel mcp --out DIR), again from its plan, solve them, and work out anew every figure of\n" +
			"every line, and every move of a level that follows from the plan. Each difference is a line with the number of the game, and\n" +
			"makes it fail. What only the clock or a program knew cannot be worked out: ms, tries, faults, tokens and cost.",
		Example: "  duel match check runs/x\n  duel match check runs/x --json",
		Args:    oneMatch("check"),
	}
	solveGame := solving(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		folder, plan, err := planOf(args[0])
		if err != nil {
			return err
		}
		games, tables, err := folder.Games()
		if err != nil {
			return err
		}
		audit, err := arena.CheckRun(cmd.Context(), plan, games, tables, solvingLast(cmd.Context(), solveGame))
		if cmd.Context().Err() != nil {
			return fmt.Errorf("%s: %w", args[0], cli.ErrInterrupted)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		if asJSON {
			err = printJSON(cmd, audit)
		} else {
			err = audit.Print(cmd.OutOrStdout())
		}
		if n := len(audit.Differences); err == nil && n > 0 {
			err = fmt.Errorf("%s: it is not what it says to be", filepath.Join(args[0], arena.GamesFile))
		}
		return err
	}
	return cmd
}
