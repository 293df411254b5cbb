package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/digit"
	"digitduel/disk"
	"digitduel/ui/cli"
)

func examCommand() *cobra.Command {
	cmd := group("exam", "Test players on single positions",
		examMakeCommand(), examRunCommand(), examGradeCommand())
	cmd.Long = "Create an exam and its key, let a level or a program answer it, and grade the " +
		"answers. docs/arena.md explains the figures."
	cmd.Example = "duel exam make standard-1 --key key.jsonl --out items.jsonl\n" +
		"duel exam run items.jsonl --player expert --out answers.jsonl\n" +
		"duel exam grade answers.jsonl --key key.jsonl"
	return cmd
}

func examMakeCommand() *cobra.Command {
	var rules []string
	var exam arena.Exam
	var part arena.ExamPart
	var words, keyFile, out string
	cmd := &cobra.Command{
		Use:   "make [" + arena.Standard().Name + "]",
		Short: "Create an exam and its key",
		Long: "Draws random positions in which a move can lose something. The items are JSON " +
			"lines without the answers, which go into the file of the key. The exam " +
			arena.Standard().Name + " has fixed items.",
		Example: "duel exam make standard-1 --key key.jsonl > items.jsonl\n" +
			"duel exam make --rules 'dilemma target=13' --hard --key key.jsonl",
	}
	memoryFlag(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&rules, "rules", nil,
		"rules, as in 'dilemma target=13'; repeatable (default all rulebooks)")
	flags.IntVar(&part.Items, "items", 50, "items for each of the rules")
	flags.BoolVar(&part.Hard, "hard", false,
		"only positions in which few moves keep the outcome and none wins at once")
	flags.Uint64Var(&exam.Seed, "seed", 1, seedText)
	flags.StringVar(&words, "disguise", "", gradedText)
	flags.StringVar(&keyFile, "key", "", "file for the right answers; required")
	flags.StringVar(&out, "out", "", "file for the items (default standard output)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) > 1:
			return usagef("exam make: need one exam, not more")
		case len(args) == 1:
			if name := firstGiven(flags, "rules", "items", "hard", "seed"); name != "" {
				return usagef("%s: the exam %s is fixed; leave out --%[1]s", name, args[0])
			}
			var err error
			if exam, err = arena.ParseExam(args[0]); err != nil {
				return usageError{err}
			}
		case part.Items < 1 || part.Items > arena.MostItems:
			return usagef("items %d: allowed: 1 to %d", part.Items, arena.MostItems)
		default:
			if len(rules) == 0 {
				rules = digit.BookNames()
			}
			games, err := allRules(rules)
			if err != nil {
				return err
			}
			for _, part.Rules = range games {
				exam.Parts = append(exam.Parts, part)
			}
		}
		if keyFile == "" {
			return usagef("key: missing file for the answers: --key FILE")
		}
		if out != "" && filepath.Clean(out) == filepath.Clean(keyFile) {
			return usagef("key %s: is the file of --out too", keyFile)
		}
		wording, err := disguise.ParseSpec(words)
		if err != nil {
			return usageError{err}
		}
		items, keys, err := exam.Lines(cmd.Context(), wording, solving(cmd))
		if err != nil {
			return orInterrupted(cmd.Context(), "disguise", err)
		}
		if err := disk.WriteFile(keyFile, keys, 0o644); err != nil {
			return err
		}
		return writeOr(cmd, out, items)
	}
	return cmd
}

func examGradeCommand() *cobra.Command {
	var keyFile string
	cmd := &cobra.Command{
		Use:   "grade ANSWERS",
		Short: "Grade answers",
		Long: "Prints how many answers keep the outcome, how many random moves would keep it, " +
			"and kappa, which is 0 for random moves and 1 for a perfect player, by rules and " +
			"difficulty. An item without an answer counts as wrong.",
		Example: "duel exam grade answers.jsonl --key key.jsonl\n" +
			"duel exam grade answers.jsonl --key key.jsonl --json",
		Args: one("file of answers"),
	}
	asJSON := jsonFlag(cmd, jsonText)
	cmd.Flags().StringVar(&keyFile, "key", "",
		"file of the right answers, by duel exam make; required")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if keyFile == "" {
			return usagef("key: missing file of the right answers: --key FILE")
		}
		keys, err := arena.ReadKeys(keyFile)
		if err != nil {
			return err
		}
		replies, err := arena.ReadReplies(args[0])
		if err != nil {
			return err
		}
		grade, err := arena.GradeReplies(keys, replies)
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		return printReport(cmd, grade, *asJSON)
	}
	return cmd
}

// writeOr writes text to a file, or to standard output without one.
func writeOr(cmd *cobra.Command, path string, text []byte) error {
	if path != "" {
		return disk.WriteFile(path, text, 0o644)
	}
	_, err := cmd.OutOrStdout().Write(text)
	return err
}

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
		cmd.PrintErrf("duel: %s: %d of %d items were answered before\n",
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
