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

// rulesOf reads a game and its options from the command line.
func rulesOf(args ...string) (digit.Rules, error) {
	words, err := byName(strings.Fields(strings.Join(args, " ")))
	if err != nil {
		return digit.Rules{}, err
	}
	all := digit.AllNames()
	if len(words) == 0 {
		return digit.Rules{}, usagef("missing game name (games: %s)", strings.Join(all, ", "))
	}
	if _, err := digit.FindBook(words[0]); err != nil {
		if name := nearest(words[0], all); name != "" {
			return digit.Rules{}, usagef("unknown game %q (try: %s)", words[0], name)
		}
		return digit.Rules{}, usagef("unknown game %.40q (games: %s)",
			words[0], strings.Join(all, ", "))
	}
	r, err := digit.ParseRules(strings.Join(words, " "))
	if err != nil {
		return r, usageError{err}
	}
	return r, nil
}

// allRules reads a game and its options from each of several texts.
func allRules(texts []string) (all []digit.Rules, err error) {
	for _, text := range texts {
		r, err := rulesOf(text)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// byName returns the words of a command line with the title of a game, as in "Digit Dilemma" or
// reverse-digit-duel, replaced by its name.
func byName(words []string) ([]string, error) {
	titled := slices.IndexFunc(words, func(word string) bool {
		return strings.Contains(word, "=") || strings.HasPrefix(word, "-")
	})
	if titled < 0 {
		titled = len(words)
	}
	plain := strings.NewReplacer("-", " ", ":", "").Replace
	title := plain(strings.Join(words[:titled], " "))
	var names []string
	for _, b := range digit.AllBooks() {
		if strings.EqualFold(title, plain(rulebook.Title(b.Rules))) ||
			strings.EqualFold(title, b.Title) {
			names = append(names, b.Name)
		}
	}
	switch len(names) {
	case 0:
		return words, nil
	case 1:
		return append(names, words[titled:]...), nil
	}
	return nil, usagef("several games have the title %s (try: %s)",
		strings.Join(words[:titled], " "), strings.Join(names, ", "))
}

// completeRules completes a game and then its options.
func completeRules(_ *cobra.Command, args []string, typed string) (
	[]string, cobra.ShellCompDirective,
) {
	if len(args) == 0 {
		var books []string
		for _, b := range digit.AllBooks() {
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
	cmd := &cobra.Command{
		Use:   "rules GAME [key=value…]",
		Short: "Show the rules of a game",
		Long: "The rules follow the options given. The games and their options are listed by " +
			"duel help games and duel help options.",
		Example: "duel rules dilemma\nduel rules divisibility pool=0-9 zero=barred",
	}
	return ofGame(cmd, func(r digit.Rules) error {
		cmd.Print(rulebook.Explain(r))
		return nil
	})
}

func perftCommand() *cobra.Command {
	var depth, most int
	cmd := &cobra.Command{
		Use:   "perft GAME [key=value…]",
		Short: "Count positions and games",
		Long: "For each ply: the distinct positions that play can reach, those in which the game " +
			"is over, and the sequences of moves that end the game there. Compare them with the " +
			"counts of another implementation. A position takes about 100 bytes, and two plies " +
			"are in memory at once.",
		Example: "duel perft highest\nduel perft divisibility pool=0-f --depth 5 --json",
	}
	flags := cmd.Flags()
	flags.IntVar(&depth, "depth", -1, "last ply to count (default all)")
	flags.IntVar(&most, "max-positions", 20_000_000, "positions of one ply at most")
	asJSON := jsonFlag(cmd, jsonText)
	return ofGame(cmd, func(r digit.Rules) error {
		switch {
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
			return fmt.Errorf("perft %v: ply %d has more than %d positions; "+
				"use --depth %d, or a higher --max-positions", r, last.Ply+1, most, last.Ply)
		case *asJSON:
			return printJSON(cmd, count)
		}
		count.Print(cmd.OutOrStdout())
		return nil
	})
}
