package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/match/remote"
	"digitduel/rulebook"
	"digitduel/ui/cli"
)

// ask asks a question.
func (j *joining) ask(ctx context.Context, prompt string) (string, error) {
	return cli.Ask(ctx, j.keyboard, prompt)
}

// choose lists the tables of a server and asks which to join, or what to open.
func (j *joining) choose(ctx context.Context) (remote.Place, error) {
	for {
		tables, err := j.server.Tables(ctx)
		if err != nil {
			return remote.Place{}, err
		}
		j.list(tables)
		text, err := j.ask(ctx, "> ")
		if err != nil {
			return remote.Place{}, err
		}
		n, wrong := strconv.Atoi(text)
		switch {
		case text == "":
			continue
		case wrong == nil && n >= 1 && n <= len(tables):
			if err := j.askName(ctx); err != nil {
				return remote.Place{}, err
			}
			return j.sit(ctx, tables[n-1].ID, "")
		case wrong == nil:
			fmt.Fprintf(j.keyboard, "There is no table %d.\n", n)
			continue
		}
		p, err := j.order(ctx, text)
		if usage := (usageError{}); errors.As(err, &usage) { // it can be said better
			fmt.Fprintf(j.keyboard, "%v\n", err)
			continue
		}
		return p, err
	}
}

// order opens a table by the rules that were typed, when it is known with whom.
func (j *joining) order(ctx context.Context, rules string) (remote.Place, error) {
	if _, err := rulesOf(strings.Fields(rules)); err != nil {
		return remote.Place{}, usageError{err}
	}
	with, err := j.ask(ctx, "With a friend by a link (Enter), anyone, or the computer ("+strings.Join(bot.LevelNames(), ", ")+")? ")
	if err != nil {
		return remote.Place{}, err
	}
	if err := j.askName(ctx); err != nil {
		return remote.Place{}, err
	}
	return j.open(ctx, strings.Fields(rules), cmp.Or(strings.ToLower(with), j.with))
}

// askName asks what the user is called, unless that is known.
func (j *joining) askName(ctx context.Context) error {
	for j.name == "" {
		text, err := j.ask(ctx, "Your name (Enter for none): ")
		if err != nil || text == "" {
			return err
		}
		if j.name, err = match.CleanName(text); err != nil {
			fmt.Fprintf(j.keyboard, "%v\n", err)
		}
	}
	return nil
}

// list shows tables, by numbers.
func (j *joining) list(tables []match.Listed) {
	var b strings.Builder
	if len(tables) == 0 {
		fmt.Fprintf(&b, "No table is open at %s.\n", j.link.Server)
	} else {
		fmt.Fprintf(&b, "Tables at %s:\n", j.link.Server)
	}
	for i, t := range tables {
		fmt.Fprintf(&b, "  %d  %s: %s. %s\n", i+1, rulebook.Title(t.Rules), rulebook.Goal(t.Rules).Short, j.describe(t))
	}
	b.WriteString("To join or watch a table, type its number. To open one, type a game, with options if you like:\n  " +
		strings.Join(slices.Concat(digit.BookNames(), digit.FairNames()), ", ") + "\nEnter looks again, quit leaves.\n")
	io.WriteString(j.keyboard, b.String())
}

// describe describes a table: what the user can do there, and its terms.
func (j *joining) describe(t match.Listed) string {
	setup := match.Setup{Names: t.Names}
	one, two := setup.Name(match.One), setup.Name(match.Two)
	text := one + " and " + two + " play."
	switch {
	case j.server.Seat(t.ID).Token != "":
		text = "You have a seat here."
	case t.Phase == match.Waiting:
		text = "Somebody waits for you."
		if host := cmp.Or(t.Names[match.One], t.Names[match.Two]); host != "" {
			text = host + " waits for you."
		}
	}
	start := ""
	if t.Lot {
		start = rulebook.Lot
	}
	terms, err := t.Read()
	if err != nil { // which quotes foreign text
		return text + " Its terms cannot be read: " + err.Error() + "."
	}
	return text + " " + rulebook.Agreed(t.Rules, terms, start)
}
