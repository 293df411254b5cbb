package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"digitduel/cli"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

func reviewCommand() *cobra.Command {
	var asJSON, retry bool
	var game int
	cmd := &cobra.Command{
		Use:   "review FILE",
		Short: "Judge every move of recorded games, with reasons",
		Long: "Judge every move of the games of a record file (- for standard input): best, fine, mistake or blunder, what it threw\n" +
			"away and why, and how the game should have gone. Accuracy counts real decisions only: positions in which not all\n" +
			"moves are worth the same. With --retry you play your own mistakes again.",
		Example: "  duel review games.txt\n  duel review games.txt --game 3 --json\n  duel review games.txt --retry",
		Args:    oneFile("review"),
	}
	solver := solve.Solver{}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if game < 1 && cmd.Flags().Changed("game") {
			return usagef("game %d: allowed: 1 or more", game)
		}
		if retry && (asJSON || args[0] == "-") {
			return usagef("retry: it asks for moves, so it goes with a record file and without --json")
		}
		name, in, closeFile, err := openRecords(args[0], cmd.InOrStdin())
		if err != nil {
			return err
		}
		defer closeFile()
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		var keyboard closingKeyboard
		if retry {
			keyboard, _ = keyboardOf(cmd.InOrStdin(), cmd.OutOrStdout(), false)
			defer keyboard.Close()
		}
		show := func(n, line int, rec digit.Record) error {
			s, err := solver.Solve(ctx, rec.Rules)
			if err != nil {
				return err
			}
			review, err := coach.ReviewGame(s, rec, rulebook.Cast{})
			switch {
			case err != nil:
				return err
			case asJSON:
				return json.NewEncoder(cmd.OutOrStdout()).Encode(review)
			case retry:
				return retryMistakes(ctx, keyboard, s, review, n)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "Game %d (line %d): %v\n\n%s\n", n, line, rec, reviewText(review, true))
			return err
		}
		return eachRecord(name, in, cmd.ErrOrStderr(), game, show)
	}
	cmd.Flags().IntVar(&game, "game", 0, "review only this game of the file, counted from 1")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON, one line for each game")
	cmd.Flags().BoolVar(&retry, "retry", false, "play the mistakes again")
	return cmd
}

// reviewText tells a review: the moves that were not best or, in full, all of them, the chart, and the accuracy of both sides.
func reviewText(review coach.Review, full bool) string {
	var b strings.Builder
	if len(review.Moves) > 0 {
		b.WriteString(review.Chart(rulebook.Cast{}, true) + "\n")
	}
	marked := 0
	for _, step := range review.Moves {
		if !full && step.Kept() {
			continue
		}
		marked++
		fmt.Fprintf(&b, "%2d. %-6s %-6v %-7v %s", step.Ply, step.Side, step.Move, step.Grade, stepText(step))
		b.WriteString("\n")
	}
	if marked == 0 && len(review.Moves) > 0 {
		b.WriteString("Nobody threw anything away.\n")
	}
	if review.Remark != "" {
		b.WriteString("\n" + review.Remark + "\n")
	}
	fmt.Fprintf(&b, "\nAccuracy: first %s; second %s.\n", accuracyText(review.First), accuracyText(review.Second))
	return b.String()
}

// stepText says why a move is what it is and, if it threw something away, what was better.
func stepText(step coach.Judged) string {
	if step.Grade == coach.Best {
		return step.Reason
	}
	better := make([]string, len(step.Line))
	for i, m := range step.Line {
		better[i] = m.String()
	}
	return fmt.Sprintf("%s\n%26sbetter: %s: %s", step.Blame, "", strings.Join(better, " "), step.Reason)
}

func accuracyText(a coach.Accuracy) string {
	share, ok := a.Share()
	if !ok {
		return "had nothing to decide"
	}
	return fmt.Sprintf("%.0f%% (%d of %d decisions)", 100*share, a.Kept, a.Decisions)
}

// retryMistakes asks for a better move in each position of a game in which something was thrown away.
func retryMistakes(ctx context.Context, keyboard cli.Keyboard, s *solve.Solution, review coach.Review, game int) error {
	mistakes := review.Mistakes()
	if len(mistakes) == 0 {
		_, err := fmt.Fprintf(keyboard, "Game %d: nobody threw anything away.\n\n", game)
		return err
	}
	for i, step := range mistakes {
		hint, _ := coach.Advise(s, step.At, coach.Reader(step.Side)) // the game went on from here
		fmt.Fprintf(keyboard, "Game %d, mistake %d of %d: move %d\n", game, i+1, len(mistakes), step.Ply)
		quiz := &cli.Quiz{
			Keyboard: keyboard, Rules: s.Rules(), Position: step.At, Hint: hint,
			Question: fmt.Sprintf("%v was a %v. Find a better move.", step.Move, step.Grade),
			Judge:    func(m digit.Move) (coach.Verdict, error) { return coach.Judge(s, step.At, m, coach.Reader(step.Side)) },
		}
		_, err := quiz.Ask(ctx)
		switch {
		case errors.Is(err, cli.ErrSkipped), errors.Is(err, cli.ErrShown), err == nil:
			fmt.Fprintln(keyboard)
		case errors.Is(err, io.EOF):
			return errors.New("the input ended before all mistakes were tried")
		default:
			return err
		}
	}
	return nil
}
