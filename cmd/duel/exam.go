package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/digit"
	"digitduel/disk"
	"digitduel/solve"
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
	var part arena.ExamPart
	var seed uint64
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
	flags.Uint64Var(&seed, "seed", 1, seedText)
	flags.StringVar(&words, "disguise", "", gradedText)
	flags.StringVar(&keyFile, "key", "", "file for the right answers; required")
	flags.StringVar(&out, "out", "", "file for the items (default standard output)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		exam := arena.Exam{Seed: seed}
		switch {
		case len(args) > 1:
			return usagef("exam make: need one exam, not more")
		case len(args) == 1:
			for _, name := range []string{"rules", "items", "hard", "seed"} {
				if cmd.Flags().Changed(name) {
					return usagef("%s: the exam %s is fixed; leave out --%[1]s", name, args[0])
				}
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
			for _, text := range rules {
				r, err := rulesOf([]string{text})
				if err != nil {
					return err
				}
				part.Rules = r
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
		solved := solving(cmd)
		items, keys, err := exam.Lines(cmd.Context(), wording,
			func(_ context.Context, r digit.Rules) (*solve.Solution, error) { return solved(r) })
		if err != nil {
			return disguiseError(cmd.Context(), err)
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
