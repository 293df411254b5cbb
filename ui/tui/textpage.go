package tui

import (
	"fmt"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/ui/tui/draw"
)

// A textPage is a page of text, which may be longer than the window. A line without an indent is a
// heading. A bar separates two columns.
type textPage struct {
	title, about, text string
	top                int // the first row to show
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
	return &textPage{title: "Rules", about: r.String(), text: strings.Join(text, "\n")}
}

// rows returns the text in the rows of a part of the screen, and the first row to show.
func (p *textPage) rows(body draw.Area) (rows []string, from int) {
	rows = draw.Wrap(p.text, min(body.W, 108))
	return rows, min(max(p.top, 0), max(0, len(rows)-body.H))
}

func (p *textPage) keys(m *Model) []binding {
	body := m.body()
	rows, from := p.rows(body)
	room := body.H
	show := func(row int) act {
		return func(*Model) { p.top = row; _, p.top = p.rows(body) }
	}
	keys := []binding{
		also(show(from-1), "up", "k"), also(show(from+1), "down", "j"),
		also(show(from-room), "pgup", "b"), also(show(from+room), "pgdown", "space"),
		also(show(0), "home"), also(show(len(rows)), "end"),
	}
	if len(rows) > room {
		keys = append(keys, on(show(from+1), "scroll", "↑↓"))
	}
	return append(keys, on((*Model).pop, "back", "esc", "enter", "q", "?", "f1"))
}

func (p *textPage) draw(_ *Model, c *canvas) {
	const column = 29 // the start of the second column
	b, where := c.body(), ""
	rows, from := p.rows(b)
	if len(rows) > b.H {
		where = fmt.Sprintf("%d–%d of %d", from+1, from+b.H, len(rows))
	}
	c.header(p.title, p.about, where)
	for y, row := range rows[from:min(len(rows), from+b.H)] {
		for i, text := range strings.Split(row, "|") {
			s := draw.Active
			if strings.HasPrefix(text, " ") {
				s = draw.Style{}
			}
			c.Text(b.X+i*column, b.Y+y, s, text)
		}
	}
	c.more(b, from > 0, from+b.H < len(rows))
}
