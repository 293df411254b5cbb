package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"digitduel/bot"
	"digitduel/match"
	"digitduel/match/remote"
	"digitduel/rulebook"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

// ask prints a prompt and returns the line that the user types.
func (j *joining) ask(ctx context.Context, prompt string) (string, error) {
	return cli.Ask(ctx, j.keyboard, prompt)
}

// choose lists the tables of a server and lets the user join one or open another.
func (j *joining) choose(ctx context.Context) (remote.Place, error) {
	for {
		tables, err := j.tables(ctx)
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
			link, err := remote.ParseLink(tables[n-1].Link)
			if err == nil {
				err = j.askName(ctx)
			}
			if err != nil {
				return remote.Place{}, err
			}
			return j.sit(ctx, link.Table, "")
		case wrong == nil:
			fmt.Fprintf(j.keyboard, "There is no table %d.\n", n)
			continue
		}
		p, err := j.order(ctx, text)
		if usage := (usageError{}); errors.As(err, &usage) { // ask again
			fmt.Fprintf(j.keyboard, "%v\n", err)
			continue
		}
		return p, err
	}
}

// order opens a table with the rules that were typed, after asking for an opponent.
func (j *joining) order(ctx context.Context, game string) (remote.Place, error) {
	rules, err := agreedRules(ctx, j.keyboard, strings.Fields(game), true)
	if err != nil {
		return remote.Place{}, err
	}
	opponent, err := j.ask(ctx, "Opponent: a friend by a link (Enter), anyone, or a level ("+
		strings.Join(bot.LevelNames(), ", ")+")? ")
	if err != nil {
		return remote.Place{}, err
	}
	if err := j.askName(ctx); err != nil {
		return remote.Place{}, err
	}
	return j.open(ctx, rules, cmp.Or(strings.ToLower(opponent), j.opponent))
}

// askName asks for the user's name, unless it is known.
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

// tables returns the tables of the server that the user can join or watch, beginning with the
// user's own that are not public.
func (j *joining) tables(ctx context.Context) (list []tui.Listed, err error) {
	add := func(table, name, about string) {
		link := remote.Link{Server: j.link.Server, Table: table}
		list = append(list, tui.Listed{Link: link.String(), Name: name, About: about})
	}
	tables, err := j.server.Tables(ctx)
	for _, table := range j.server.Recent(tables, 3) {
		add(table, "Your table "+table, "You have a seat there.")
	}
	for _, t := range tables {
		add(t.ID, rulebook.Title(t.Rules)+": "+rulebook.Goal(t.Rules).Short, j.describe(t))
	}
	return list, err
}

// list prints a numbered list of tables.
func (j *joining) list(tables []tui.Listed) {
	var b strings.Builder
	if len(tables) == 0 {
		fmt.Fprintf(&b, "No table is open at %s.\n", j.link.Server)
	} else {
		fmt.Fprintf(&b, "Tables at %s:\n", j.link.Server)
	}
	for i, t := range tables {
		fmt.Fprintf(&b, "  %d  %s. %s\n", i+1, t.Name, t.About)
	}
	b.WriteString("To join or watch a table, type its number. " +
		"To open one, type a game and its options:\n  " + strings.Join(gameNames(), ", ") +
		"\nEnter lists the tables again, quit leaves.\n")
	io.WriteString(j.keyboard, b.String())
}

// describe returns a description of a table: its players and its terms.
func (j *joining) describe(t match.Listed) string {
	setup := match.Setup{Names: t.Names}
	one, two := setup.Name(match.One), setup.Name(match.Two)
	text := one + " and " + two + " play."
	switch {
	case j.server.Seat(t.ID).Token != "":
		text = "You have a seat here."
	case t.Phase == match.Waiting:
		text = "A player waits for you."
		if host := cmp.Or(t.Names[match.One], t.Names[match.Two]); host != "" {
			text = host + " waits for you."
		}
	}
	start := ""
	if t.Lot {
		start = rulebook.Lot
	}
	terms, err := t.Read()
	if err != nil { // the server is newer
		return text + " Unreadable terms: " + err.Error() + "."
	}
	return text + " " + rulebook.Agreed(t.Rules, terms, start)
}
