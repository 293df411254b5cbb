package tui

import (
	tea "charm.land/bubbletea/v2"

	"digitduel/rulebook"
	"digitduel/ui/tui/draw"
)

// An invitation shows the link for the open seat until another player takes it.
type invitation struct{ table *table }

// text returns the text above the link.
func (i *invitation) text() string {
	s := i.table.state.Setup
	if s.Listed {
		return rulebook.WaitingForAnybody.Long
	}
	text, _ := rulebook.Invitation(s.Rules, "")
	return text.Long
}

func (i *invitation) keys(m *Model) []binding {
	keys := []binding{on((*Model).pop, "the table", "esc", "enter", "space")}
	if i.table.Invite != "" {
		keys = append([]binding{on(func(*Model) {
			m.send(tea.SetClipboard(i.table.Invite))
		}, "copy the link", "c").ranked(moveRank)}, keys...)
	}
	return append(keys, m.help())
}

func (i *invitation) draw(m *Model, c *canvas) {
	in := c.drawer(5, "Waiting for a player")
	y := in.Y + c.Paragraph(in.X, in.Y, in.W, 2, draw.Style{}, i.text())
	x, w := in.X, in.W
	// in one line if possible, so that it can be selected
	if n := draw.Width(i.table.Invite); n > w {
		x, w = max(0, (c.W-n)/2), min(n, c.W)
	}
	c.Paragraph(x, y, w, 3, draw.Active, i.table.Invite)
}
