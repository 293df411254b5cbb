package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/match"
)

// A saved page lists the games that are kept, the newest first.
type saved struct {
	games  []digit.Record
	loaded bool
	err    error
	at     int
}

func (m *Model) openSaved() tea.Cmd {
	p := &saved{}
	m.push(p)
	return m.crew.run(func(context.Context) later {
		games, err := m.world.Games()
		games = slices.Clone(games)
		slices.Reverse(games)
		return func(*Model) tea.Cmd {
			p.games, p.err, p.loaded = games, err, true
			return nil
		}
	})
}

func (p *saved) open(m *Model) tea.Cmd {
	if len(p.games) == 0 {
		return nil
	}
	rec := p.games[p.at]
	return m.openReview(rec, pairOf(match.Setup{}, match.One))
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

// gameText tells a game in a line.
func gameText(rec digit.Record) (rules, result, moves string) {
	result = rec.Result.String()
	if !rec.Result.Over() {
		result = "unfinished"
	}
	return rec.Rules.String(), result, movesText(rec.Moves)
}

func (p *saved) draw(m *Model, c *canvas) {
	st := c.stage()
	count := ""
	if n := len(p.games); n > 0 {
		count = fmt.Sprintf("%d of %d", p.at+1, n)
	}
	c.header(st, "Saved games", "the newest first", count)
	y := st.y + 3
	if tells := p.status(m); tells != "" {
		c.within(st.x+2, y, st.w-4, style{fg: even}, tells)
		y += 2
	}
	room := max(1, st.h-(y-st.y)-3)
	from := max(0, min(p.at-room/2, len(p.games)-room))
	rules := min(40, st.w/3)
	for i := from; i < min(len(p.games), from+room); i++ {
		x, s := c.mark(st.x+2, y, i == p.at, style{})
		game, result, moves := gameText(p.games[i])
		c.within(x, y, rules-2, s, game)
		c.within(x+rules, y, 15, style{bold: true}, result)
		c.within(x+rules+16, y, st.x+st.w-2-(x+rules+16), style{fg: quiet}, moves)
		c.zone(rect{st.x + 2, y, st.w - 4, 1}, func() tea.Cmd {
			if p.at == i {
				return p.open(m)
			}
			p.at = i
			return nil
		})
		y++
	}
	m.footer(c, st, p.keys(m))
}

func (p *saved) say(m *Model) []string {
	lines := []string{"Saved games, the newest first."}
	if tells := p.status(m); tells != "" {
		lines = append(lines, tells)
	}
	if len(p.games) > 0 {
		lines = append(lines, fmt.Sprintf("Chosen: %d of %d.", p.at+1, len(p.games)))
	}
	for i, rec := range p.games {
		game, result, moves := gameText(rec)
		lines = append(lines, fmt.Sprintf("%d. %s, %s: %s%s", i+1, game, result, moves, chosenMark(i == p.at)))
	}
	return lines
}
