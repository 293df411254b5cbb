package tui

import "digitduel/match"

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
			change: cycles(colours, &w.Colours),
		}, {
			name: "Signs", value: map[Signs]string{
				AutoSigns: "as the terminal", UnicodeSigns: "Unicode", ASCIISigns: "ASCII",
			}[w.Signs], about: "ASCII draws frames and signs with letters only.",
			change: cycles(signs, &w.Signs),
		},
		onOffRow(
			"Line mode", "From the next start: plain lines, for screen readers and braille.",
			&w.Plain),
		onOffRow("Motion", "Lets digits travel and the computer be seen thinking.", &w.Motion),
		nameRow(w, match.One, "Your name"),
	}
}

func (s *settingsPage) keys(m *Model) []binding {
	if s.writes() {
		return s.typingKeys(m)
	}
	return append(s.form.keys(m),
		also(s.change(1), "space"), on((*Model).pop, "done", "enter"), m.help(), m.back())
}

func (s *settingsPage) draw(m *Model, c *canvas) {
	c.header("Settings", "how the screen looks and answers", "")
	s.drawPage(m, c, "", "Done", (*Model).pop)
}
