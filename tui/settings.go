package tui

import (
	tea "charm.land/bubbletea/v2"
)

// A settings page chooses how the screen looks.
type settings struct{ rows rows }

func newSettings(*Model) *settings { return &settings{} }

func (s *settings) list(m *Model) []row {
	w := &m.wishes
	return []row{
		{
			name: "Colours", value: map[Colours]string{AutoColours: "as the terminal", DarkColours: "dark", PaleColours: "light", NoColours: "none"}[w.Colours], tells: "For a dark or a light background, or none at all.",
			change: func(by int) {
				w.Colours = cycle(colours, w.Colours, by)
				m.retheme()
			},
		}, {
			name: "Signs", value: map[Signs]string{AutoSigns: "as the terminal", UnicodeSigns: "Unicode", ASCIISigns: "ASCII"}[w.Signs], tells: "ASCII draws frames and signs with letters only.",
			change: func(by int) {
				w.Signs = cycle(signs, w.Signs, by)
				m.retheme()
			},
		}, {
			name: "Plain text", value: onOff(m.plain()), tells: "Says everything in lines of text, for screen readers, braille and very small terminals.",
			change: func(int) { w.Plain, m.start.Plain = !m.plain(), false },
		}, {
			name: "Confirm", value: onOff(w.Confirm), tells: "Asks for Enter or a second click before a move is played.",
			change: func(int) { w.Confirm = !w.Confirm },
		}, {
			name: "Motion", value: onOff(w.Motion), tells: "Lets the coin fly and the computer be seen thinking.",
			change: func(int) { w.Motion = !w.Motion },
		},
	}
}

func (s *settings) keys(m *Model) []binding {
	return append(s.rows.keys(m, s.list),
		also(func() tea.Cmd { s.rows.change(m, s.list, 1); return nil }, "enter", "space"),
		m.help(), m.back("menu"))
}

func (s *settings) draw(m *Model, c *canvas) {
	st := c.stage()
	c.header("Settings", "how the screen looks and answers", "")
	list := s.list(m)
	y := st.y + 3
	for i := range list {
		s.rows.drawRow(m, c, rect{st.x + 2, y, 40, 1}, s.list, i, 12)
		y += 2
	}
	c.paragraph(st.x+4, y+1, st.w-8, 2, style{fg: quiet}, s.rows.current(list).tells)
	s.drawSample(c, st.x+48, st.y+3)
}

// drawSample shows what the colours and signs look like.
func (s *settings) drawSample(c *canvas, x, y int) {
	in := c.panel(rect{x, y, 28, 9}, thin, style{fg: faint}, style{fg: accent, bold: true}, "A sample")
	for i, sample := range []struct {
		text string
		tone tone
	}{{"▶ Player 1", one}, {"  Player 2", two}, {"✓ wins in 3", good}, {"  draws in 6", even}, {"✗ loses in 4", bad}, {"▸ chosen", accent}, {"  less important", quiet}} {
		c.text(in.x+2, in.y+i, style{fg: sample.tone, bold: sample.tone != quiet}, sample.text)
	}
}

func (s *settings) say(m *Model) []string {
	list := s.list(m)
	lines := []string{"Settings: how the screen looks and answers."}
	for i := range list {
		lines = append(lines, s.rows.sayRow(list, i))
	}
	return append(lines, "A sample of signs: ▶ Player 1, Player 2, ✓ wins in 3, draws in 6, ✗ loses in 4, ▸ chosen, less important.")
}
