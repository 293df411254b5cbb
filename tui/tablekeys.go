package tui

import (
	tea "charm.land/bubbletea/v2"
)

func (t *table) keys(m *Model) []binding {
	leave := func() tea.Cmd { return t.leave(m) }
	back, where := leave, "menu"
	if t.look != live {
		back, where = func() tea.Cmd { t.lookAt(len(t.state.Moves)); return nil }, "the game as it is"
	}
	keys := t.board.keys(m, t.commands(m), back, where, leave)
	if !t.asked() {
		return keys
	}
	return append([]binding{
		on(func() tea.Cmd { return t.answer(m, true) }, "let it be taken back", "y", "Y"),
		on(func() tea.Cmd { return t.answer(m, false) }, "refuse", "n", "N"),
	}, keys...)
}

// commands returns the keys of everything but picking a move.
func (t *table) commands(m *Model) []binding {
	var keys []binding
	playing := t.state.Playing()
	if t.state.Result.Over() && t.look == live && t.own {
		again := "play again"
		if !t.state.SeriesOver() {
			again = "next game"
		}
		keys = append(keys, command(func() tea.Cmd { return t.next(m) }, again, "n"))
	}
	if !playing && t.state.Game > 0 {
		keys = append(keys, command(func() tea.Cmd { return m.openReview(t.state.Record(), t.pair) }, "review", "v"))
	}
	if t.watched() && playing {
		keys = append(keys,
			on(func() tea.Cmd { t.pace.toggle(); return nil }, "pause or go on", "p", "P", "space"),
			on(func() tea.Cmd { t.pace.once(); return nil }, "one move", ".", ">"),
			on(func() tea.Cmd { t.pace.faster(1); return nil }, "faster", "+", "="),
			on(func() tea.Cmd { t.pace.faster(-1); return nil }, "slower", "-", "_"))
	}
	help := []binding{
		command(func() tea.Cmd { t.analyse(); return nil }, "analysis", "a"),
		command(func() tea.Cmd { return t.ask(m) }, "hint", "h"),
	}
	for _, b := range help {
		if !t.helps() {
			b = also(b.do, b.Keys()...)
		}
		keys = append(keys, b)
	}
	mine := playing && !t.watched() && t.look == live
	if mine {
		keys = append(keys, command(func() tea.Cmd { return t.undo(m) }, "undo", "u"))
	}
	_, ply := t.shown()
	look := func(ply int) act { return func() tea.Cmd { t.lookAt(ply); return nil } }
	keys = append(keys, on(look(ply-1), "step", "[", "pgup").named("[ ]"), also(look(ply+1), "]", "pgdown"),
		also(look(0), "home"), also(look(len(t.state.Moves)), "end"),
		command(func() tea.Cmd { m.push(rulesPage(t.state.Setup.Rules)); return nil }, "rules", "r"))
	if mine {
		keys = append(keys, command(func() tea.Cmd { return t.resign(m) }, "resign", "x"))
	}
	return append(keys, command(func() tea.Cmd { t.flip = !t.flip; return nil }, "flip", "f"))
}
