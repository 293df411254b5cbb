package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// A binding is some keys, what they do, and how people are told.
type binding struct {
	key.Binding
	do act
}

// on binds keys that people are told of: the first one, and what it does.
func on(do act, tells string, keys ...string) binding {
	return binding{key.NewBinding(key.WithKeys(keys...), key.WithHelp(keyName(keys[0]), tells)), do}
}

// also binds keys that people are not told of, since something else tells.
func also(do act, keys ...string) binding { return binding{key.NewBinding(key.WithKeys(keys...)), do} }

// named returns the binding with another name for its keys.
func (b binding) named(keys string) binding {
	b.SetHelp(keys, b.Help().Desc)
	return b
}

// command binds a letter, small or large.
func command(do act, tells, letter string) binding {
	return on(do, tells, letter, strings.ToUpper(letter))
}

// help is the key of the help page, and back the keys that leave a page.
func (m *Model) help() binding {
	return on(func() tea.Cmd { m.push(helpPage()); return nil }, "help", "?")
}

func (m *Model) back(where string) binding {
	return on(func() tea.Cmd { m.pop(); return nil }, where, "esc", "q", "Q")
}

// keyName is how people are told of a key.
func keyName(k string) string {
	if len(k) > 2 {
		return capital(k)
	}
	return k
}

// press does what a key does.
func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	m.problem = ""
	switch msg.String() {
	case "ctrl+c":
		return m.interrupt()
	case "ctrl+z":
		if m.world.Suspend {
			return tea.Suspend
		}
		return nil
	}
	if m.tooSmall() {
		return m.pressSmall(msg)
	}
	if p, ok := m.top().(typist); ok {
		if f := p.typing(); f != nil && f.press(msg) {
			p.typed(m)
			return nil
		}
	}
	if m.plain() && m.pressPlain(msg.String()) {
		return nil
	}
	for _, b := range m.top().keys(m) {
		if b.do != nil && key.Matches(msg, b.Binding) {
			return b.do()
		}
	}
	return nil
}

// pressSmall is press in a terminal that is too small for the screen.
func (m *Model) pressSmall(msg tea.KeyPressMsg) tea.Cmd {
	switch strings.ToLower(msg.String()) {
	case "p":
		m.start.Plain = true // for now; the settings are for good
	case "q", "esc":
		return tea.Quit
	}
	return nil
}

// pressPlain scrolls the plain text.
func (m *Model) pressPlain(k string) bool {
	page := max(1, m.height-2)
	switch k {
	case "pgdown":
		m.scroll += page
	case "pgup":
		m.scroll -= page
	default:
		return false
	}
	m.scroll = min(max(m.scroll, 0), max(0, len(wrapAll(m.plainText(), m.width))-m.height))
	return true
}

// wheel does what turning the wheel does: at a table it steps through the game, elsewhere it is the arrow keys.
func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	up := msg.Button == tea.MouseWheelUp
	if !up && msg.Button != tea.MouseWheelDown {
		return nil
	}
	switch m.top().(type) {
	case *table, *trial:
		if m.plain() {
			break
		}
		if up {
			return m.press(tea.KeyPressMsg{Code: '[', Text: "["})
		}
		return m.press(tea.KeyPressMsg{Code: ']', Text: "]"})
	}
	if up {
		return m.press(tea.KeyPressMsg{Code: tea.KeyUp})
	}
	return m.press(tea.KeyPressMsg{Code: tea.KeyDown})
}
