package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"digitduel/digit"
	"digitduel/solve"
	"digitduel/ui/cli"
)

// solving adds the flags of commands that solve games, and returns a function that solves one.
func solving(cmd *cobra.Command) func(context.Context, digit.Rules) (*solve.Solution, error) {
	memoryFlag(cmd)
	return func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
		budget, err := budgetOf(cmd)
		if err != nil {
			return nil, err
		}
		return solveWithin(ctx, r, budget, cmd.ErrOrStderr())
	}
}

// memoryText is the text of the flag --memory.
const memoryText = "memory limit in MiB"

// memoryFlag adds the flag that budgetOf reads.
func memoryFlag(cmd *cobra.Command) {
	cmd.Flags().Int64("memory", solve.DefaultBudget>>20, memoryText)
}

// budgetOf returns the memory limit of a command in bytes.
func budgetOf(cmd *cobra.Command) (int64, error) {
	mebibytes, err := cmd.Flags().GetInt64("memory")
	if err == nil && (mebibytes < 1 || mebibytes > 1<<20) {
		err = usagef("memory %d: allowed: 1 to %d MiB", mebibytes, 1<<20)
	}
	return mebibytes << 20, err
}

// solveWithin solves a game within a budget of bytes, and shows its progress on a terminal.
func solveWithin(
	ctx context.Context, r digit.Rules, budget int64, errs io.Writer,
) (*solve.Solution, error) {
	config := solve.Config{Budget: budget}
	if _, ok := terminal(errs); ok {
		progress := cli.NewProgress(errs)
		defer progress.Clear()
		config.Progress = progress.Show
	}
	s, err := solve.Solve(ctx, r, config)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("solving %v: %w", r, cli.ErrInterrupted)
	}
	return s, err
}

// solvingLast returns a function that solves games and remembers the last one. It is safe for
// concurrent use.
func solvingLast(
	ctx context.Context,
	solveOne func(context.Context, digit.Rules) (*solve.Solution, error),
) solveGame {
	var mu sync.Mutex
	var last *solve.Solution
	return func(r digit.Rules) (*solve.Solution, error) {
		mu.Lock()
		defer mu.Unlock()
		if last != nil && last.Rules() == r {
			return last, nil
		}
		if last != nil { // make room before solving the next
			last = nil
			runtime.GC()
		}
		s, err := solveOne(ctx, r)
		if err == nil {
			last = s
		}
		return s, err
	}
}

// printJSON prints a value as JSON.
func printJSON(cmd *cobra.Command, v any) error {
	return json.NewEncoder(cmd.OutOrStdout()).Encode(v)
}

// solvingHere returns a function that solves games for a player at this terminal.
func solvingHere(cmd *cobra.Command) solveGame {
	solveOne := func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
		return solveWithin(ctx, r, solve.DefaultBudget, cmd.ErrOrStderr())
	}
	return solvingLast(cmd.Context(), solveOne)
}

func solveCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "solve GAME [key=value…]",
		Short: "Show who wins with best play",
		Long: "Shows the winner, the number of turns when the winner hurries and the loser " +
			"delays, the first moves that win, and a best line. A game that needs more memory " +
			"than --memory is refused with an estimate.",
		Example:           "duel solve dilemma\nduel solve highest width=4 --json",
		Args:              needsGame,
		ValidArgsFunction: completeRules,
	}
	solveGame := solving(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, jsonText)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, err := rulesOf(args)
		if err != nil {
			return err
		}
		began := time.Now()
		s, err := solveGame(cmd.Context(), r)
		if err != nil {
			return err
		}
		took := time.Since(began)
		if asJSON {
			return printJSON(cmd, s.Report())
		}
		return cli.PrintSolution(cmd.Context(), cmd.OutOrStdout(), s, took)
	}
	return cmd
}

func analyzeCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "analyze GAME [key=value…] [MOVE…]",
		Short: "Evaluate every legal move in a position",
		Long: "The position is the one after the MOVEs. A value is a win, a loss or a draw, in a " +
			"number of turns when the winner hurries and the loser delays. Of moves that differ " +
			"only in the call, the best is shown; --json has all.",
		Example: "duel analyze dilemma 7a 3b 1c\n" +
			"duel analyze sevens zero=counts 7 5 1 8 --json",
		Args:              needsGame,
		ValidArgsFunction: completeRules,
	}
	solveGame := solving(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, jsonText)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		split := 1 // options have keys of several letters; a move with a call begins with a digit
		for split < len(args) && strings.Index(args[split], "=") > 1 {
			split++
		}
		r, err := rulesOf(args[:split])
		if err != nil {
			return err
		}
		moves, p, err := playOut(r, args[split:])
		if err != nil {
			return err
		}
		s, err := solveGame(cmd.Context(), r)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(cmd, s.Analyze(moves, p))
		}
		return cli.PrintAnalysis(cmd.OutOrStdout(), s, p)
	}
	return cmd
}

// playOut plays moves from the start. The error about a wrong move lists the legal ones.
func playOut(r digit.Rules, words []string) (moves []digit.Move, p digit.Position, err error) {
	for i, word := range words {
		m, err := digit.ParseMove(word)
		if err == nil {
			p, err = r.Play(p, m)
		}
		if err != nil {
			const most = 30
			var legal []string
			for m := range r.Moves(p) {
				legal = append(legal, m.String())
			}
			hint := ""
			if len(legal) > most {
				legal = append(legal[:most], fmt.Sprintf("and %d more", len(legal)-most))
			}
			if len(legal) > 0 {
				hint = "; legal after " + r.Text(p) + ": " + strings.Join(legal, " ")
			}
			return nil, p, usagef("move %d: %w%s", i+1, err, hint)
		}
		moves = append(moves, m)
	}
	return moves, p, nil
}
