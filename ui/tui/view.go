package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// tooSmall reports whether the screen does not fit into the terminal.
func (m *Model) tooSmall() bool { return m.width < MinWidth || m.height < MinHeight }

// View implements [tea.Model].
func (m *Model) View() tea.View {
	var v tea.View
	if m.width > 0 && m.height > 0 {
		v.Content = m.canvas().render(m.theme())
	}
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "duel"
	return v
}

// canvas draws the screen.
func (m *Model) canvas() *canvas {
	c := newCanvas(m.width, m.height)
	c.ascii = m.theme().ascii
	if m.tooSmall() {
		m.drawSmall(c)
	} else {
		m.drawLayers(c)
	}
	return c
}

// drawLayers draws the page on the screen and the drawers over it.
func (m *Model) drawLayers(c *canvas) {
	base := m.base()
	c.clock = m.clockBelow(base)
	c.covered = base < len(m.layers)-1
	for i, l := range m.layers[base:] {
		if i > 0 { // pages below are visible, but do not react
			c.zones = nil
		}
		l.draw(m, c)
	}
	m.footer(c, m.top().keys(m))
}

// clockBelow returns the clock of a game under a page: "your turn, 0:21".
func (m *Model) clockBelow(at int) string {
	for _, l := range m.layers[:at] {
		if t, ok := l.page.(*table); ok {
			return t.clockText(m)
		}
	}
	return ""
}

// drawSmall shows that the terminal is too small.
func (m *Model) drawSmall(c *canvas) {
	y := max(0, c.h/2-1)
	y += c.paragraph(1, y, max(1, c.w-2), c.h-y, active, fmt.Sprintf(
		"This window is %d×%d; %d×%d is enough.", m.width, m.height, MinWidth, MinHeight))
	c.text(1, y+1, style{}, "Esc quit")
}
