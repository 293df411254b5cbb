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

// addTerms adds the flags of [rulebook.Terms].
func addTerms(cmd *cobra.Command, terms *match.Terms) {
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
}

// errOpeningSwap refuses a swap together with a random opening.
var errOpeningSwap = errors.New("swap: the first move is part of the opening; " +
	"leave out --random-opening or --swap")
