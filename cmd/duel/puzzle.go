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

// A puzzleWish is which puzzle is wanted: that of a day, or a random one of some rules.
type puzzleWish struct {
	daily bool
	day   coach.Day
	level string // that fails it; empty: any
	rules digit.Rules
}

func puzzleCommand() *cobra.Command {
	var w puzzleWish
	var asJSON bool
	var date string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "puzzle [BOOK [key=value…]]",
		Short: "Find the one move that wins",
		Long: "Set a puzzle: a position in which exactly one move wins, proved by the solution of the game. Without a book it is one of\n" +
			"any book. A puzzle for a level is one that the level fails and the next stronger one does not. The daily puzzle is the\n" +
			"same for everybody; days on which the first answer was right are counted in a row, and past days can be tried without\n" +
			"counting. On a terminal it fills the screen; with --line or --plain, and in a pipe, it goes line by line.\n\nLevels:\n" + levelList(),
		Example:           "  duel puzzle\n  duel puzzle dilemma --level skilled\n  duel puzzle --daily\n  duel puzzle --daily --date 2026-11-15",
		ValidArgsFunction: completeRules,
	}
	solveGame, lines := solving(cmd), inLines(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given := cmd.Flags().Changed
		w.daily = w.daily || given("date")
		if !given("seed") {
			seed = rand.Uint64()
		}
		rng := rand.New(rand.NewPCG(seed, 0))
		if err := w.read(args, date, given, rng); err != nil {
			return err
		}
		s, err := solveGame(cmd.Context(), w.rules)
		if err != nil {
			return err
		}
		z, err := w.find(cmd.Context(), s, rng.IntN)
		switch {
		case err != nil:
			return err
		case asJSON:
			return printJSON(cmd, z)
		case lines():
			return w.ask(cmd, s, z)
		}
		start := tui.Start{Puzzle: &tui.Puzzle{Puzzle: z, Level: w.level}, Solution: s}
		if w.daily {
			start.Puzzle.Day = w.day
		}
		budget, err := budgetOf(cmd)
		if err != nil {
			return err
		}
		return openScreen(cmd, start, "", budget, seed)
	}
	cmd.Flags().StringVar(&w.level, "level", "", "a puzzle that this level fails and the next one does not")
	cmd.Flags().BoolVar(&w.daily, "daily", false, "the puzzle of the day")
	cmd.Flags().StringVar(&date, "date", "", "the puzzle of this day, as in 2026-01-31")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "makes the choice repeatable")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the puzzle and its answer as JSON")
	complete(cmd, "level", weakLevels()...)
	return cmd
}

// weakLevels returns the names of the levels that there are puzzles for: all but the one that finds every move.
func weakLevels() []string { return bot.LevelNames()[:len(bot.Levels)-1] }

// read reads what is wanted.
func (w *puzzleWish) read(args []string, date string, given func(flag string) bool, rng *rand.Rand) (err error) {
	switch {
	case w.daily && (len(args) > 0 || given("level") || given("seed")):
		return usagef("the daily puzzle is the same for everybody: it takes no book, level or seed")
	case given("level") && !slices.Contains(weakLevels(), w.level):
		return usagef("level %q: allowed: %s", w.level, strings.Join(weakLevels(), ", "))
	}
	w.day = coach.DayOf(time.Now())
	if given("date") {
		if w.day, err = coach.ParseDay(date); err != nil {
			return usageError{err}
		}
	}
	w.rules = digit.Books[rng.IntN(len(digit.Books))].Rules
	switch {
	case w.daily:
		w.rules = coach.DailyBook(w.day).Rules
	case len(args) > 0:
		w.rules, err = rulesOf(args)
	}
	return err
}

// find looks for the puzzle for as long as ctx lasts.
func (w *puzzleWish) find(ctx context.Context, s *solve.Solution, intn func(int) int) (z coach.Puzzle, err error) {
	switch {
	case w.daily:
		z, ok := coach.Daily(s, w.day)
		if !ok {
			return z, fmt.Errorf("puzzle of %v: %v has none", w.day, s.Rules())
		}
		return z, nil
	case w.level != "":
		if z, err = coach.Fitting(ctx, s, bot.Choosers(s), slices.Index(bot.LevelNames(), w.level), intn); err != nil {
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

// ask sets the puzzle line by line.
func (w *puzzleWish) ask(cmd *cobra.Command, s *solve.Solution, z coach.Puzzle) error {
	plain, err := cmd.Flags().GetBool("plain")
	if err != nil {
		return err
	}
	keyboard, _ := keyboardOf(cmd, plain)
	defer keyboard.Close()
	if w.daily {
		fmt.Fprintf(keyboard, "The puzzle of %v\n\n", w.day)
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
	_, err = fmt.Fprintf(keyboard, "%s %s\n", diary.Why(today, w.day), diary.Told(today))
	return err
}
