package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"digitduel/coach"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

// mostListed is the number of saved games in a list. Others are found by words.
const mostListed = 20

// games lists the saved games, unfinished ones first, and asks what to do with them.
func (m *lineMenu) games() error {
	var words []string
	for {
		games, err := m.saved(words)
		if err != nil {
			m.report(err)
		}
		m.list(games, words)
		if len(games) == 0 && words == nil {
			return nil
		}
		text, err := m.ask("> ")
		if err != nil || text == "" {
			return err
		}
		verb, rest, _ := strings.Cut(strings.ToLower(text), " ")
		if verb == "find" {
			words = strings.Fields(rest)
			continue
		}
		if _, err := strconv.Atoi(verb); err == nil {
			verb, rest = "", verb
		}
		n, err := strconv.Atoi(rest)
		if err != nil || n < 1 || n > len(games) {
			fmt.Fprintf(m, "Type a number from 1 to %d, or one of the words above.\n", len(games))
			continue
		}
		if err := m.act(verb, games[n-1], n); err != nil {
			return err
		}
	}
}

// saved returns the saved games that have some words.
func (m *lineMenu) saved(words []string) (found []tui.SavedGame, err error) {
	tables, wrong := m.world.Tables()
	records, err := m.world.Games()
	for _, g := range tui.SavedGames(tables, records) {
		if g.Matches(words) {
			found = append(found, g)
		}
	}
	return found, errors.Join(wrong, err)
}

// list prints saved games by number.
func (m *lineMenu) list(games []tui.SavedGame, words []string) {
	switch {
	case len(games) == 0 && words == nil:
		fmt.Fprintln(m, "There are no saved games yet.")
		return
	case len(games) == 0:
		fmt.Fprintln(m, "No game has all of these words. Type find alone for all games.")
		return
	}
	to := min(mostListed, len(games))
	fmt.Fprintf(m, "Your games, 1 to %d of %d, unfinished first, then the newest:\n",
		to, len(games))
	for i, g := range games[:to] {
		fmt.Fprintf(m, "%3d  %s\n", i+1, g.Text(time.Now()))
	}
	fmt.Fprintln(m, "A number: continue or review that game. Review, retry or delete, and a "+
		"number: review it, play its mistakes again, delete it. Find, and words: search. "+
		"Enter: the menu.")
}

// act does what a word says with a game. No word continues it, if possible, or reviews it.
func (m *lineMenu) act(verb string, g tui.SavedGame, n int) error {
	switch verb {
	case "", "continue":
		if g.Resumable() && g.Left != nil {
			return resumeTable(m.cmd, g.Left.ID)
		}
		return m.review(g, n, false)
	case "review", "retry":
		return m.review(g, n, verb == "retry")
	case "delete":
		return m.delete(g)
	}
	return fmt.Errorf("unknown word %q (use continue, review, retry, delete or find)", verb)
}

// review reviews a game, or asks for better moves where mistakes were made.
func (m *lineMenu) review(g tui.SavedGame, n int, retry bool) error {
	s, err := solving(m.cmd)(g.Record.Rules)
	if err != nil {
		return err
	}
	cast := cli.Sides(g.Record)
	review, err := coach.ReviewGame(s, g.Record, cast)
	if err != nil {
		return err
	}
	if retry {
		return cli.Retry(m.cmd.Context(), m, s, review, n)
	}
	_, err = fmt.Fprintf(m, "%s\n%s\n", cli.Summary(g.Record), cli.ReviewText(review, cast, true))
	return err
}

// delete deletes a game, if the user agrees.
func (m *lineMenu) delete(g tui.SavedGame) error {
	text, err := m.ask("Delete " + g.Title() + "? It cannot be restored. (y/N) ")
	if err != nil || text == "" || !strings.HasPrefix("yes", strings.ToLower(text)) {
		return err
	}
	if g.Left != nil {
		return m.world.Forget(g.Left.ID)
	}
	return m.world.Drop(g.Record)
}
