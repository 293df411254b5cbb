package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"digitduel/ui/tui/draw"
)

// tooSmall reports whether the screen does not fit into the terminal.
func (m *Model) tooSmall() bool { return m.width < MinWidth || m.height < MinHeight }

// View implements [tea.Model].
func (m *Model) View() tea.View {
	var v tea.View
	if m.width > 0 && m.height > 0 {
		v.Content = m.canvas().Render(m.theme())
	}
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "duel"
	return v
}

// A canvas is the window, with the zones that react to the mouse.
type canvas struct {
	*draw.Canvas
	zones   []zone
	clock   string // of a game under the page
	covered bool   // a drawer is drawn over the page
}

// A zone is a part of the window that reacts to a click.
type zone struct {
	draw.Area
	do act
}

// An act changes the screen. It may start work in the background.
type act func(*Model)

// newCanvas returns an empty canvas of the size of the window.
func (m *Model) newCanvas() *canvas {
	return &canvas{Canvas: draw.New(m.width, m.height, m.theme().ASCII)}
}

// zone makes a part of the window react to the mouse. Of overlapping zones, the last one counts.
func (c *canvas) zone(r draw.Area, do act) {
	if do != nil {
		c.zones = append(c.zones, zone{r, do})
	}
}

// hit returns the act of a click; nil: there is none.
func (c *canvas) hit(x, y int) act {
	for _, z := range slices.Backward(c.zones) {
		if z.Has(x, y) {
			return z.do
		}
	}
	return nil
}

// canvas draws the screen.
func (m *Model) canvas() *canvas {
	c := m.newCanvas()
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
	y := max(0, c.H/2-1)
	y += c.Paragraph(1, y, max(1, c.W-2), c.H-y, draw.Active, fmt.Sprintf(
		"This window is %d×%d; %d×%d is enough.", m.width, m.height, MinWidth, MinHeight))
	c.Text(1, y+1, draw.Style{}, "Esc quit")
}

// theme returns the theme for the terminal and the settings.
func (m *Model) theme() *draw.Theme {
	depth, w := m.depth, m.settings
	if m.world.Getenv("NO_COLOR") != "" || w.Colours == NoColours {
		depth = min(depth, colorprofile.ASCII)
	}
	dark := w.Colours == DarkColours || m.dark && w.Colours != PaleColours
	ascii := w.Signs == ASCIISigns || w.Signs != UnicodeSigns && !showsUnicode(m.world.Getenv)
	return draw.NewTheme(depth, dark, ascii)
}
