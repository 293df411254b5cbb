package tui

import (
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/rulebook"
)

// A binding is some keys and their action. The footer shows it if it has a description.
type binding struct {
	keys        []string
	do          act
	name, about string // the keys as people read them, and the action
	rank        int    // where the footer is short of room, the highest rank is left out first
	note        string // a short description of a command
}

// The ranks of the keys in the footer.
const (
	staysRank = iota // never left out: help, and back
	moveRank         // the next move
	otherRank        // all others
)

// noted returns the binding with a note.
func (b binding) noted(note string) binding {
	b.note = note
	return b
}

// ranked returns the binding with another rank.
func (b binding) ranked(rank int) binding {
	b.rank = rank
	return b
}

// on binds keys that the footer shows: the first one, and its action. That key decides the rank.
func on(do act, about string, keys ...string) binding {
	rank := otherRank
	switch keys[0] {
	case "esc", "?":
		rank = staysRank
	case "enter":
		rank = moveRank
	}
	return binding{keys: keys, do: do, name: keyName(keys[0]), about: about, rank: rank}
}

// also binds keys that the footer does not show.
func also(do act, keys ...string) binding {
	return binding{keys: keys, do: do, rank: otherRank}
}

// named returns the binding with another name for its keys.
func (b binding) named(keys string) binding {
	b.name = keys
	return b
}

// help returns the key of the help page, and back the keys that leave a page.
func (m *Model) help() binding {
	return on(func(*Model) { m.push(helpPage()) }, "help", "?", "f1")
}

func (m *Model) back() binding {
	where := "back"
	if len(m.layers) == 2 {
		where = m.leavesTo()
	}
	return on((*Model).pop, where, "esc", "q")
}

// rules returns the key that shows the rules of a game.
func (m *Model) rules(r digit.Rules) binding {
	return on(func(*Model) { m.push(rulesPage(r)) }, "rules", "r")
}

// keyName returns the name of a key as people read it.
func keyName(k string) string {
	if len(k) > 2 {
		return rulebook.Capital(k)
	}
	return k
}

// press handles a key.
func (m *Model) press(msg tea.KeyPressMsg) {
	if msg.Mod.Contains(tea.ModAlt) { // terminal multiplexers join Escape and the next key
		m.press(tea.KeyPressMsg{Code: tea.KeyEscape})
		m.press(withoutAlt(msg))
		return
	}
	m.problem = ""
	m.complete()
	k := strings.ToLower(msg.String()) // capital letters always do the same
	switch {
	case k == "ctrl+c":
		m.left = tea.ErrInterrupted
		quit(m)
		return
	case k == "ctrl+z":
		if m.world.Suspend {
			m.send(tea.Suspend)
		}
		return
	case m.tooSmall():
		if k == "q" || k == "esc" {
			quit(m)
		}
		return
	}
	if p, ok := m.top().(typist); ok {
		if f := p.typing(); f != nil && f.press(msg) {
			p.typed(m)
			return
		}
	}
	if t, ok := m.top().(*table); ok && t.typesAhead(msg, k) {
		return
	}
	for _, b := range m.top().keys(m) {
		if b.do != nil && slices.Contains(b.keys, k) {
			b.do(m)
			return
		}
	}
	m.stray(k)
}

// stray answers a key that does nothing: a command of a board is behind Space.
func (m *Model) stray(k string) {
	if p, ok := m.top().(*commands); ok {
		p.note = strings.ToUpper(k) + " is not a command here."
		return
	}
	if p, ok := m.top().(boarded); ok {
		for _, b := range (&commands{page: p}).list(m) {
			if slices.Contains(b.keys, k) {
				m.problem = rulebook.Capital(b.about) + ": press Space, then " + k
				return
			}
		}
	}
	m.problem = keyName(k) + " does nothing here; ? shows the keys"
}

// withoutAlt returns a key without Alt.
func withoutAlt(msg tea.KeyPressMsg) tea.KeyPressMsg {
	msg.Mod &^= tea.ModAlt
	if msg.Text == "" && unicode.IsPrint(msg.Code) {
		msg.Text = string(msg.Code)
		if msg.ShiftedCode != 0 {
			msg.Text = string(msg.ShiftedCode)
		}
	}
	return msg
}

// wheel handles the mouse wheel: at a table it steps through the game, on other pages it moves the
// cursor.
func (m *Model) wheel(msg tea.MouseWheelMsg) {
	up, down := tea.KeyUp, tea.KeyDown
	if _, board := m.top().(boarded); board {
		up, down = tea.KeyPgUp, tea.KeyPgDown
	}
	switch msg.Button {
	case tea.MouseWheelUp:
		m.press(tea.KeyPressMsg{Code: up})
	case tea.MouseWheelDown:
		m.press(tea.KeyPressMsg{Code: down})
	default:
	}
}

// shownKeys returns the bindings that are shown.
func shownKeys(keys []binding) []binding {
	return slices.DeleteFunc(slices.Clone(keys), func(b binding) bool { return b.about == "" })
}
