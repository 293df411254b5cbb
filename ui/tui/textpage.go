package tui

import (
	"fmt"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
)

// A textPage is a page of text, which may be longer than the window.
type textPage struct {
	title, about string
	// returns the text in a part of the screen: its rows, and how to draw those from one on
	lay func(body rect) (rows int, draw func(c *canvas, from int))
	top int // the first row to show
}

// rulesPage returns the page with the rules of a game, its options and their allowed values.
func rulesPage(r digit.Rules) *textPage {
	text := []string{rulebook.Title(r)}
	for _, s := range rulebook.Sections(r) {
		text = append(text, "", s.Heading, "  "+s.Text)
	}
	text = append(text, "", "Options")
	for _, o := range rulebook.Options(r) {
		text = append(
			text,
			fmt.Sprintf(
				"  %s (%s=%s): %s Allowed: %s.", o.Label, o.Key, o.Value, o.Means, o.Allowed))
	}
	lay := func(b rect) (rows int, draw func(*canvas, int)) {
		lines := wrap(strings.Join(text, "\n"), min(b.w, 108))
		return len(lines), func(c *canvas, from int) {
			for i, line := range lines[from:min(len(lines), from+b.h)] {
				s := style{}
				if line != "" && !strings.HasPrefix(line, " ") {
					s = active
				}
				c.text(b.x, b.y+i, s, line)
			}
		}
	}
	return &textPage{title: "Rules", about: r.String(), lay: lay}
}

// from returns the first row to show of some rows.
func (p *textPage) from(rows, room int) int { return min(max(p.top, 0), max(0, rows-room)) }

func (p *textPage) keys(m *Model) []binding {
	body := m.body()
	rows, _ := p.lay(body)
	from, room := p.from(rows, body.h), body.h
	show := func(row int) act {
		return func(*Model) { p.top = row; p.top = p.from(rows, room) }
	}
	keys := []binding{
		also(show(from-1), "up", "k"), also(show(from+1), "down", "j"),
		also(show(from-room), "pgup", "b"), also(show(from+room), "pgdown", "space"),
		also(show(0), "home"), also(show(rows), "end"),
	}
	if rows > room {
		keys = append(keys, on(show(from+1), "scroll", "↑↓"))
	}
	return append(keys, on((*Model).pop, "back", "esc", "enter", "q", "?", "f1"))
}

func (p *textPage) draw(_ *Model, c *canvas) {
	body, where := c.body(), ""
	rows, draw := p.lay(body)
	from := p.from(rows, body.h)
	if rows > body.h {
		where = fmt.Sprintf("%d–%d of %d", from+1, from+body.h, rows)
	}
	c.header(p.title, p.about, where)
	draw(c, from)
	c.more(body, from > 0, from+body.h < rows)
}
