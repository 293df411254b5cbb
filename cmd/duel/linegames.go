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

// mostListed is how many saved games are listed at once.
const mostListed = 20

// games lists the saved games, unfinished ones first, and asks what to do with them.
func (m *lineMenu) games() error {
	var words []string
	for from := 0; ; {
		games, err := m.saved(words)
		if err != nil {
			m.report(err)
		}
		m.list(games, from, words)
		if len(games) == 0 && words == nil {
			return nil
		}
		text, err := m.ask("> ")
		if err != nil {
			return err
		}
		verb, rest, _ := strings.Cut(strings.ToLower(text), " ")
		switch {
		case text == "":
			return nil
		case verb == "more":
			if from += mostListed; from >= len(games) {
				from = 0
			}
			continue
		case verb == "find":
			from, words = 0, strings.Fields(rest)
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
		switch err := m.act(verb, games[n-1], n); {
		case errors.Is(err, cli.ErrQuit), errors.Is(err, cli.ErrInterrupted):
			return err
		case err != nil:
			m.report(err)
		}
	}
}

// saved returns the saved games that have some words.
func (m *lineMenu) saved(words []string) (found []tui.SavedGame, err error) {
	tables, wrong := m.world.Tables()
	records, err := m.world.Games()
	for _, g := range tui.SavedGames(tables, records, time.Now()) {
		if g.Matches(words) {
			found = append(found, g)
		}
	}
	return found, errors.Join(wrong, err)
}

// list prints saved games by number.
func (m *lineMenu) list(games []tui.SavedGame, from int, words []string) {
	switch {
	case len(games) == 0 && words == nil:
		fmt.Fprintln(m, "There are no saved games yet.")
		return
	case len(games) == 0:
		fmt.Fprintln(m, "No game has all of these words. Type find alone for all games.")
		return
	}
	to := min(from+mostListed, len(games))
	fmt.Fprintf(m, "Your games, %d to %d of %d, unfinished first, then the newest:\n",
		from+1, to, len(games))
	for i, g := range games[from:to] {
		fmt.Fprintf(m, "%3d  %s\n", from+i+1, g.Text)
	}
	more := ""
	if len(games) > mostListed {
		more = "More: more games. "
	}
	fmt.Fprintln(m, "A number: continue or review that game. Review, retry or delete, and a "+
		"number: review it, play its mistakes again, delete it. Find, and words: search. "+
		more+"Enter: the menu.")
}

// act does what a word says with a game. No word continues it, if possible, or reviews it.
func (m *lineMenu) act(verb string, g tui.SavedGame, n int) error {
	cmd := m.cmdFor()
	switch verb {
	case "", "continue":
		switch {
		case g.Resumable && g.Left != nil:
			return resumeTable(cmd, g.Left.ID)
		case g.Resumable:
			return resumeRecord(cmd, g.Record, g.Played)
		}
		return m.review(g, n, false)
	case "review":
		return m.review(g, n, false)
	case "retry":
		return m.review(g, n, true)
	case "delete":
		return m.delete(g)
	}
	return fmt.Errorf("unknown word %q (use continue, review, retry, delete, find or more)", verb)
}

// review reviews a game, or asks for better moves where mistakes were made.
func (m *lineMenu) review(g tui.SavedGame, n int, retry bool) error {
	s, err := solving(m.cmdFor())(g.Record.Rules)
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
	text, err := m.ask("Delete " + g.Title + "? It cannot be restored. (y/N) ")
	if err != nil || text == "" || !strings.HasPrefix("yes", strings.ToLower(text)) {
		return err
	}
	if g.Left != nil {
		return m.world.Forget(g.Left.ID)
	}
	return m.world.Drop(g.Record)
}
