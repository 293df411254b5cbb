package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/rulebook"
)

// keys returns the keys of a page with a board: those that pick a move come before its commands. Esc goes somewhere when nothing
// is picked.
func (b *board) keys(m *Model, commands []binding, esc act, where string, leave act) []binding {
	back := on(func() tea.Cmd {
		if !b.back() {
			return esc()
		}
		return nil
	}, where, "esc")
	if b.stage() > pick {
		back.SetHelp("Esc", "put it back")
	}
	picking := b.picking(m)
	keys := append(picking, capitals(commands, picking)...)
	return append(keys,
		also(func() tea.Cmd { b.back(); return nil }, "backspace"),
		m.help(), back, also(leave, "q", "Q"))
}

// picking returns the keys that pick a move.
func (b *board) picking(m *Model) []binding {
	var keys []binding
	at := b.stage()
	if at > pick {
		names := spotKeys(b.picker.rules, b.picker.at)
		for _, spot := range spots(b.picker.rules, b.picker.at) {
			keys = append(keys, also(func() tea.Cmd { return b.put(m, spot) }, names[spot]...))
		}
	}
	if at != idle {
		for _, d := range b.picker.pool() {
			if at == pick || d.String() <= "9" {
				keys = append(keys, also(func() tea.Cmd { return b.take(m, d) }, d.String()))
			}
		}
		move := func(by int) act { return func() tea.Cmd { b.picker.move(by); return nil } }
		keys = append(keys, also(move(-1), "left"), also(move(1), "right"),
			also(func() tea.Cmd { b.back(); return nil }, "up"), also(func() tea.Cmd { return b.enter(m) }, "enter"))
	}
	if at == pick {
		keys = append(keys, also(func() tea.Cmd { return b.enter(m) }, "down"))
	}
	return keys
}

// capitals tells people of the capital letter of a command whose small letter picks something just now.
func capitals(commands, picking []binding) []binding {
	for i, b := range commands {
		letter := b.Help().Key
		for _, other := range picking {
			if len(letter) == 1 && slices.Contains(other.Keys(), letter) {
				commands[i] = b.named(strings.ToUpper(letter))
			}
		}
	}
	return commands
}

// spotKeys returns the keys of each spot: its letter, and the first letter of its name where no other spot has it.
func spotKeys(r digit.Rules, p digit.Position) map[digit.Spot][]string {
	keys := map[digit.Spot][]string{}
	used := map[string]int{}
	list, names := spots(r, p), rulebook.Places(r)
	for i, spot := range list {
		letter := strings.ToLower(spot.String())
		keys[spot] = []string{letter}
		if used[letter]++; r.Place == digit.Ends {
			keys[spot] = []string{letter, strings.ToUpper(letter)}
		}
		if i < len(names) {
			used[strings.ToLower(names[i][:1])]++
		}
	}
	for i, name := range names {
		if letter := strings.ToLower(name[:1]); used[letter] == 1 {
			keys[list[i]] = append(keys[list[i]], letter)
		}
	}
	return keys
}
