package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"digitduel/digit"
	"digitduel/solve"
	"digitduel/ui/cli"
)

// A solveGame solves a game.
type solveGame = func(digit.Rules) (*solve.Solution, error)

// solving returns a function that solves games within the memory limit of a command, and remembers
// the last one. It is safe for concurrent use.
func solving(cmd *cobra.Command) solveGame {
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
		budget, err := budgetOf(cmd)
		if err != nil {
			return nil, err
		}
		s, err := solveWithin(cmd, r, budget)
		if err == nil {
			last = s
		}
		return s, err
	}
}

// solveWithin solves a game within a budget of bytes, and shows its progress on a terminal.
func solveWithin(cmd *cobra.Command, r digit.Rules, budget int64) (*solve.Solution, error) {
	config := solve.Config{Budget: budget}
	if terminal(cmd.ErrOrStderr()) != nil {
		progress := cli.NewProgress(cmd.ErrOrStderr(), true)
		defer progress.Clear()
		config.Progress = progress.Show
	}
	s, err := solve.Solve(cmd.Context(), r, config)
	return s, orInterrupted(cmd.Context(), "solving "+r.String(), err)
}

func solveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "solve GAME [key=value…]",
		Short: "Show who wins with best play",
		Long: "Shows the winner, the number of turns when the winner hurries and the loser " +
			"delays, the first moves that win, and a best line. A game that needs more memory " +
			"than --memory is refused with an estimate.",
		Example: "duel solve dilemma\nduel solve highest width=4 --json",
	}
	memoryFlag(cmd)
	asJSON := jsonFlag(cmd, jsonText)
	return ofGame(cmd, func(r digit.Rules) error {
		began := time.Now()
		s, err := solving(cmd)(r)
		if err != nil {
			return err
		}
		took := time.Since(began)
		if *asJSON {
			return printJSON(cmd, s.Overview())
		}
		return cli.PrintSolution(cmd.Context(), cmd.OutOrStdout(), s, took)
	})
}

func analyzeCommand() *cobra.Command {
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
	memoryFlag(cmd)
	asJSON := jsonFlag(cmd, jsonText)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		split := 1 // options have keys of several letters; a move with a call begins with a digit
		for split < len(args) && strings.Index(args[split], "=") > 1 {
			split++
		}
		r, err := rulesOf(args[:split]...)
		if err != nil {
			return err
		}
		moves, p, err := playOut(r, args[split:])
		if err != nil {
			return err
		}
		s, err := solving(cmd)(r)
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(cmd, s.Analyze(moves, p))
		}
		cli.PrintAnalysis(cmd.OutOrStdout(), s, p)
		return nil
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

func exportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export GAME [key=value…]",
		Short: "Write every position with its exact value",
		Long: "Writes a JSON line for each position in which the game is not over, in the order " +
			"of their plies: the value of the position, and of every legal move for the player " +
			"making it. docs/data.md explains how to split such data.",
		Example: "duel export dilemma --jsonl > dilemma.jsonl\n" +
			"duel export highest width=4 --jsonl | gzip > highest4.jsonl.gz",
	}
	memoryFlag(cmd)
	cmd.Flags().Bool("jsonl", true, "write JSON lines, the only format")
	return ofGame(cmd, func(r digit.Rules) error {
		s, err := solving(cmd)(r)
		if err == nil {
			err = s.CheckCensus()
		}
		if err != nil {
			return err
		}
		out := bufio.NewWriter(cmd.OutOrStdout())
		lines := json.NewEncoder(out)
		for sample := range s.Samples() {
			if cmd.Context().Err() != nil {
				return cli.ErrInterrupted
			}
			if err := lines.Encode(sample); err != nil {
				return err
			}
		}
		return out.Flush()
	})
}
