package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// consoles are terminals whose fonts lack the signs of the screen.
var consoles = []string{"linux", "vt100", "vt102", "vt220", "ansi", "cons25", "sun", "wsvt25"}

// showsUnicode reports whether a terminal shows more than ASCII, by its environment.
func showsUnicode(getenv func(string) string) bool {
	if slices.Contains(consoles, getenv("TERM")) {
		return false
	}
	for _, key := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(getenv(key)); locale != "" {
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	// terminals that do and set no locale
	return getenv("WT_SESSION") != "" || getenv("TERM_PROGRAM") != ""
}

// retheme chooses the colours and signs again, by the terminal and the settings.
func (m *Model) retheme() {
	depth, w := m.depth, m.settings
	if m.world.Getenv("NO_COLOR") != "" || w.Colours == NoColours {
		depth = min(depth, colorprofile.ASCII)
	}
	dark := w.Colours == DarkColours || m.dark && w.Colours != PaleColours
	ascii := w.Signs == ASCIISigns ||
		w.Signs != UnicodeSigns && !showsUnicode(m.world.Getenv)
	m.theme = newTheme(depth, dark, ascii)
}

// tooSmall reports whether the screen does not fit into the terminal.
func (m *Model) tooSmall() bool { return m.width < MinWidth || m.height < MinHeight }

// View implements [tea.Model].
func (m *Model) View() tea.View {
	var v tea.View
	if m.width > 0 && m.height > 0 {
		v.Content = m.canvas().render(m.theme)
	}
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "duel"
	return v
}

// canvas draws the screen.
func (m *Model) canvas() *canvas {
	c := newCanvas(m.width, m.height)
	c.ascii = m.theme.ascii
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

// shownKeys returns the bindings that are shown.
func shownKeys(keys []binding) []binding {
	return slices.DeleteFunc(slices.Clone(keys), func(b binding) bool { return b.about == "" })
}

// mark marks the chosen item of a list, and returns the column after the mark and the style of the
// item.
func (c *canvas) mark(x, y int, chosen bool, other style) (int, style) {
	if !chosen {
		return x + 2, other
	}
	return c.text(x, y, active, "▸ "), active
}

// button draws a button, which is also a key.
func (c *canvas) button(x, y int, label string, focused bool, do act) int {
	s := active
	if focused {
		s = bar
		label = "▸" + label + "◂"
	} else {
		label = " " + label + " "
	}
	end := c.text(x, y, s, "["+label+"]")
	c.zone(rect{x, y, end - x, 1}, do)
	return end
}
