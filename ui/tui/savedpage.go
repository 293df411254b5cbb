package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"digitduel/rulebook"
	"digitduel/ui/tui/draw"
)

// A saved page lists the saved games: unfinished ones first, then the newest.
type saved struct {
	games  []SavedGame
	shown  []SavedGame // those that match
	loaded bool
	err    error
	at     int // an index of shown
	input      // the search words
}

func (m *Model) openSaved() {
	p := &saved{input: input{field: field{most: 30}}}
	m.push(p)
	p.load(m)
}

// load reads the games.
func (p *saved) load(m *Model) {
	m.run(func() act {
		tables, wrong := m.world.Tables()
		records, err := m.world.Games()
		games := SavedGames(tables, records)
		seats, trouble := m.world.Servers.Seats()
		err = cmp.Or(err, wrong, trouble)
		for _, s := range slices.Backward(seats) {
			games = slices.Insert(games, 0, seatGame(s))
		}
		return func(m *Model) {
			m.tables, m.seats = tables, seats
			p.games = slices.DeleteFunc(games, func(g SavedGame) bool {
				return g.Left != nil && m.plays(g.Left.ID)
			})
			p.err, p.loaded = err, true
			p.search()
		}
	})
}

// plays reports whether a table is on the screen.
func (m *Model) plays(id string) bool {
	return slices.ContainsFunc(m.layers, func(l layer) bool {
		t, ok := l.page.(*table)
		return ok && t.own && t.store.ID() == id
	})
}

// search finds the games that have all of the typed words.
func (p *saved) search() {
	words := strings.Fields(p.text)
	p.shown = slices.DeleteFunc(slices.Clone(p.games), func(g SavedGame) bool {
		return !g.Matches(words)
	})
	p.at = min(p.at, max(0, len(p.shown)-1))
}

// open resumes the chosen game, or reviews it.
func (p *saved) open(m *Model, _ int) {
	if g := p.shown[p.at]; g.Resumable() {
		g.resume(m)
	} else {
		m.push(newReview(g.Record, g.pair))
	}
}

// remove asks whether to delete the chosen game.
func (p *saved) remove(m *Model, g SavedGame) {
	if g.Left != nil && g.Left.Busy {
		m.problem = "it is open in another window"
		return
	}
	remove := func(*Model) {
		m.store("the game was not deleted", func() error {
			if g.Left != nil {
				return m.world.Forget(g.Left.ID)
			}
			return m.world.Drop(g.Record)
		}, func() { p.load(m) })
	}
	m.lay(&confirmation{
		question: "Delete " + g.Title() + "? It cannot be restored.", does: "Delete",
		no: "Keep it", do: remove,
	})
}

func (p *saved) list() list {
	return list{n: len(p.shown), at: &p.at, stops: true, open: p.open}
}

// typed implements typist.
func (p *saved) typed(*Model) {
	p.at = 0
	p.search()
}

// finds starts or ends the typing of search words.
func (p *saved) finds(typing, all bool) act {
	return func(*Model) {
		if p.types = typing; all {
			p.text = ""
			p.search()
		}
	}
}

func (p *saved) keys(m *Model) []binding {
	l := p.list()
	pages := []binding{also(l.move(-10), "pgup"), also(l.move(10), "pgdown")}
	if p.types {
		return append(pages,
			on(p.finds(false, false), "done", "enter"),
			on(p.finds(false, true), "all games", "esc"),
			also(l.move(-1), "up"), also(l.move(1), "down"))
	}
	keys := append(pages, also(l.move(-l.n), "home"), also(l.move(l.n), "end"))
	if p.at < len(p.shown) {
		g := p.shown[p.at]
		verb, review := "review", also(func(*Model) { m.push(newReview(g.Record, g.pair)) }, "v")
		if g.Resumable() {
			verb, review = "continue", on(review.do, "review", "v")
		}
		if keys = append(keys, l.keys(verb)...); g.seat == nil {
			keys = append(keys, review, on(func(*Model) { p.remove(m, g) }, "delete", "d"))
		}
	}
	if len(p.games) > 0 {
		keys = append(keys, on(p.finds(true, false), "find", "/"))
	}
	keys = append(keys, m.help())
	if p.text != "" {
		return append(keys, on(p.finds(false, true), "all games", "esc", "q"))
	}
	return append(keys, m.back())
}

// status explains why there is no list.
func (p *saved) status(m *Model) string {
	switch {
	case !p.loaded:
		return m.spin() + " reading your games"
	case p.err != nil:
		return "✗ " + p.err.Error()
	case len(p.games) == 0:
		return "There are no saved games yet."
	case len(p.shown) == 0:
		return "No game has all of these words: who played, which game, how it ended, when."
	}
	return ""
}

// counts describes the number of games.
func (p *saved) counts() string {
	if len(p.games) == 0 {
		return ""
	}
	text := rulebook.Plural(len(p.games), "game")
	if len(p.shown) < len(p.games) {
		text = fmt.Sprintf("%d of %s", len(p.shown), text)
	}
	left := 0
	for _, g := range p.shown {
		if g.seat != nil || g.Left != nil {
			left++
		}
	}
	if left > 0 {
		text += fmt.Sprintf(", %d unfinished", left)
	}
	return text
}

func (p *saved) draw(m *Model, c *canvas) {
	in := c.body()
	c.header("Your games", "unfinished first, then the newest", p.counts())
	y := in.Y
	if c.class() != compact {
		y++
	}
	if p.types || p.text != "" {
		x := c.Text(in.X+2, y, draw.Muted, "Find: ")
		x = c.Text(x, y, draw.Strong, p.text)
		if p.types {
			c.Text(x, y, draw.Active, "_")
		}
		y++
	}
	if about := p.status(m); about != "" {
		y += c.Paragraph(in.X+2, y, in.W-2, 3, draw.Even.Style(), about)
	}
	p.drawList(m, c, draw.Rect(in.X, y, in.W, in.Bottom()-y))
}

// drawList draws the games around the chosen one.
func (p *saved) drawList(m *Model, c *canvas, r draw.Area) {
	all := p.list()
	from, to := all.window(r.H)
	var items []item
	for _, g := range p.shown[from:to] {
		items = append(items, g.item(m.now))
	}
	at := p.at - from
	l := listOf(&at, items, p.open)
	l.moved = func(i int) { p.at = from + i }
	l.draw(c, r)
	c.more(r, from > 0, to < all.n)
}
