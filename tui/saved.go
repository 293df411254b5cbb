package tui

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A saved page lists the games that are kept, the newest first.
type saved struct {
	games  []game
	loaded bool
	err    error
	at     int
}

// A game is one that is kept, and what its record tells of it.
type game struct {
	digit.Record
	played match.Played
	pair   pair
	after  time.Time // when it was played, at least
}

func (m *Model) openSaved() tea.Cmd {
	p := &saved{}
	m.push(p)
	return m.crew.run(func(context.Context) later {
		records, err := m.world.Games()
		games := gamesOf(records)
		return func(*Model) tea.Cmd {
			p.games, p.err, p.loaded = games, err, true
			return nil
		}
	})
}

// gamesOf returns the games of some records, the newest first. One that does not tell its time comes after the one that was kept
// before it.
func gamesOf(records []digit.Record) []game {
	games := make([]game, len(records))
	var after time.Time
	for i, rec := range records {
		played, _ := match.PlayedOf(rec) // what cannot be is as what is not told
		if !played.At.IsZero() {
			after = played.At
		}
		games[len(games)-1-i] = game{rec, played, pairOf(played.Setup(rec.Rules), played.Starts), after}
	}
	slices.SortStableFunc(games, func(a, b game) int { return b.after.Compare(a.after) })
	return games
}

// when says when the game was played, as the clock here shows it.
func (g game) when(m *Model) string {
	if g.played.At.IsZero() {
		return ""
	}
	return g.played.At.In(m.now.Location()).Format("2 Jan 2006 15:04")
}

// heading says who played, which game of a series it was, and when.
func (g game) heading(m *Model) string {
	text := g.pair[digit.First].name + " against " + g.pair[digit.Second].name
	if g.played.Game > 0 {
		text += fmt.Sprintf(", game %d, best of %d", g.played.Game, g.played.BestOf)
	}
	if when := g.when(m); when != "" {
		text += ", " + when
	}
	return text
}

// rules says what was played, in words.
func (g game) rules() string {
	return fmt.Sprintf("%s (%v). %s", rulebook.Title(g.Rules), g.Rules, sentence(rulebook.Line(g.Rules)))
}

// ending tells how a game ended.
func ending(rec digit.Record, two pair) rulebook.Said {
	var end digit.Position
	if positions, err := rec.Positions(); err == nil {
		end = positions[len(positions)-1]
	}
	return rulebook.Ending(rec.Rules, end, rec.Result, two.cast())
}

func (p *saved) open(m *Model) tea.Cmd {
	if len(p.games) == 0 {
		return nil
	}
	return m.openReview(p.games[p.at].Record, p.games[p.at].pair)
}

func (p *saved) move(by int) act {
	return func() tea.Cmd {
		if n := len(p.games); n > 0 {
			p.at = min(max(p.at+by, 0), n-1)
		}
		return nil
	}
}

func (p *saved) keys(m *Model) []binding {
	var keys []binding
	if len(p.games) > 0 {
		keys = append(keys, on(func() tea.Cmd { return p.open(m) }, "review", "enter", "space", "v"), on(p.move(1), "choose", "↑↓"))
	}
	return append(keys,
		also(p.move(-1), "up", "k", "shift+tab"), also(p.move(1), "down", "j", "tab"),
		also(p.move(-10), "pgup"), also(p.move(10), "pgdown"), also(p.move(-len(p.games)), "home"), also(p.move(len(p.games)), "end"),
		m.help(), m.back("menu"))
}

// status says what there is, if it is not a list.
func (p *saved) status(m *Model) string {
	switch {
	case !p.loaded:
		return m.spin() + " reading your games"
	case p.err != nil:
		return "✗ " + p.err.Error()
	case len(p.games) == 0:
		return "There are no games yet: play one, and it is here."
	}
	return ""
}

func (p *saved) draw(m *Model, c *canvas) {
	st := c.stage()
	count := ""
	if n := len(p.games); n > 0 {
		count = fmt.Sprintf("%d of %d", p.at+1, n)
	}
	c.header("Saved games", "the newest first", count)
	y := st.y + 3
	if tells := p.status(m); tells != "" {
		c.within(st.x+2, y, st.w-4, style{fg: even}, tells)
		y += 2
	}
	const below = 7 // of the list: what is told of the game that is chosen
	room := max(1, st.h-(y-st.y)-3-below)
	from := max(0, min(p.at-room/2, len(p.games)-room))
	when, who := 18, st.w/4
	for i := from; i < min(len(p.games), from+room); i++ {
		g := p.games[i]
		x, s := c.mark(st.x+2, y, i == p.at, style{})
		c.within(x, y, when-1, style{fg: quiet}, g.when(m))
		c.within(x+when, y, who-1, s, g.pair[digit.First].name+" – "+g.pair[digit.Second].name)
		x += when + who
		room := st.x + st.w - 2 - x
		c.within(x, y, room, style{bold: true}, ending(g.Record, g.pair).Short)
		c.within(x+rulebook.MostShort+2, y, room-rulebook.MostShort-2, style{fg: quiet}, rulebook.Title(g.Rules))
		c.zone(rect{st.x + 2, y, st.w - 4, 1}, func() tea.Cmd {
			if p.at == i {
				return p.open(m)
			}
			p.at = i
			return nil
		})
		y++
	}
	if len(p.games) > 0 {
		p.drawChosen(m, c, rect{st.x + 2, st.y + st.h - 2 - below, st.w - 4, below})
	}
}

// drawChosen tells of the game that is chosen.
func (p *saved) drawChosen(m *Model, c *canvas, r rect) {
	g := p.games[p.at]
	c.rule(r.x-1, r.y, r.w+2, style{fg: faint})
	y := r.y + 1
	for _, l := range []line{
		{text: g.heading(m), style: style{bold: true}}, {text: g.rules()}, {text: ending(g.Record, g.pair).Long}, {text: movesText(g.Moves), style: style{fg: quiet}},
	} {
		y += c.paragraph(r.x, y, r.w, min(2, r.y+r.h-y), l.style, l.text)
	}
}

func (p *saved) say(m *Model) []string {
	lines := []string{"Saved games, the newest first."}
	if tells := p.status(m); tells != "" {
		lines = append(lines, tells)
	}
	if len(p.games) > 0 {
		lines = append(lines, fmt.Sprintf("Chosen: %d of %d.", p.at+1, len(p.games)))
	}
	for i, g := range p.games {
		said := ending(g.Record, g.pair)
		lines = append(lines, fmt.Sprintf("%d. %s: %s. %s Moves: %s.%s", i+1, g.heading(m), said.Short, g.rules(), movesText(g.Moves), chosenMark(i == p.at)))
	}
	return lines
}
