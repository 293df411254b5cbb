package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"digitduel/arena"
	"digitduel/ui/cli"
)

// printReport prints a report as text or as JSON.
func printReport(
	cmd *cobra.Command, r interface{ Print(out io.Writer) error }, asJSON bool,
) error {
	if asJSON {
		return printJSON(cmd, r)
	}
	return r.Print(cmd.OutOrStdout())
}

func matchReportCommand() *cobra.Command {
	var svg, csv string
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Show the results of a match",
		Long: "DIR is the folder of a match, or of an agent's run (duel mcp --out DIR), finished " +
			"or not. Each game is checked. If games are missing, the score is a range.",
		Example: "duel match report runs/x\nduel match report runs/x --svg table.svg --csv t.csv",
		Args:    one("folder of a match"),
	}
	asJSON := jsonFlag(cmd, jsonText)
	cmd.Flags().StringVar(&svg, "svg", "", "draw the table of results")
	cmd.Flags().StringVar(&csv, "csv", "", "write the figures of each player as a table")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		folder, plan, err := planOf(args[0])
		if err != nil {
			return err
		}
		standing, err := folder.Standing(plan)
		if err != nil {
			return err
		}
		summary := standing.Summary()
		err = errors.Join(writeFile(svg, summary.Draw), writeFile(csv, summary.CSV))
		if err != nil {
			return err
		}
		return printReport(cmd, &summary, *asJSON)
	}
	return cmd
}

// planOf reads the plan in the folder of a match or a run.
func planOf(dir string) (arena.Folder, *arena.Plan, error) {
	folder := arena.Folder(dir)
	plan, err := folder.Plan()
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, fmt.Errorf("%s: no match or run: missing %s", dir, arena.PlanFile)
	}
	return folder, plan, err
}

func matchCheckCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check DIR",
		Short: "Verify a match against the solution",
		Long: "DIR is the folder of a match, or of an agent's run (duel mcp --out DIR). The " +
			"command replays the games by the plan, solves them, and compares every figure and " +
			"every move of a level. It prints a line for each difference, and then fails. It " +
			"cannot verify ms, tries, faults, tokens and cost.",
		Example: "duel match check runs/x\nduel match check runs/x --json",
		Args:    one("folder of a match"),
	}
	memoryFlag(cmd)
	asJSON := jsonFlag(cmd, jsonText)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		folder, plan, err := planOf(args[0])
		if err != nil {
			return err
		}
		games, tables, err := folder.Games()
		if err != nil {
			return err
		}
		audit, err := arena.CheckRun(cmd.Context(), plan, games, tables, solving(cmd))
		if cmd.Context().Err() != nil {
			err = cli.ErrInterrupted
		}
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		err = printReport(cmd, audit, *asJSON)
		if n := len(audit.Differences); err == nil && n > 0 {
			err = fmt.Errorf("%s: %d differences", filepath.Join(args[0], arena.GamesFile), n)
		}
		return err
	}
	return cmd
}
