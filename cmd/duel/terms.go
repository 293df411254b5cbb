package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"digitduel/match"
	"digitduel/rulebook"
)

// A termFlag is the flag of an option of a table.
type termFlag struct {
	match.Option
	terms *match.Terms
}

func (f termFlag) String() string { return f.Get(*f.terms) }

func (f termFlag) Type() string { return f.Kind }

// Set implements [pflag.Value].
func (f termFlag) Set(text string) error {
	if text == "" {
		return fmt.Errorf("%s %q: allowed: %s", f.Name, text, f.Allowed)
	}
	return f.Option.Set(f.terms, text)
}

// addTerm adds the flag of an option of a table.
func addTerm(cmd *cobra.Command, terms *match.Terms, name, help string) {
	o := match.FindOption(name)
	flag := cmd.Flags().VarPF(termFlag{o, terms}, name, "", help)
	if o.Kind == "bool" {
		flag.NoOptDefVal = "true"
	}
}

// addTerms adds the flags of the options of a table. Hints is the text of the last one.
func addTerms(cmd *cobra.Command, terms *match.Terms, randomOpening *bool, hints string) {
	addTerm(cmd, terms, "best-of", "play a series of at most N games, an odd number")
	addTerm(cmd, terms, "pair", "play two games, each started by one player")
	addTerm(cmd, terms, "swap", "let the second player take over the first move")
	cmd.Flags().BoolVar(randomOpening, "random-opening", false,
		"start both games of a pair from the same random opening")
	addTerm(cmd, terms, "targets", "targets of the games of a series, as in 11,13,17")
	for _, t := range rulebook.Terms {
		addTerm(cmd, terms, t.Name, t.Flag)
		if t.Kind != "string" {
			continue
		}
		cmd.Flags().Lookup(t.Name).DefValue = t.Choices[0].Value
		var values []string
		for _, c := range t.Choices {
			values = append(values, c.Value)
		}
		complete(cmd, t.Name, values...)
	}
	addTerm(cmd, terms, "hints", hints)
}

// errOpeningSwap refuses a swap together with a random opening.
var errOpeningSwap = errors.New("swap: the first move is part of the opening; " +
	"leave out --random-opening or --swap")
