package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"digitduel/match"
	"digitduel/match/remote"
	"digitduel/rulebook"
	"digitduel/ui/tui"
)

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

// list prints the tables of the server, and the commands to join or open one.
func (j *joining) list(ctx context.Context) error {
	tables, err := j.tables(ctx)
	if err != nil {
		return err
	}
	if len(tables) == 0 {
		fmt.Fprintf(j.out, "No table is open at %s.\n", j.link.Server)
	} else {
		fmt.Fprintf(j.out, "Tables at %s, and how to join or watch them:\n", j.link.Server)
	}
	for _, t := range tables {
		fmt.Fprintf(j.out, "  %s. %s\n    duel join %s\n", t.Name, t.About, t.Link)
	}
	fmt.Fprintf(j.out, "To open a table: duel join %s GAME\n  %s\n",
		j.link.Server, strings.Join(gameNames(), ", "))
	return nil
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
