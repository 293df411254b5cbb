package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

// A puzzleRequest selects a puzzle: that of a day, or a random one of some rules.
type puzzleRequest struct {
	daily bool
	day   coach.Day
	level string // the level that fails it; "": any
	rules digit.Rules
}

func puzzleCommand() *cobra.Command {
	var w puzzleRequest
	var date string
	cmd := &cobra.Command{
		Use:   "puzzle [GAME [key=value…]]",
		Short: "Solve a puzzle",
		Long: "Find the only move that wins. Without a game, the puzzle is from any rulebook. " +
			"With --level, the level fails the puzzle, and the next stronger one solves it. The " +
			"levels and games are listed by duel help levels and duel help games.\n\n" +
			"The daily puzzle is the same for everyone. A first answer that is right extends " +
			"your streak; past days are for practice.",
		Example: "duel puzzle\nduel puzzle dilemma --level skilled\n" +
			"duel puzzle --daily",
		ValidArgsFunction: completeRules,
	}
	solved := solving(cmd)
	asJSON := jsonFlag(cmd, "write the puzzle and its answer as JSON")
	memoryFlag(cmd)
	lineFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given := cmd.Flags().Changed
		w.daily = w.daily || given("date")
		rng := rand.New(rand.NewPCG(seedOf(cmd), 0))
		if err := w.read(args, date, given, rng); err != nil {
			return err
		}
		s, err := solved(w.rules)
		if err != nil {
			return err
		}
		z, err := w.find(cmd.Context(), s, rng.IntN)
		switch {
		case err != nil:
			return err
		case *asJSON:
			return printJSON(cmd, z)
		case inLines(cmd):
			return w.ask(cmd, s, z)
		}
		start := tui.Start{Puzzle: &tui.Puzzle{Puzzle: z, Level: w.level}, Solution: s}
		if w.daily {
			start.Puzzle.Day = w.day
		}
		return openScreen(cmd, start)
	}
	flags := cmd.Flags()
	flags.StringVar(&w.level, "level", "", "a puzzle that this level fails")
	flags.BoolVar(&w.daily, "daily", false, "puzzle of the day")
	flags.StringVar(&date, "date", "", "puzzle of a day, as in 2026-01-31")
	flags.Uint64("seed", 0, seedText)
	complete(cmd, "level", weakLevels()...)
	return cmd
}

// weakLevels returns the names of the levels that fail puzzles: all but perfect.
func weakLevels() []string { return bot.LevelNames()[:len(bot.Levels)-1] }

// read reads the request from the command line.
func (w *puzzleRequest) read(
	args []string, date string, given func(flag string) bool, rng *rand.Rand,
) (err error) {
	switch {
	case w.daily && (len(args) > 0 || given("level") || given("seed")):
		return usagef("daily: the daily puzzle takes no game, level or seed")
	case given("level") && !slices.Contains(weakLevels(), w.level):
		return unknownLevel("level", w.level,
			fmt.Errorf("level %q: allowed: %s", w.level, strings.Join(weakLevels(), ", ")))
	}
	w.day = coach.DayOf(time.Now())
	if given("date") {
		if w.day, err = coach.ParseDay(date); err != nil {
			return usageError{err}
		}
	}
	w.rules = rulebook.Usual(digit.Books[rng.IntN(len(digit.Books))].Rules)
	switch {
	case w.daily:
		w.rules = coach.DailyBook(w.day).Rules
	case len(args) > 0:
		w.rules, err = rulesOf(args...)
	}
	return err
}

// find searches for the puzzle until ctx is done.
func (w *puzzleRequest) find(
	ctx context.Context, s *solve.Solution, intn func(int) int,
) (z coach.Puzzle, err error) {
	switch {
	case w.daily:
		z, ok := coach.Daily(s, w.day)
		if !ok {
			return z, fmt.Errorf("puzzle of %v: %v has no puzzle", w.day, s.Rules())
		}
		return z, nil
	case w.level != "":
		level := slices.Index(bot.LevelNames(), w.level)
		if z, err = coach.Fitting(ctx, s, bot.Choosers(s), level, intn); err != nil {
			err = fmt.Errorf("puzzle for level %s: %w", w.level, err)
		}
	default:
		z, err = coach.Random(ctx, s, intn, nil)
	}
	if ctx.Err() != nil {
		return z, cli.ErrInterrupted
	}
	return z, err
}

// ask asks for the solution line by line.
func (w *puzzleRequest) ask(cmd *cobra.Command, s *solve.Solution, z coach.Puzzle) error {
	keyboard, _ := keyboardOf(cmd)
	defer keyboard.Close()
	if w.daily {
		fmt.Fprintf(keyboard, "The puzzle of %v\n\n", w.day)
	}
	missed := rulebook.Missed(coach.Difficulty(z, bot.Choosers(s)), len(bot.Levels))
	quiz := &cli.Quiz{
		Keyboard: keyboard, Solution: s, Position: z.At,
		Question: z.Prompt().Long + " " + missed.Long,
	}
	wrong, err := quiz.Ask(cmd.Context())
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("end of input: puzzle not solved")
	case errors.Is(err, cli.ErrSkipped), errors.Is(err, cli.ErrQuit):
		return nil
	case err != nil && !errors.Is(err, cli.ErrShown):
		return err
	case !w.daily:
		return nil
	}
	today, found := coach.DayOf(time.Now()), err == nil
	if err := countPuzzle(w.day, found && (wrong == 0 || w.day != today)); err != nil {
		return err
	}
	diary, err := readStreak()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(keyboard, "%s %s\n", diary.Why(today, w.day), diary.Text(today))
	return err
}
