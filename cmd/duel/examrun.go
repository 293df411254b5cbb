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
		Short: "Let a level or a program answer the items of an exam",
		Long: "Let a player answer the items of an exam, one JSON line each, written as it comes. With --out the same command goes on with a run\n" +
			"that was broken off, by Ctrl-C too; what a run that is over has left there is replaced. A program that does not answer leaves an item\n" +
			"open. Items in the words of a disguise are answered in these words, by a program that has the option Words: docs/protocol.md says how.",
		Example: "  duel exam run items.jsonl --player expert > answers.jsonl\n  duel exam run items.jsonl --player 'engine:python3 my.py' --movetime 2s --out answers.jsonl",
		Args:    examFile("run", "items"),
	}
	solveGame := solving(cmd)
	flags := cmd.Flags()
	flags.StringVar(&c.Player, "player", "perfect", "a level or engine:COMMAND")
	flags.DurationVar(&c.MoveTime, "movetime", time.Second, "how long a program may think about a move")
	flags.Uint64Var(&c.Seed, "seed", 1, "the moves of a level follow from it")
	flags.StringVar(&out, "out", "", "the file for the answers, a new one or that of a run that was broken off (default standard output)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := arena.CheckPlayer(c.Player); err != nil {
			return usageError{err}
		}
		if c.MoveTime < time.Millisecond {
			return usagef("movetime %v: allowed: 1ms or more", c.MoveTime)
		}
		c.Solve = solvingLast(cmd.Context(), solveGame)
		return runExam(cmd, &c, args[0], out)
	}
	return cmd
}

// runExam lets a candidate answer the items of a file that are not answered yet.
func runExam(cmd *cobra.Command, c *arena.Candidate, path, out string) (err error) {
	items, err := arena.ReadItems(path)
	if err != nil {
		return err
	}
	if _, isProgram := arena.Command(c.Player); items.Words != nil && !isProgram {
		return fmt.Errorf("%s: it is told in the words of a disguise, which levels do not read; it takes an engine:COMMAND with the option Words", path)
	}
	a, err := arena.NewAnswers(c, items, cmd.OutOrStdout())
	if err != nil {
		return err
	}
	if out != "" {
		if info, err := os.Stat(out); err == nil && !info.Mode().IsRegular() {
			return usagef("out %s: a file is wanted; without --out answers go to the standard output", out)
		}
		if err := a.Open(out); errors.Is(err, arena.ErrOtherAnswers) {
			return usagef("%s: it has answers to other items, or of another --player, --seed or --movetime; choose another file", out)
		} else if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, a.Close()) }()
	}
	if a.Given > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "duel: %s: %d of %d items were answered before\n", out, a.Given, len(items.Items)+len(items.Words))
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
