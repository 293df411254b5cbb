package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A home is the menu: the books, and what else there is.
type home struct {
	at    int // the entry that is chosen
	study *study
}

// An entry is a line of the menu.
type entry struct {
	key, name, tells string
	do               act
}

func newHome(m *Model) *home {
	return &home{at: max(0, slices.Index(digit.BookNames(), m.wishes.Book))}
}

// entries returns what the menu has below the books.
func (h *home) entries(m *Model) []entry {
	return []entry{
		{"p", "Puzzles", "Find the one move that wins. One puzzle a day for everybody, and as many others as you like.", func() tea.Cmd { return m.openPuzzles() }},
		{"s", "Saved games", "Go through your games: who was winning when, where it was given away and why; then try again.", func() tea.Cmd { return m.openSaved() }},
		{"t", "Settings", "Colours, signs, names, and lines of text for screen readers.", func() tea.Cmd { m.push(newSettings(m)); return nil }},
		{"?", "Help", "The keys, the signs, and how to begin.", func() tea.Cmd { m.push(helpPage()); return nil }},
		{"q", "Quit", "Leave the program. Your choices are remembered.", func() tea.Cmd { return tea.Quit }},
	}
}

// book returns the book that is chosen; ok is false when another entry is.
func (h *home) book() (b digit.Book, ok bool) {
	if h.at < len(digit.Books) {
		return digit.Books[h.at], true
	}
	return digit.Book{}, false
}

func (h *home) upkeep(m *Model) tea.Cmd {
	if m.top() != page(h) {
		return nil
	}
	b, ok := h.book()
	if !ok {
		return nil
	}
	r := m.wishes.opening(b)
	if h.study != nil && h.study.rules == r {
		return nil
	}
	var cmd tea.Cmd
	h.study, cmd = m.study(r)
	return cmd
}

func (h *home) moving(m *Model) bool { return m.top() == page(h) && h.study.working() }

// choose moves to an entry.
func (h *home) choose(m *Model, at int) {
	n := len(digit.Books) + len(h.entries(m))
	h.at = (at + n) % n
	if b, ok := h.book(); ok {
		m.wishes.Book = b.Name
	}
}

// open does what an entry is for.
func (h *home) open(m *Model) tea.Cmd {
	if b, ok := h.book(); ok {
		m.push(newSetup(m, b))
		return nil
	}
	return h.entries(m)[h.at-len(digit.Books)].do()
}

func (h *home) keys(m *Model) []binding {
	move := func(by int) act { return func() tea.Cmd { h.choose(m, h.at+by); return nil } }
	keys := []binding{
		on(func() tea.Cmd { return h.open(m) }, "open", "enter"),
		also(move(-1), "up", "k", "shift+tab"), also(move(1), "down", "j", "tab"),
	}
	if _, ok := h.book(); ok {
		keys = append(keys,
			on(func() tea.Cmd { return m.play(m.wishes) }, "play at once", "space"),
			on(func() tea.Cmd { m.push(rulesPage(m.wishes.opening(book(m.wishes.Book)))); return nil }, "rules", "r", "R"),
		)
	}
	keys = append(keys, on(move(1), "choose", "↑↓"))
	for i, b := range digit.Books {
		keys = append(keys, also(func() tea.Cmd { h.choose(m, i); return h.open(m) }, fmt.Sprint(i+1), b.Name))
	}
	for _, e := range h.entries(m) {
		keys = append(keys, on(e.do, strings.ToLower(e.name), e.key, strings.ToUpper(e.key)))
	}
	return append(keys, also(move(-1), "left"), also(move(1), "right"))
}

func (h *home) draw(m *Model, c *canvas) {
	s := c.stage()
	roomy := s.h >= 32
	y, gap := s.y, 1
	if roomy {
		y, gap = y+1, 2
	}
	h.drawLogo(c, s.x+2, y)
	c.right(s.x+s.w-2, y+1, style{fg: quiet}, "games of numbers")
	y += 3 + gap
	titles := 0
	for _, b := range digit.Books {
		titles = max(titles, len(rulebook.Title(b.Rules)))
	}
	for i, b := range digit.Books {
		h.drawEntry(m, c, rect{s.x + 1, y, s.w - 2, 1}, i, fmt.Sprint(i+1), fmt.Sprintf("%-*s", titles, rulebook.Title(b.Rules)), rulebook.Goal(b.Rules).Short)
		y += gap
	}
	entries := h.entries(m)
	bottom := s.y + s.h - 3 - gap
	h.drawPanel(m, c, rect{s.x + 1, y + 1, s.w - 2, bottom - y - 1})
	x := s.x + 1
	for i, e := range entries {
		w := textWidth(e.name) + 8
		h.drawEntry(m, c, rect{x, bottom + gap/2, w, 1}, len(digit.Books)+i, e.key, e.name, "")
		x += w
	}
}

// drawLogo writes the name of the program in tiles.
func (h *home) drawLogo(c *canvas, x, y int) {
	for i, r := range "DIGIT DUEL" {
		if r == ' ' {
			x += 2
			continue
		}
		tone := one
		if i > 5 {
			tone = two
		}
		c.box(rect{x, y, 5, 3}, thin, style{fg: tone})
		c.text(x+2, y+1, style{fg: tone, bold: true}, string(r))
		x += 5
	}
}

// drawEntry draws an entry of the menu in a line.
func (h *home) drawEntry(m *Model, c *canvas, r rect, i int, key, name, tells string) {
	x, s := c.mark(r.x+1, r.y, i == h.at, style{bold: true})
	x = c.text(x, r.y, style{fg: quiet}, key+" ")
	x = c.within(x+1, r.y, r.x+r.w-x-1, s, name)
	c.within(x+3, r.y, r.x+r.w-x-4, style{fg: quiet}, tells)
	c.zone(r, func() tea.Cmd {
		if h.at == i || i >= len(digit.Books) { // a second click opens a book
			h.choose(m, i)
			return h.open(m)
		}
		h.choose(m, i)
		return nil
	})
}

// A fact is something told of a book under a heading.
type fact struct{ name, tells string }

// facts returns what is told of the book or the entry that is chosen.
func (h *home) facts(m *Model) (title string, facts []fact) {
	b, ok := h.book()
	if !ok {
		e := h.entries(m)[h.at-len(digit.Books)]
		return e.name, []fact{{"", e.tells}}
	}
	r := m.wishes.opening(b)
	facts = []fact{
		{"", sentence(rulebook.Line(r))},
		{"Digits", r.Pool.List(" ")},
		{"Best play", h.study.best(m.spin())},
		{"A fair match", h.study.fair()},
		{"Last choices", m.wishes.summary()},
	}
	if r != b.Rules {
		facts[1] = fact{"Your rules", r.String()}
	}
	return b.Title + " (" + b.Name + ")", facts
}

func (h *home) drawPanel(m *Model, c *canvas, r rect) {
	title, facts := h.facts(m)
	in := c.panel(r, thin, style{fg: faint}, style{fg: accent, bold: true}, title)
	y, end, label := in.y, in.y+in.h, 15
	loose := in.h >= 14
	if loose {
		y++
	}
	for _, f := range facts {
		at := in.x + 2
		if f.name != "" && y < end {
			c.text(at, y, style{fg: quiet}, f.name)
			at += label
		}
		y += c.paragraph(at, y, in.x+in.w-2-at, end-y, style{}, f.tells)
		if loose {
			y++
		}
	}
}

func (h *home) say(m *Model) []string {
	lines := []string{"Digit Duel: games of numbers. Menu."}
	title, facts := h.facts(m)
	lines = append(lines, "Chosen: "+title)
	for _, f := range facts {
		if f.name != "" {
			lines = append(lines, f.name+": "+f.tells)
		} else {
			lines = append(lines, f.tells)
		}
	}
	lines = append(lines, "Games:")
	for i, b := range digit.Books {
		lines = append(lines, fmt.Sprintf("%d %s: %s%s", i+1, rulebook.Title(b.Rules), rulebook.Goal(b.Rules).Short, chosenMark(i == h.at)))
	}
	for i, e := range h.entries(m) {
		lines = append(lines, e.key+" "+e.name+chosenMark(len(digit.Books)+i == h.at))
	}
	return lines
}

func chosenMark(chosen bool) string {
	if chosen {
		return " (chosen)"
	}
	return ""
}

// best says who wins a game with best play.
func (s *study) best(spin string) string {
	if !s.ready() {
		return s.tells(spin)
	}
	who := ""
	switch s.start.Outcome {
	case solve.Win:
		who = "The first player wins"
	case solve.Loss:
		who = "The second player wins"
	case solve.Draw:
		who = "It is a draw"
	}
	moves := fmt.Sprintf("by %d of %d first moves", s.kept, s.moves)
	switch {
	case s.start.Outcome == solve.Loss:
		moves = "whatever the first move"
	case s.kept == s.moves:
		moves = "by any first move"
	}
	return fmt.Sprintf("%s in %s, %s.", who, count(s.start.Plies, "turn"), moves)
}

// fair says how a match is fair.
func (s *study) fair() string {
	switch {
	case !s.ready():
		return "A series, in which each starts in turn."
	case s.start.Outcome == solve.Draw:
		return "Any: neither side has the better of it."
	default:
		return "A series: the start matters, so each starts in turn."
	}
}
