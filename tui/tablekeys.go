package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
)

func (t *table) keys(m *Model) []binding {
	back := on(func() tea.Cmd {
		if t.look != live {
			t.lookAt(len(t.state.Moves))
			return nil
		}
		if !t.back() {
			return t.leave(m)
		}
		return nil
	}, "menu", "esc")
	if t.look != live {
		back.SetHelp("Esc", "the game as it is")
	} else if t.chosen.picked {
		back.SetHelp("Esc", "put it back")
	} else if t.trial != nil {
		back.SetHelp("Esc", "back")
	}
	var keys []binding
	if t.asked() {
		keys = append(keys,
			on(func() tea.Cmd { return t.answer(m, true) }, "let it be taken back", "y", "Y"),
			on(func() tea.Cmd { return t.answer(m, false) }, "refuse", "n", "N"))
	}
	choosing := t.choosing(m)
	keys = append(keys, choosing...)
	keys = append(keys, capitals(t.commands(m), choosing)...)
	return append(keys,
		also(func() tea.Cmd { t.back(); return nil }, "backspace"),
		on(func() tea.Cmd { m.push(helpPage(m)); return nil }, "help", "?"),
		back, also(func() tea.Cmd { return t.leave(m) }, "q", "Q"))
}

// choosing returns the keys that choose a move: they come before those of commands.
func (t *table) choosing(m *Model) []binding {
	var keys []binding
	at := t.step()
	if at == settle || at == confirm {
		names := t.spotKeys(m)
		for _, spot := range spots(t.rules(), t.state.Position) {
			keys = append(keys, also(func() tea.Cmd { return t.put(m, spot) }, names[spot]...))
		}
	}
	if at != idle {
		for _, d := range t.pool() {
			if at == pick || d.String() <= "9" {
				keys = append(keys, also(func() tea.Cmd { return t.pick(m, d) }, d.String()))
			}
		}
	}
	return append(keys,
		also(func() tea.Cmd { t.move(-1); return nil }, "left"), also(func() tea.Cmd { t.move(1); return nil }, "right"),
		also(func() tea.Cmd { t.back(); return nil }, "up"),
		also(func() tea.Cmd {
			if t.step() == pick {
				return t.enter(m)
			}
			return nil
		}, "down"),
		also(func() tea.Cmd { return t.enter(m) }, "enter"))
}

// capitals tells people of the capital letter of a command whose small letter chooses something just now.
func capitals(commands, choosing []binding) []binding {
	for i, b := range commands {
		letter := b.Help().Key
		for _, other := range choosing {
			if len(letter) == 1 && slices.Contains(other.Keys(), letter) {
				commands[i] = b.named(strings.ToUpper(letter))
			}
		}
	}
	return commands
}

// spotKeys returns the keys of each spot: its letter, and the first letter of its name where no other spot has it.
func (t *table) spotKeys(m *Model) map[digit.Spot][]string {
	keys := map[digit.Spot][]string{}
	used := map[string]int{}
	list := spots(t.rules(), t.state.Position)
	for _, spot := range list {
		letter := strings.ToLower(spot.String())
		keys[spot] = []string{letter}
		used[letter]++
	}
	if t.rules().Place == digit.Ends {
		for spot := range keys {
			keys[spot] = append(keys[spot], strings.ToUpper(keys[spot][0]))
		}
		return keys
	}
	names := m.world.Places(t.rules())
	for i := range list {
		if i < len(names) {
			used[strings.ToLower(names[i][:1])]++
		}
	}
	for i, spot := range list {
		if i < len(names) {
			if letter := strings.ToLower(names[i][:1]); used[letter] == 1 {
				keys[spot] = append(keys[spot], letter)
			}
		}
	}
	return keys
}

// commands returns the keys of everything but choosing a move.
func (t *table) commands(m *Model) []binding {
	if t.trial != nil {
		return t.trial.commands(m, t)
	}
	var keys []binding
	over := t.state.Result.Over() && t.look == live
	watched := t.sitters[0].kind == machine && t.sitters[1].kind == machine
	if over && t.own {
		again := "play again"
		if !t.state.SeriesOver() {
			again = "next game"
		}
		keys = append(keys, command(func() tea.Cmd { return t.next(m) }, again, "n"))
	}
	if !t.state.Playing() && t.state.Game > 0 {
		keys = append(keys, command(func() tea.Cmd { return m.openReview(t.state.Record(), t.state.Setup, t.state.Starter()) }, "review", "v"))
	}
	if watched && t.state.Playing() {
		keys = append(keys,
			on(func() tea.Cmd { t.pace.toggle(); return nil }, "pause or go on", "p", "P", "space"),
			on(func() tea.Cmd { t.pace.step(); return nil }, "one move", ".", ">"),
			on(func() tea.Cmd { t.pace.faster(1); return nil }, "faster", "+", "="),
			on(func() tea.Cmd { t.pace.faster(-1); return nil }, "slower", "-", "_"))
	}
	if t.helps() {
		keys = append(keys,
			command(func() tea.Cmd { t.analyse(); return nil }, "analysis", "a"),
			command(func() tea.Cmd { return t.ask(m) }, "hint", "h"))
	} else {
		keys = append(keys,
			also(func() tea.Cmd { t.analyse(); return nil }, "a", "A"),
			also(func() tea.Cmd { return t.ask(m) }, "h", "H"))
	}
	if t.state.Playing() && !watched && t.look == live {
		keys = append(keys, command(func() tea.Cmd { return t.undo(m) }, "undo", "u"))
	}
	_, ply := t.shown()
	keys = append(keys, on(func() tea.Cmd { t.lookAt(ply - 1); return nil }, "step", "[", "pgup").named("[ ]"),
		also(func() tea.Cmd { t.lookAt(ply + 1); return nil }, "]", "pgdown"),
		also(func() tea.Cmd { t.lookAt(0); return nil }, "home"), also(func() tea.Cmd { t.lookAt(len(t.state.Moves)); return nil }, "end"),
		command(func() tea.Cmd { m.push(rulesPage(m, t.rules())); return nil }, "rules", "r"))
	if t.state.Playing() && !watched && t.look == live {
		keys = append(keys, command(func() tea.Cmd { return t.resign(m) }, "resign", "x"))
	}
	return append(keys, command(func() tea.Cmd { t.flip = !t.flip; return nil }, "flip", "f"))
}
