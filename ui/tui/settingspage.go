package tui

import (
	"digitduel/match"
)

// A settingsPage is the page for the look of the screen and the name of the user.
type settingsPage struct{ form }

func newSettingsPage() *settingsPage { return &settingsPage{form{rows: settingRows}} }

func settingRows(m *Model) []row {
	w := &m.settings
	return []row{
		{
			name: "Colours", value: map[Colours]string{
				AutoColours: "as the terminal", DarkColours: "dark", PaleColours: "light",
				NoColours: "none",
			}[w.Colours], about: "For a dark or a light background, or none at all.",
			change: func(by int) {
				w.Colours = cycle(colours, w.Colours, by)
				m.retheme()
			},
		}, {
			name: "Signs", value: map[Signs]string{
				AutoSigns: "as the terminal", UnicodeSigns: "Unicode", ASCIISigns: "ASCII",
			}[w.Signs], about: "ASCII draws frames and signs with letters only.",
			change: func(by int) {
				w.Signs = cycle(signs, w.Signs, by)
				m.retheme()
			},
		},
		onOffRow(
			"Line mode", "From the next start: plain lines, for screen readers and braille.",
			&w.Plain),
		onOffRow("Motion", "Lets the coin fly and the computer be seen thinking.", &w.Motion),
		nameRow(w, match.One, "Your name"),
	}
}

func (s *settingsPage) keys(m *Model) []binding {
	if s.writes() {
		return s.typingKeys(m)
	}
	return append(s.form.keys(m),
		also(s.change(1), "enter", "space"),
		m.help(), m.back())
}

func (s *settingsPage) draw(m *Model, c *canvas) {
	c.header("Settings", "how the screen looks and answers", "")
	b := c.middle(84)
	step, y := 1, b.y
	if b.h >= 2*len(s.rows(m))+5 {
		step, y = 2, b.y+1
	}
	beside := c.class() != compact
	if beside {
		s.drawSample(c, b.right()-28, y)
	}
	y = s.form.draw(m, c, rect{b.x, y, min(b.w, 46), 1}, step)
	c.paragraph(b.x+2, y+1, b.w-4, 2, muted, s.current(m).about)
	if !beside && b.bottom()-y > 4 {
		s.drawLine(c, b.x+2, y+4)
	}
}

// samples show the colours and signs.
var samples = []struct {
	text string
	tone tone
}{
	{"▶ Player 1", one}, {"Player 2", two}, {"✓ wins", good}, {"draws", even}, {"✗ loses", bad},
	{"▸ chosen", accent}, {"less important", quiet},
}

// drawSample shows the samples in a panel.
func (s *settingsPage) drawSample(c *canvas, x, y int) {
	in := c.panel(rect{x, y, 28, 9}, "A sample")
	for i, sample := range samples {
		c.text(in.x+2, in.y+i, style{fg: sample.tone, bold: sample.tone != quiet}, sample.text)
	}
}

// drawLine draws as many samples as fit in a line.
func (s *settingsPage) drawLine(c *canvas, x, y int) {
	for _, sample := range samples {
		if x+textWidth(sample.text) > c.w-c.margin() {
			return
		}
		x = 2 + c.text(x, y, style{fg: sample.tone, bold: sample.tone != quiet}, sample.text)
	}
}
