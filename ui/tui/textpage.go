package tui

import (
	"fmt"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
)

// A textPage is a page of text.
type textPage struct {
	title, about string
	lines        []string
	scroller
}

// rulesPage returns the page with the rules of a game, its options and their allowed values.
func rulesPage(r digit.Rules) *textPage {
	lines := []string{rulebook.Title(r)}
	for _, s := range rulebook.Sections(r) {
		lines = append(lines, "", s.Heading, "  "+s.Text)
	}
	lines = append(lines, "", "Options")
	for _, o := range rulebook.Options(r) {
		lines = append(
			lines,
			fmt.Sprintf(
				"  %s (%s=%s): %s Allowed: %s.", o.Label, o.Key, o.Value, o.Means, o.Allowed))
	}
	return &textPage{title: "Rules", about: r.String(), lines: lines}
}

// wrapped returns the lines for a page, and the number of rows.
func (p *textPage) wrapped(body rect) (lines []string, room int) {
	for _, line := range p.lines {
		lines = append(lines, wrap(line, min(body.w, 108))...)
	}
	return lines, body.h
}

func (p *textPage) keys(m *Model) []binding {
	lines, room := p.wrapped(m.body())
	return p.scroller.keys(len(lines), room)
}

func (p *textPage) draw(m *Model, c *canvas) {
	body := c.body()
	lines, room := p.wrapped(body)
	from := p.from(len(lines), room)
	c.header(p.title, p.about, p.where(len(lines), room))
	for i, line := range lines[from:min(len(lines), from+room)] {
		s := style{}
		if line != "" && !strings.HasPrefix(line, " ") {
			s = active
		}
		c.text(body.x, body.y+i, s, line)
	}
	p.more(c, body, len(lines))
}
