package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"digitduel/bot"
	"digitduel/cli"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

func puzzleCommand() *cobra.Command {
	var daily, asJSON bool
	var level, date string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "puzzle [BOOK [key=value…]]",
		Short: "Find the one move that wins",
		Long: "Set a puzzle: a position in which exactly one move wins, proved by the solution of the game. Without a book it is one of\n" +
			"any book. A puzzle for a level is one that the level fails and the next stronger one does not. The daily puzzle is the\n" +
			"same for everybody; days solved in a row are counted.\n\nLevels:\n" + levelList(),
		Example:           "  duel puzzle\n  duel puzzle dilemma --level skilled\n  duel puzzle --daily\n  duel puzzle --daily --date 2026-11-15",
		ValidArgsFunction: completeRules,
	}
	solveGame := solving(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		daily = daily || cmd.Flags().Changed("date")
		if daily && (len(args) > 0 || level != "" || cmd.Flags().Changed("seed")) {
			return usagef("the daily puzzle is the same for everybody: it takes no book, level or seed")
		}
		weak := bot.LevelNames()[:len(bot.Levels)-1]
		if cmd.Flags().Changed("level") && !slices.Contains(weak, level) {
			return usagef("level %q: allowed: %s", level, strings.Join(weak, ", "))
		}
		if !cmd.Flags().Changed("seed") {
			seed = rand.Uint64()
		}
		rng := rand.New(rand.NewPCG(seed, 0))
		day := coach.DayOf(time.Now())
		if cmd.Flags().Changed("date") {
			if day, err = coach.ParseDay(date); err != nil {
				return usageError{err}
			}
		}
		rules := digit.Books[rng.IntN(len(digit.Books))].Rules
		switch {
		case daily:
			rules = coach.DailyBook(day).Rules
		case len(args) > 0:
			if rules, err = rulesOf(args); err != nil {
				return err
			}
		}
		s, err := solveGame(cmd.Context(), rules)
		if err != nil {
			return err
		}
		z, err := findPuzzle(cmd.Context(), s, level, day, daily, rng.IntN)
		switch {
		case err != nil:
			return err
		case asJSON:
			return json.NewEncoder(cmd.OutOrStdout()).Encode(z)
		}
		keyboard, _ := keyboardOf(cmd, false)
		defer keyboard.Close()
		if daily {
			fmt.Fprintf(keyboard, "The puzzle of %v\n\n", day)
		}
		missed := rulebook.Missed(coach.Difficulty(z, bot.Choosers(s)), len(bot.Levels))
		quiz := &cli.Quiz{Keyboard: keyboard, Solution: s, Position: z.At, Question: z.Prompt().Long + " " + missed.Long}
		wrong, err := quiz.Ask(cmd.Context())
		switch {
		case errors.Is(err, io.EOF):
			return errors.New("the input ended before the move was found")
		case errors.Is(err, cli.ErrSkipped), errors.Is(err, cli.ErrQuit):
			return nil
		case err != nil && !errors.Is(err, cli.ErrShown):
			return err
		case !daily:
			return nil
		}
		if err := countPuzzle(day, err == nil && wrong == 0); err != nil {
			return err
		}
		streak, err := readStreak()
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(keyboard, rulebook.Streak(streak.Current, streak.Longest).Long)
		return err
	}
	cmd.Flags().StringVar(&level, "level", "", "a puzzle that this level fails and the next one does not")
	cmd.Flags().BoolVar(&daily, "daily", false, "the puzzle of the day")
	cmd.Flags().StringVar(&date, "date", "", "the puzzle of this day, as in 2026-01-31")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "makes the choice repeatable")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the puzzle and its answer as JSON")
	complete(cmd, "level", bot.LevelNames()...)
	return cmd
}

// findPuzzle looks for the puzzle of a day, or for any one for a level or for nobody in particular.
func findPuzzle(ctx context.Context, s *solve.Solution, level string, day coach.Day, daily bool, intn func(int) int) (z coach.Puzzle, err error) {
	switch {
	case daily:
		z, ok := coach.Daily(s, day)
		if !ok {
			return z, fmt.Errorf("puzzle of %v: %v has none", day, s.Rules())
		}
		return z, nil
	case level != "":
		if z, err = coach.Fitting(ctx, s, bot.Choosers(s), slices.Index(bot.LevelNames(), level), intn); err != nil {
			err = fmt.Errorf("puzzle for level %s: %w", level, err)
		}
	default:
		z, err = coach.Random(ctx, s, intn, nil)
	}
	if ctx.Err() != nil {
		return z, cli.ErrInterrupted
	}
	return z, err
}
