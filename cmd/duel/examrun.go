package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"digitduel/arena"
	"digitduel/bot"
	"digitduel/digit"
	"digitduel/ui/cli"
)

// An examRun lets a player answer the items of an exam.
type examRun struct {
	player   string
	seed     uint64
	movetime time.Duration
	out      string
	solved   solveGame
}

func examRunCommand() *cobra.Command {
	var r examRun
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
	flags.StringVar(&r.player, "player", "perfect", "a level or engine:COMMAND")
	flags.DurationVar(&r.movetime, "movetime", time.Second, "how long a program may think about a move")
	flags.Uint64Var(&r.seed, "seed", 1, "the moves of a level follow from it")
	flags.StringVar(&r.out, "out", "", "the file for the answers, a new one or that of a run that was broken off (default standard output)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := arena.CheckPlayer(r.player); err != nil {
			return usageError{err}
		}
		if r.movetime < time.Millisecond {
			return usagef("movetime %v: allowed: 1ms or more", r.movetime)
		}
		r.solved = solvingLast(cmd.Context(), solveGame)
		return r.run(cmd, args[0])
	}
	return cmd
}

// run lets the player answer the items of a file that are not answered yet.
func (r *examRun) run(cmd *cobra.Command, path string) (err error) {
	items, veiled, err := r.read(path)
	if err != nil {
		return err
	}
	a := &answers{out: cmd.OutOrStdout()}
	for _, item := range items {
		a.items = append(a.items, item.Item)
	}
	for _, item := range veiled {
		a.items = append(a.items, item.Item)
	}
	if a.run, err = nameOfRun([]any{items, veiled}, len(a.items), r.player, r.seed, r.movetime); err != nil {
		return err
	}
	if r.out != "" {
		if err := a.open(r.out); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, a.close()) }()
	}
	if a.given > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "duel: %s: %d of %d items were answered before\n", r.out, a.given, len(a.items))
	}
	command, _ := arena.Command(r.player)
	if veiled != nil {
		err = arena.SitInWords(cmd.Context(), veiled[a.given:], r.movetime, command, a.keep)
	} else {
		err = r.sit(cmd.Context(), items[a.given:], a.keep)
	}
	if err != nil && cmd.Context().Err() != nil {
		return fmt.Errorf("exam: %v: %w", a, cli.ErrInterrupted)
	}
	if err != nil && a.given > 0 {
		return fmt.Errorf("%w; %v", err, a)
	}
	return err
}

// read reads items in digits, or in words if the player may read them.
func (r *examRun) read(path string) (items []arena.Item, veiled []arena.WordItem, err error) {
	items, err = readLines[arena.Item](path, anItem)
	if err == nil && len(items) == 0 {
		err = fmt.Errorf("%s: there is nothing in it; an item is wanted: %s", path, anItem.from())
	}
	if err == nil {
		return items, nil, nil
	}
	veiled, ok := readVeiled(path)
	if !ok {
		return nil, nil, err
	}
	if _, ok := arena.Command(r.player); !ok {
		return nil, nil, fmt.Errorf("%s: it is told in the words of a disguise, which levels do not read; it takes an engine:COMMAND with the option Words", path)
	}
	return nil, veiled, nil
}

// sit lets the player answer items.
func (r *examRun) sit(ctx context.Context, items []arena.Item, keep func(arena.Reply) error) error {
	if command, ok := arena.Command(r.player); ok {
		var rules []digit.Rules
		for _, item := range items {
			rules = append(rules, item.Rules)
		}
		open := arena.OpenPlaying(slices.Compact(rules))
		return arena.Sit(ctx, items, r.movetime, func(ctx context.Context) (arena.Engine, error) { return open(ctx, command) }, keep)
	}
	level, err := bot.ParseLevel(r.player)
	if err != nil {
		return usageError{err}
	}
	for _, item := range items {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := r.solved(item.Rules)
		if err != nil {
			return err
		}
		m, err := item.Choose(level, s, r.seed)
		if err != nil {
			return fmt.Errorf("item %d: %w", item.Item, err)
		}
		if err := keep(arena.Reply{Item: item.Item, Move: m.String()}); err != nil {
			return err
		}
	}
	return nil
}
