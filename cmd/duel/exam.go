package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"digitduel/arena"
	"digitduel/digit"
	"digitduel/disk"
)

func examCommand() *cobra.Command {
	cmd := group("exam", "Examine players by single decisions, which measures more than whole games", examMakeCommand(), examRunCommand(), examGradeCommand())
	cmd.Long = "Examine players by single decisions: make an exam with its key apart, let a level or a program answer it, and grade the answers.\n" +
		"docs/arena.md says what the figures mean."
	cmd.Example = "  duel exam make standard-1 --key key.jsonl --out items.jsonl\n  duel exam run items.jsonl --player expert --out answers.jsonl\n" +
		"  duel exam grade answers.jsonl --key key.jsonl"
	return cmd
}

func examMakeCommand() *cobra.Command {
	var rules []string
	var part arena.ExamPart
	var seed, words uint64
	var keyFile, out string
	cmd := &cobra.Command{
		Use:   "make [" + arena.Standard().Name + "]",
		Short: "Draw positions with a decision, one JSON line each, and the answers apart",
		Long: "Draw positions in which something can be thrown away, by seed. Items are JSON lines without the answers; these go into a\n" +
			"file of their own. The exam " + arena.Standard().Name + " has the same items everywhere.",
		Example: "  duel exam make standard-1 --key key.jsonl > items.jsonl\n  duel exam make --rules 'dilemma target=13' --hard --items 50 --seed 3 --key key.jsonl --out items.jsonl",
	}
	solveGame := solving(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&rules, "rules", nil, "a book and key=value…; may be given more than once (default all books)")
	flags.IntVar(&part.Items, "items", 50, "how many for each of the rules")
	flags.BoolVar(&part.Hard, "hard", false, "only where at most a third of the moves keep the outcome and none wins at once")
	flags.Uint64Var(&seed, "seed", 1, "the positions follow from it")
	flags.Uint64Var(&words, "disguise", 0, "tell the items in the words of a disguise, by its seed: see duel disguise")
	flags.StringVar(&keyFile, "key", "", "the file for the right answers")
	flags.StringVar(&out, "out", "", "the file for the items (default standard output)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		exam := arena.Exam{Seed: seed}
		switch {
		case len(args) > 1:
			return usagef("exam make: one exam at a time")
		case len(args) == 1:
			for _, name := range []string{"rules", "items", "hard", "seed"} {
				if cmd.Flags().Changed(name) {
					return usagef("%s: the exam %s is the same everywhere; leave --%s out", name, args[0], name)
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
			return usagef("key: the answers need a file: --key FILE")
		}
		if out != "" && filepath.Clean(out) == filepath.Clean(keyFile) {
			return usagef("key %s: the answers need a file of their own, and --out is the same", keyFile)
		}
		var disguised *uint64
		if cmd.Flags().Changed("disguise") {
			disguised = &words
		}
		items, keys, err := exam.Lines(cmd.Context(), disguised, solveGame)
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
	var asJSON bool
	var keyFile string
	cmd := &cobra.Command{
		Use:   "grade ANSWERS",
		Short: "Grade the answers to an exam",
		Long: "Tell how many decisions were kept, how many chance would have kept, and kappa, which is 0 for chance and 1 for everything,\n" +
			"by rules and difficulty. An item without an answer was not kept.",
		Example: "  duel exam grade answers.jsonl --key key.jsonl\n  duel exam grade answers.jsonl --key key.jsonl --json",
		Args:    examFile("grade", "answers"),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.Flags().StringVar(&keyFile, "key", "", "the file of the right answers, of duel exam make")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if keyFile == "" {
			return usagef("key: the file with the right answers is wanted: --key FILE")
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
		if asJSON {
			return printJSON(cmd, grade)
		}
		return grade.Print(cmd.OutOrStdout())
	}
	return cmd
}

// examFile wants one file of an exam.
func examFile(command, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usagef("exam %s: the file of the %s is wanted", command, what)
		}
		return nil
	}
}

// writeOr writes a text into a file, or without one to the standard output.
func writeOr(cmd *cobra.Command, path string, text []byte) error {
	if path != "" {
		return disk.WriteFile(path, text, 0o644)
	}
	_, err := cmd.OutOrStdout().Write(text)
	return err
}
