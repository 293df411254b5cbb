package tui

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
)

// A menu is the first page: the books, and the other pages.
type menu struct {
	at    string    // the key of the chosen entry
	since time.Time // when it was chosen
	fresh bool      // nobody has played here before
	study *study
}

// An entry is a line of the menu.
type entry struct {
	key, name string
	about     string // the description next to the name
	short     string // a shorter description
	book      *digit.Book
	do        act
}

// continues returns the entry that resumes the last game; ok is false if there is none.
func (m *Model) continues() (e entry, ok bool) {
	u, ok := m.unfinished()
	if len(m.seats) > 0 && (!ok || m.seats[0].At.After(u.At)) {
		s := m.seats[0]
		return entry{
			key: "c", name: "Continue your game at a server", about: s.host(), short: s.host(),
			do: func(m *Model) { m.comeBack(s) },
		}, true
	}
	if !ok {
		return entry{}, false
	}
	g := SavedGames([]Unfinished{u}, nil)[0]
	stands := rulebook.Standing(g.Rules, g.end, g.Result, g.cast())
	e = entry{key: "c", name: "Continue your game against " + g.who, do: func(*Model) {
		m.resume(u)
	}}
	if u.State.Levels == [2]string{} {
		e.name = "Continue your game"
	}
	e.about = fmt.Sprintf(
		"%s, %s, %s", rulebook.Title(g.Rules), stands, whenText(g.at, m.now, false))
	e.short = fmt.Sprintf("%s, %s", g.name, stands)
	return e, true
}

func newMenu(m *Model, fresh bool) *menu {
	h := &menu{fresh: fresh}
	h.top(m)
	return h
}

// top chooses the entry that is most likely wanted: the last game, the lesson, or the last book.
func (h *menu) top(m *Model) {
	h.since = m.now
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
	learn := entry{
		key: "l", name: "Learn", about: "one minute, on the real table", short: "one minute",
		do: (*Model).learn,
	}
	fresh := h.fresh && len(m.tables)+len(m.seats) == 0
	if fresh {
		learn.name, learn.short = "Learn in one minute", "Esc skips it"
		learn.about = "on the real table; Esc skips it"
		list = append(list, learn)
	}
	if e, ok := m.continues(); ok {
		list = append(list, e)
	}
	for i, b := range digit.Books {
		goal := rulebook.Goal(m.settings.opening(b)).Short
		list = append(list, entry{
			key: fmt.Sprint(i + 1), name: rulebook.Title(b.Rules), about: goal,
			short: strings.TrimSuffix(strings.TrimSuffix(goal, " wins"), " to win"), book: &b,
			do: func(*Model) { m.push(newSetup(m, b)) },
		})
	}
	list = append(list, entry{
		key: fairKey(), name: "Fair games", about: "nobody can force a win", short: "even for both",
		do: func(*Model) { m.push(newFair(m)) },
	})
	puzzle := "one move wins; find it"
	if days := m.streak.On(coach.DayOf(m.now)); days > 0 {
		puzzle = rulebook.Plural(days, "day") + " in a row"
	}
	list = append(list,
		entry{
			key: "p", name: "Puzzle of the day", about: puzzle, short: puzzle,
			do: (*Model).openPuzzles,
		},
		entry{
			key: "g", name: "Your games", about: "continue or review them",
			short: "continue, review", do: (*Model).openSaved,
		},
		entry{
			key: "o", name: "Play at a server", about: "with other people", short: "other people",
			do: func(*Model) { m.push(newServer(m)) },
		},
	)
	if !fresh {
		list = append(list, learn)
	}
	return append(list, entry{
		key: "s", name: "Settings",
		about: "colours, signs, motion, your name", short: "colours, signs, name",
		do: func(*Model) { m.push(newSettingsPage()) },
	})
}

// fairKey is the key of the fair games, after the books.
func fairKey() string { return fmt.Sprint(len(digit.Books) + 1) }

// chosen returns the chosen entry and its index. If it is gone, the first one is chosen.
func (h *menu) chosen(m *Model) (entry, int) {
	list := h.entries(m)
	i := max(0, slices.IndexFunc(list, func(e entry) bool { return e.key == h.at }))
	return list[i], i
}

func (h *menu) upkeep(m *Model) {
	e, _ := h.chosen(m)
	if m.top() != page(h) || e.book == nil {
		return
	}
	m.restudy(&h.study, m.settings.opening(*e.book))
}

func (h *menu) moving(m *Model) bool {
	return m.top() == page(h) && m.motion() && m.now.Sub(h.since) < sampleMoves*sampleTime
}

// choose moves to an entry.
func (h *menu) choose(m *Model, e entry) {
	if h.at != e.key {
		h.at, h.since = e.key, m.now
	}
	if e.book != nil {
		m.settings.Book = e.book.Name
	}
}

// list returns the entries as a list.
func (h *menu) list(m *Model) list {
	entries := h.entries(m)
	_, at := h.chosen(m)
	var items []item
	for i, e := range entries {
		it := item{key: e.key, name: e.name, about: []string{e.about, e.short}}
		if e.book != nil {
			it.right = sample(m.settings.opening(*e.book), h.played(m, e))
		}
		it.apart = i+1 < len(entries) && (entries[i+1].book == nil) != (e.book == nil)
		items = append(items, it)
	}
	l := listOf(&at, items, func(m *Model, i int) {
		h.fresh = false // a user who has opened something is not new
		entries[i].do(m)
	})
	l.moved = func(i int) { h.choose(m, entries[i]) }
	return l
}

func (h *menu) keys(m *Model) []binding {
	now, _ := h.chosen(m)
	verb := "open"
	if now.book != nil || now.key == "c" || now.key == "l" {
		verb = "play"
	}
	keys := append(h.list(m).keys(verb), on(nil, "game", "1-"+fairKey()))
	if now.book != nil {
		keys = append(keys, m.rules(m.settings.opening(*now.book)))
	}
	return append(keys, m.help(), on(quit, "quit", "q").ranked(staysRank))
}

// quit ends the program.
func quit(m *Model) { m.send(tea.Quit) }

// The sample of a game has some moves, and shows them one after another on the chosen entry.
const (
	sampleMoves = 3
	sampleTime  = 600 * time.Millisecond
)

// sample returns a small board after some of the first moves of a game: "7 _ 1  _ 3 _".
func sample(r digit.Rules, moves int) string {
	p, rng := digit.Position{}, rand.New(rand.NewPCG(3, 3))
	for range min(moves, sampleMoves) {
		if next, err := r.Play(
			p, sampleMove(r, p, rng.IntN),
		); err == nil && !r.Result(next).Over() {
			p = next
		}
	}
	wide := 2*max(int(r.Width), 2) - 1
	return fmt.Sprintf(
		"%-*s   %-*s", wide, spaced(r.Number(p, digit.First)), wide,
		spaced(r.Number(p, digit.Second)))
}

// sampleMove returns a plausible move: the highest or lowest digit if only that counts, else any.
func sampleMove(r digit.Rules, p digit.Position, intn func(int) int) digit.Move {
	orders := r.Orders()
	if r.Win != digit.Never || len(orders) == 0 ||
		orders[0] != digit.Higher && orders[0] != digit.Lower {
		move, _ := r.Pick(p, intn) // the game is not over
		return move
	}
	moves := slices.Collect(r.Moves(p))
	if orders[0] == digit.Lower {
		return moves[0]
	}
	return slices.MaxFunc(moves, func(a, b digit.Move) int { return cmp.Compare(a.Digit, b.Digit) })
}

// played returns the number of sample moves that an entry shows.
func (h *menu) played(m *Model, e entry) int {
	if e.key != h.at || !m.motion() {
		return sampleMoves
	}
	return int(m.now.Sub(h.since) / sampleTime)
}

func (h *menu) draw(m *Model, c *canvas) {
	b := c.middle(86)
	about := fmt.Sprintf("%s games of numbers, for two", rulebook.InWords(len(digit.Books)))
	if c.class() == large {
		h.drawLogo(c, b.x, b.y)
		c.text(b.x+52, b.y+1, muted, about)
		b.y, b.h = b.y+4, b.h-4
	} else {
		c.header("DIGIT DUEL", "", about)
	}
	l := h.list(m)
	if c.class() == compact {
		for i := range l.items {
			l.items[i].right = ""
		}
	}
	if games := len(digit.Books); b.h >= l.n+games+2 { // a blank line after each of them
		for i := range l.items {
			l.items[i].apart = l.items[i].apart || l.items[i].right != ""
		}
		b.y, b.h = b.y+1, b.h-1
	}
	y := l.draw(c, b)
	if room := b.bottom() - y; room >= 8 {
		h.drawPanel(m, c, rect{b.x, y + 1, b.w, min(room-1, 15)})
	}
}

// drawLogo writes the name of the program in tiles.
func (h *menu) drawLogo(c *canvas, x, y int) {
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
		c.text(x+2, y+1, tone.bold(), string(r))
		x += 5
	}
}

// facts returns the description of the chosen entry.
func (h *menu) facts(m *Model) (title string, facts []string) {
	e, _ := h.chosen(m)
	if e.book == nil {
		return e.name, []string{rulebook.Complete(e.about)}
	}
	r := m.settings.opening(*e.book)
	facts = []string{rulebook.Goal(r).Long, h.study.best(m.spin())}
	if h.study.ready() {
		if fair := coach.Fairer(h.study.solution); fair != "" {
			facts = append(facts, fair)
		}
	}
	return e.name, facts
}

func (h *menu) drawPanel(m *Model, c *canvas, r rect) {
	title, facts := h.facts(m)
	var lines []string
	for _, f := range facts {
		if more := wrap(f, r.w-6); len(lines)+len(more)+1 <= r.h-2 {
			lines = append(append(lines, more...), "")
		}
	}
	if len(lines) == 0 {
		return
	}
	in := c.panel(rect{r.x, r.y, r.w, len(lines) + 1}, title)
	for i, line := range lines[:len(lines)-1] {
		c.text(in.x+2, in.y+i, style{}, line)
	}
}

// best describes who wins with best play.
func (s *study) best(spin string) string {
	if !s.ready() {
		return s.describe(spin)
	}
	return s.outlook
}
