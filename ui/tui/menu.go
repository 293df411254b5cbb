package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/ui/tui/draw"
)

// A menu is the first page: the books, and the other pages.
type menu struct {
	at    string // the key of the chosen entry
	fresh bool   // nobody has played here before
}

// An entry is a line of the menu.
type entry struct {
	item
	book *digit.Book // nil: it is another page
	do   act
}

// entryOf returns an entry with a description and a shorter one.
func entryOf(key, name, about, short string, do act) entry {
	return entry{item: item{key: key, name: name, about: []string{about, short}}, do: do}
}

// continues returns the entry that resumes the last game; ok is false if there is none.
func (m *Model) continues() (e entry, ok bool) {
	u, ok := m.unfinished()
	if len(m.seats) > 0 && (!ok || m.seats[0].At.After(u.At)) {
		g := seatGame(m.seats[0])
		return entryOf("c", "Continue your game at a server", g.who, g.who, g.resume), true
	}
	if !ok {
		return entry{}, false
	}
	g := SavedGames([]Unfinished{u}, nil)[0]
	return entryOf("c", "Continue "+g.Title(), fmt.Sprintf(
		"%s, %s, %s", rulebook.Title(g.Rules), g.stands, whenText(g.at, m.now)),
		g.name+", "+g.stands, g.resume), true
}

// top chooses the entry that is most likely wanted: the last game, the lesson, or the last book.
func (h *menu) top(m *Model) {
	if list := h.entries(m); list[0].book == nil && m.start.NewGame == nil {
		h.at = list[0].key
		return
	}
	if h.at = fairKey(); !isFair(book(m.settings.Book)) {
		h.at = fmt.Sprint(1 + max(0, slices.Index(digit.BookNames(), m.settings.Book)))
	}
}

// entries returns the entries of the menu.
func (h *menu) entries(m *Model) []entry {
	var list []entry
	learn := entryOf("l", "Learn", "one minute, on the real table", "one minute", (*Model).learn)
	fresh := h.fresh && len(m.tables)+len(m.seats) == 0
	if fresh {
		list = append(list, entryOf(
			"l", "Learn in one minute", "on the real table; Esc skips it", "Esc skips it",
			learn.do))
	}
	if e, ok := m.continues(); ok {
		list = append(list, e)
	}
	for i, b := range digit.Books {
		goal := rulebook.Goal(m.settings.opening(b)).Short
		short := strings.TrimSuffix(strings.TrimSuffix(goal, " wins"), " to win")
		e := entryOf(fmt.Sprint(i+1), rulebook.Title(b.Rules), goal, short, func(m *Model) {
			m.push(newSetup(m, b))
		})
		e.book = &b
		list = append(list, e)
	}
	puzzle := "one move wins; find it"
	if days := m.streak.On(m.today()); days > 0 {
		puzzle = rulebook.Plural(days, "day") + " in a row"
	}
	list = append(list,
		entryOf(fairKey(), "Fair games", "nobody can force a win", "even for both",
			func(m *Model) {
				b := book(m.settings.Book)
				if !isFair(b) {
					b = digit.Fair[0]
				}
				m.push(newSetup(m, b))
			}),
		entryOf("p", "Puzzle of the day", puzzle, puzzle,
			func(m *Model) { m.push(newPuzzles(m)) }),
		entryOf("g", "Your games", "continue or review them", "continue, review",
			(*Model).openSaved),
		entryOf("o", "Play at a server", "with other people", "other people",
			func(m *Model) { m.openServer(m.settings.Server, "") }),
	)
	if !fresh {
		list = append(list, learn)
	}
	return append(list, entryOf(
		"s", "Settings", "colours, signs, motion, your name", "colours, signs, name",
		func(m *Model) { m.push(newSettingsPage()) }))
}

// fairKey is the key of the fair games, after the books.
func fairKey() string { return fmt.Sprint(len(digit.Books) + 1) }

// list returns the list of the entries, and the entries. If the chosen one is gone, it chooses the
// first one.
func (h *menu) list(m *Model) (list, []entry) {
	entries := h.entries(m)
	at := max(0, slices.IndexFunc(entries, func(e entry) bool { return e.key == h.at }))
	var items []item
	for i, e := range entries {
		e.apart = i+1 < len(entries) && (entries[i+1].book == nil) != (e.book == nil)
		items = append(items, e.item)
	}
	l := listOf(&at, items, func(m *Model, i int) {
		h.fresh = false // a user who has opened something is not new
		entries[i].do(m)
	})
	l.moved = func(i int) {
		e := entries[i]
		if h.at = e.key; e.book != nil {
			m.settings.Book = e.book.Name
		}
	}
	return l, entries
}

func (h *menu) keys(m *Model) []binding {
	l, entries := h.list(m)
	now, verb := entries[*l.at], "open"
	if now.book != nil || now.key == "c" || now.key == "l" {
		verb = "play"
	}
	keys := append(l.keys(verb), on(nil, "game", "1-"+fairKey()))
	if now.book != nil {
		keys = append(keys, m.rules(m.settings.opening(*now.book)))
	}
	return append(keys, m.help(), on(quit, "quit", "q").ranked(staysRank))
}

// quit ends the program.
func quit(m *Model) { m.send(tea.Quit) }

func (h *menu) draw(m *Model, c *canvas) {
	b := c.middle(86)
	about := fmt.Sprintf("%s games of numbers, for two", rulebook.InWords(len(digit.Books)))
	if c.class() == large {
		h.drawLogo(c, b.X, b.Y)
		c.Text(b.X+52, b.Y+1, draw.Muted, about)
		b.Y, b.H = b.Y+4, b.H-4
	} else {
		c.header("DIGIT DUEL", "", about)
	}
	l, entries := h.list(m)
	if b.H >= l.n+len(digit.Books)+2 { // a blank line after each of them
		for i, e := range entries {
			l.items[i].apart = l.items[i].apart || e.book != nil
		}
		b.Y, b.H = b.Y+1, b.H-1
	}
	l.draw(c, b)
}

// drawLogo writes the name of the program in tiles.
func (h *menu) drawLogo(c *canvas, x, y int) {
	for i, r := range "DIGIT DUEL" {
		if r == ' ' {
			x += 2
			continue
		}
		tone := draw.One
		if i > 5 {
			tone = draw.Two
		}
		c.Box(draw.Rect(x, y, 5, 3), draw.Thin, tone.Style())
		c.Text(x+2, y+1, tone.Bold(), string(r))
		x += 5
	}
}
