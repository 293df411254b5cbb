package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/match"
)

// moment is the time after the end of a game during which keys do nothing.
const moment = 300 * time.Millisecond

func (t *table) keys(m *Model) []binding {
	back, where := func() tea.Cmd { return t.leave(m) }, "menu"
	if !t.own {
		where = "leave"
	}
	if t.look != live {
		back, where = func() tea.Cmd {
			t.lookAt(len(t.state.Moves))
			return nil
		}, "the game as it is"
	}
	direct := append(t.direct(m), t.looking()...)
	if m.now.Sub(t.ended) < moment {
		for i := range direct {
			direct[i].do = func() tea.Cmd { return nil }
		}
	}
	keys := t.board.keys(m, t, direct, back, where)
	if t.maySwap() {
		keys = append([]binding{t.swapKey(m)}, keys...)
	}
	if !t.asked() {
		return append(t.requests(m), keys...)
	}
	return append([]binding{
		on(func() tea.Cmd {
			return t.answer(m, true)
		}, "let it be taken back", "y").ranked(moveRank),
		on(func() tea.Cmd { return t.answer(m, false) }, "refuse", "n").ranked(moveRank),
	}, keys...)
}

// direct returns the keys that act at once because no move can be picked: after a game, and while
// machines play.
func (t *table) direct(m *Model) []binding {
	switch {
	case t.watched() && t.state.Playing():
		pause := "pause"
		if t.speed.isPaused() {
			pause = "continue"
		}
		return []binding{
			on(func() tea.Cmd { t.speed.toggle(); return nil }, pause, "enter").ranked(moveRank),
			on(func() tea.Cmd { t.speed.once(); return nil }, "one move", "."),
			on(func() tea.Cmd { t.speed.faster(1); return nil }, "speed", "+", "=").named("+ -"),
			also(func() tea.Cmd { t.speed.faster(-1); return nil }, "-", "_"),
		}
	case !t.state.Playing() && t.look == live && t.state.Game > 0:
		return t.afterwards(m)
	}
	return nil
}

// looking returns the keys that step through past moves.
func (t *table) looking() []binding {
	_, ply := t.shown()
	look := func(ply int) act { return func() tea.Cmd { t.lookAt(ply); return nil } }
	back := also(look(ply-1), ",", "pgup", "[")
	if n := len(t.state.Moves); n > 0 && t.stage() == idle && !t.watched() {
		back = on(back.do, "look back", back.Keys()...)
		if t.look != live {
			back = on(back.do, "back, on", back.Keys()...).named(", .").ranked(moveRank)
		}
	}
	return []binding{
		back, also(look(ply+1), ".", "pgdown", "]"), also(look(0), "<", "home"),
		also(look(len(t.state.Moves)), ">", "end"),
	}
}

// commands returns the command menu opened by Space.
func (t *table) commands(m *Model) []binding {
	var keys []binding
	// after the end there is nothing to find
	if t.helps() && (t.state.Playing() || t.look != live) {
		keys = append(keys,
			command(func() tea.Cmd { return t.ask(m) }, "hint", "h").noted("an idea, then a move"),
			command(func() tea.Cmd {
				t.analyse()
				return nil
			}, "analysis", "a").noted("what moves are worth"),
			command(func() tea.Cmd {
				t.needs = !t.needs
				return nil
			}, "needs", "n").noted("digits that complete"))
	}
	if t.maySwap() {
		keys = append(keys, t.swapKey(m))
	}
	keys = append(keys, t.agreements(m)...)
	_, plays := t.mine()
	mine := t.state.Playing() && !t.watched() && t.look == live && (t.own || plays)
	if mine {
		keys = append(keys, t.command(func() tea.Cmd { return t.undo(m) }, match.Undo))
	}
	keys = append(keys,
		command(func() tea.Cmd {
			m.push(rulesPage(t.state.Setup.Rules))
			return nil
		}, "rules", "r").noted("of this game"),
		command(func() tea.Cmd {
			t.flip = !t.flip
			return nil
		}, "flip", "f").noted("swap the numbers"))
	if mine {
		keys = append(keys, t.command(func() tea.Cmd { return t.resign(m) }, match.Resign))
	}
	return keys
}
