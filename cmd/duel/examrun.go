package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"digitduel/arena"
	"digitduel/ui/cli"
)

func examRunCommand() *cobra.Command {
	var c arena.Candidate
	var out string
	cmd := &cobra.Command{
		Use:   "run ITEMS",
		Short: "Let a player answer an exam",
		Long: "Writes a JSON line for each answer at once. With --out, the same command resumes " +
			"an interrupted run, and replaces the answers of a finished one. An item that a " +
			"program does not answer stays open. A program that answers disguised items needs " +
			"the option Words: see docs/protocol.md.",
		Example: "duel exam run items.jsonl --player expert > answers.jsonl\n" +
			"duel exam run items.jsonl --player 'engine:python3 my.py' --out a.jsonl",
		Args: one("file of items"),
	}
	memoryFlag(cmd)
	flags := cmd.Flags()
	flags.StringVar(&c.Player, "player", "perfect",
		"a level or engine:COMMAND: see duel help levels")
	flags.DurationVar(&c.MoveTime, "move-time", time.Second, moveTimeText)
	flags.Uint64Var(&c.Seed, "seed", 1, seedText)
	flags.StringVar(&out, "out", "", "file for the answers (default standard output)")
	renamed(cmd, "movetime", "move-time")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkPlayers([]string{c.Player}); err != nil {
			return err
		}
		if c.MoveTime < time.Millisecond {
			return usagef("move-time %v: allowed: 1ms or more", c.MoveTime)
		}
		c.Solve = solving(cmd)
		return runExam(cmd, &c, args[0], out)
	}
	return cmd
}

// moveTimeText is the text of the flag --move-time.
const moveTimeText = "time for a program to choose a move"

// runExam lets a candidate answer the open items of a file.
func runExam(cmd *cobra.Command, c *arena.Candidate, path, out string) (err error) {
	items, err := arena.ReadItems(path)
	if err != nil {
		return err
	}
	if _, isProgram := arena.Command(c.Player); items.Words != nil && !isProgram {
		return fmt.Errorf("%s: levels cannot read disguised items; use an engine:COMMAND with the "+
			"option Words", path)
	}
	a, err := arena.NewAnswers(c, items, cmd.OutOrStdout())
	if err != nil {
		return err
	}
	if out != "" {
		if info, err := os.Stat(out); err == nil && !info.Mode().IsRegular() {
			return usagef("out %s: not a file", out)
		}
		if err := a.Open(out); errors.Is(err, arena.ErrOtherAnswers) {
			return usagef("%s: has answers to other items, or with another --player, --seed or "+
				"--move-time; choose another file", out)
		} else if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, a.Close()) }()
	}
	if a.Given > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "duel: %s: %d of %d items were answered before\n",
			out, a.Given, len(items.Items)+len(items.Words))
	}
	err = c.Sit(cmd.Context(), items, a)
	if err != nil && cmd.Context().Err() != nil {
		return fmt.Errorf("exam: %v: %w", a, cli.ErrInterrupted)
	}
	if err != nil && a.Given > 0 {
		return fmt.Errorf("%w; %v", err, a)
	}
	return err
}
