package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/rulebook"
)

// A reading is a page of text.
type reading struct {
	title, tells string
	lines        []string
	scroll       int
}

func rulesPage(r digit.Rules) *reading {
	return &reading{title: "Rules", tells: r.String(), lines: append(explained(r), options(r)...)}
}

// explained tells the rules of a game, each section under its heading.
func explained(r digit.Rules) []string {
	lines := []string{rulebook.Title(r)}
	for _, s := range rulebook.Sections(r) {
		lines = append(lines, "", s.Heading, "  "+s.Text)
	}
	return lines
}

// options tells the options of a game and what else they may be.
func options(r digit.Rules) []string {
	lines := []string{"", "Options"}
	for _, o := range rulebook.Options(r) {
		lines = append(lines, fmt.Sprintf("  %s (%s=%s): %s Allowed: %s.", o.Label, o.Key, o.Value, o.Means, o.Allowed))
	}
	return lines
}

// hang breaks lines of text into lines of a width. What is after a tab is kept to the right of what is before it.
func hang(text []string, width int) []string {
	const column = 10
	var lines []string
	for _, line := range text {
		head, tail, tabbed := strings.Cut(line, "\t")
		if !tabbed {
			lines = append(lines, wrap(line, max(width, 10))...)
			continue
		}
		for _, part := range wrap(tail, max(width-column, 10)) {
			lines = append(lines, head+strings.Repeat(" ", max(1, column-textWidth(head)))+part)
			head = ""
		}
	}
	return lines
}

// window returns the lines, the first one that is shown, and how many there is room for.
func (p *reading) window(m *Model) (lines []string, from, room int) {
	width, room := p.size(m)
	lines = hang(p.lines, width)
	return lines, min(max(p.scroll, 0), max(0, len(lines)-room)), room
}

func (p *reading) keys(m *Model) []binding {
	lines, from, room := p.window(m)
	show := func(line int) act {
		return func() tea.Cmd { p.scroll = min(max(line, 0), max(0, len(lines)-room)); return nil }
	}
	keys := []binding{
		also(show(from-1), "up", "k"), also(show(from+1), "down", "j"),
		also(show(from-room), "pgup", "b"), also(show(from+room), "pgdown", "space"),
		also(show(0), "home"), also(show(len(lines)), "end"),
	}
	if len(lines) > room {
		keys = append(keys, on(show(from+1), "scroll", "↑↓"))
	}
	return append(keys, on(func() tea.Cmd { m.pop(); return nil }, "back", "esc", "enter", "q", "Q", "?"))
}

// size returns the width of a line and how many lines there is room for.
func (p *reading) size(m *Model) (width, room int) {
	body := (&canvas{w: m.width, h: m.height}).body()
	return max(10, min(body.w, 108)), max(1, body.h)
}

func (p *reading) draw(m *Model, c *canvas) {
	body := c.body()
	lines, from, room := p.window(m)
	where := ""
	if len(lines) > room {
		where = fmt.Sprintf("%d–%d of %d", from+1, min(from+room, len(lines)), len(lines))
	}
	c.header(p.title, p.tells, where)
	for i, line := range lines[from:min(len(lines), from+room)] {
		s := style{}
		if line != "" && !strings.HasPrefix(line, " ") {
			s = active
		}
		c.text(body.x, body.y+i, s, line)
	}
}

func (p *reading) say(*Model) []string {
	lines := []string{p.title + ": " + p.tells}
	for _, line := range p.lines {
		lines = append(lines, strings.ReplaceAll(line, "\t", ": "))
	}
	return lines
}
