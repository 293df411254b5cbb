package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/ui/cli"
)

// bookList lists the books and the fair games, each under its heading.
func bookList() string {
	var b strings.Builder
	list := func(heading string, books []digit.Book) {
		b.WriteString(heading + ":\n")
		for _, book := range books {
			fmt.Fprintf(&b, "  %-13s %s: %s\n", book.Name, book.Title, rulebook.Line(book.Rules))
		}
	}
	list("Books", digit.Books)
	list("\nFair games", digit.Fair)
	return b.String()
}

// rulesOf reads a book and options from the command line.
func rulesOf(args []string) (digit.Rules, error) {
	r, err := digit.ParseRules(strings.Join(args, " "))
	if err != nil {
		return r, usageError{err}
	}
	return r, nil
}

// completeRules completes a book and then the keys of options.
func completeRules(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		var books []string
		for _, b := range slices.Concat(digit.Books, digit.Fair) {
			books = append(books, b.Name+"\t"+rulebook.Line(b.Rules))
		}
		return books, cobra.ShellCompDirectiveNoFileComp
	}
	if key, _, ok := strings.Cut(typed, "="); ok {
		var values []string
		for _, v := range digit.Values(key) {
			values = append(values, key+"="+v)
		}
		return values, cobra.ShellCompDirectiveNoFileComp
	}
	var keys []string
	for _, key := range digit.Keys() {
		keys = append(keys, key+"=")
	}
	return keys, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func rulesCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "rules BOOK [key=value…]",
		Short:             "Tell the rules of a game, with the options in force",
		Long:              "Tell the rules of a game in words, with the options in force.\n\n" + bookList(),
		Example:           "  duel rules dilemma\n  duel rules divisibility pool=0-9 zero=barred",
		ValidArgsFunction: completeRules,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := rulesOf(args)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), rulebook.Explain(r))
			return err
		},
	}
}

func perftCommand() *cobra.Command {
	var depth, most int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "perft BOOK [key=value…]",
		Short: "Count positions and games by ply, for checking other implementations",
		Long: "Count the distinct positions that play can reach, those in which the game is over, and the sequences of moves\n" +
			"that end the game, ply by ply.",
		Example:           "  duel perft highest\n  duel perft dilemma zero=counts --json\n  duel perft divisibility pool=0-f --depth 5",
		ValidArgsFunction: completeRules,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := rulesOf(args)
			switch {
			case err != nil:
				return err
			case depth < 0 && cmd.Flags().Changed("depth"):
				return usagef("depth %d: allowed: 0 or more", depth)
			case most < 1:
				return usagef("max-positions %d: allowed: 1 or more", most)
			}
			count := cli.Perft{Rules: r}
			var last digit.Perft
			for last = range until(cmd.Context(), r.Perft(most)) {
				if count.Add(last); last.Ply == depth {
					break
				}
			}
			switch {
			case cmd.Context().Err() != nil:
				return cli.ErrInterrupted
			case last.Positions > last.Finished && last.Ply != depth:
				return fmt.Errorf("perft %v: ply %d has more than %d positions; use --depth %d, or a higher --max-positions", r, last.Ply+1, most, last.Ply)
			case asJSON:
				return printJSON(cmd, count)
			default:
				return count.Print(cmd.OutOrStdout())
			}
		},
	}
	cmd.Flags().IntVar(&depth, "depth", -1, "the last ply to count")
	cmd.Flags().Lookup("depth").DefValue = "all"
	cmd.Flags().IntVar(&most, "max-positions", 20_000_000, "the most positions of one ply; each takes about 100 bytes, and two plies are kept at once")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}
