package tui

import (
	tea "charm.land/bubbletea/v2"

	"digitduel/rulebook"
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
	y := in.y + c.paragraph(in.x, in.y, in.w, 2, style{}, i.text())
	x, w := in.x, in.w
	// in one line if possible, so that it can be selected
	if n := textWidth(i.table.Invite); n > w {
		x, w = max(0, (c.w-n)/2), min(n, c.w)
	}
	c.paragraph(x, y, w, 3, active, i.table.Invite)
}
