package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"digitduel/bot"
	"digitduel/cli"
	"digitduel/coach"
	"digitduel/digit"
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
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		daily = daily || cmd.Flags().Changed("date")
		if daily && (len(args) > 0 || level != "" || cmd.Flags().Changed("seed")) {
			return usagef("the daily puzzle is the same for everybody: it takes no book, level or seed")
		}
		if !cmd.Flags().Changed("seed") {
			seed = rand.Uint64()
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		day := coach.DayOf(time.Now())
		if date != "" {
			var err error
			if day, err = coach.ParseDay(date); err != nil {
				return usageError{err}
			}
		}
		s, z, err := choosePuzzle(ctx, args, level, daily, day, rand.New(rand.NewPCG(seed, 0)), cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		if asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(z)
		}
		keyboard, _ := keyboardOf(cmd.InOrStdin(), cmd.OutOrStdout(), false)
		defer keyboard.Close()
		hint, _ := coach.Advise(s, z.At, coach.Reader(z.Rules.Turn(z.At))) // a puzzle is not over
		if daily {
			fmt.Fprintf(keyboard, "The puzzle of %v\n\n", day)
		}
		quiz := &cli.Quiz{
			Keyboard: keyboard, Rules: z.Rules, Position: z.At, Hint: hint,
			Question: fmt.Sprintf("The %v player is to move. One move wins; %s.", z.Rules.Turn(z.At), difficulty(s, z)),
			Judge: func(m digit.Move) (coach.Verdict, error) {
				return coach.Judge(s, z.At, m, coach.Reader(z.Rules.Turn(z.At)))
			},
		}
		wrong, err := quiz.Ask(ctx)
		if errors.Is(err, io.EOF) {
			return errors.New("the input ended before the move was found")
		}
		if err != nil && !errors.Is(err, cli.ErrShown) && !errors.Is(err, cli.ErrSkipped) {
			return err
		}
		if !daily || errors.Is(err, cli.ErrSkipped) {
			return nil
		}
		return keepStreak(keyboard, day, err == nil && wrong == 0)
	}
	cmd.Flags().StringVar(&level, "level", "", "a puzzle that this level fails and the next one does not")
	cmd.Flags().BoolVar(&daily, "daily", false, "the puzzle of the day")
	cmd.Flags().StringVar(&date, "date", "", "the puzzle of this day, as in 2026-01-31")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "makes the choice repeatable")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the puzzle and its answer as JSON")
	complete(cmd, "level", bot.LevelNames()...)
	return cmd
}

// choosePuzzle returns a puzzle and the solution of its game.
func choosePuzzle(ctx context.Context, args []string, level string, daily bool, day coach.Day, rng *rand.Rand, errs io.Writer) (*solve.Solution, coach.Puzzle, error) {
	fail := func(err error) (*solve.Solution, coach.Puzzle, error) { return nil, coach.Puzzle{}, err }
	rules := digit.Books[rng.IntN(len(digit.Books))].Rules
	var err error
	switch {
	case daily:
		rules = coach.DailyBook(day).Rules
	case len(args) > 0:
		if rules, err = rulesOf(args); err != nil {
			return fail(err)
		}
	}
	s, err := solveWithin(ctx, rules, solve.DefaultBudget, errs)
	if err != nil {
		return fail(err)
	}
	var want func(coach.Puzzle) bool
	if level != "" {
		at := -1
		for i, l := range bot.Levels[:len(bot.Levels)-1] {
			if l.Name == level {
				at = i
			}
		}
		if at < 0 {
			names := bot.LevelNames()
			return fail(usagef("level %q: allowed: %s", level, strings.Join(names[:len(names)-1], ", ")))
		}
		players := players(s)
		want = func(z coach.Puzzle) bool {
			return z.Choices >= 4 && coach.Fails(z, players[at]) && !coach.Fails(z, players[at+1])
		}
	}
	var z coach.Puzzle
	var ok bool
	if daily {
		z, ok = coach.Daily(s, day)
	} else {
		z, ok = coach.Random(s, rng.IntN, want)
	}
	if !ok {
		if level != "" {
			return fail(fmt.Errorf("puzzle: none of %v was found that level %s misses and the next one finds", rules, level))
		}
		return fail(fmt.Errorf("puzzle: none of %v was found", rules))
	}
	return s, z, nil
}

// players returns the levels as players of puzzles.
func players(s *solve.Solution) []coach.Chooser {
	all := make([]coach.Chooser, len(bot.Levels))
	for i, l := range bot.Levels {
		all[i] = func(p digit.Position, seed uint64) digit.Move {
			return bot.New(l, s, rand.New(rand.NewPCG(seed, uint64(i)))).Choose(p)
		}
	}
	return all
}

// difficulty says how many levels fail a puzzle.
func difficulty(s *solve.Solution, z coach.Puzzle) string {
	n := coach.Difficulty(z, players(s))
	if n == 0 {
		return "every level of the computer finds it"
	}
	return fmt.Sprintf("%d of the %d levels of the computer miss it", n, len(bot.Levels))
}

// keepStreak counts a daily puzzle and tells the streak.
func keepStreak(out io.Writer, day coach.Day, solved bool) error {
	if err := countPuzzle(day, solved); err != nil {
		return err
	}
	streak, err := readStreak()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "Days solved in a row: %d (longest: %d; solved %d of %d).\n", streak.Current, streak.Longest, streak.Solved, streak.Tried)
	return err
}

// readStreak returns how the user does with the daily puzzles.
func readStreak() (streak coach.Streak, err error) {
	path, err := streakFile()
	if err != nil {
		return streak, err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return streak, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &streak)
	}
	if err != nil {
		return coach.Streak{}, fmt.Errorf("streak: %s: %w", path, err)
	}
	return streak, nil
}

// countPuzzle counts a daily puzzle.
func countPuzzle(day coach.Day, solved bool) error {
	streak, err := readStreak()
	if err != nil {
		return err
	}
	text, err := json.Marshal(streak.After(day, solved))
	if err != nil {
		return err
	}
	path, err := streakFile()
	if err != nil {
		return err
	}
	if err := writeWhole(path, append(text, '\n')); err != nil {
		return fmt.Errorf("streak: %w", err)
	}
	return nil
}

func streakFile() (string, error) {
	dir, err := dataDir()
	return filepath.Join(dir, "streak.json"), err
}

// dataDir returns the directory in which the program keeps what belongs to the user.
func dataDir() (string, error) {
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "duel"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("data directory: %w; set XDG_DATA_HOME", err)
	}
	return filepath.Join(home, ".local", "share", "duel"), nil
}

// writeWhole writes a file so that it is there as a whole or as it was before.
func writeWhole(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
