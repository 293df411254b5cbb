package tui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/match"
	"digitduel/rulebook"
)

// moment is the time after the end of a game during which keys do nothing.
const moment = 300 * time.Millisecond

func (t *table) keys(m *Model) []binding {
	back, where := act(t.leave), "menu"
	if !t.own {
		where = "leave"
	}
	if t.look != live {
		back, where = t.looksAt(len(t.state.Moves)), "the game as it is"
	}
	direct := append(t.direct(m), t.looking()...)
	if m.now.Sub(t.ended) < moment {
		for i := range direct {
			direct[i].do = func(*Model) {}
		}
	}
	keys := t.board.keys(m, t, direct, back, where)
	if t.maySwap() {
		keys = append([]binding{t.swapKey()}, keys...)
	}
	return append(t.requests(), keys...)
}

// direct returns the keys that act at once because no move can be picked: after a game, and while
// machines play.
func (t *table) direct(m *Model) []binding {
	switch {
	case t.watched() && t.state.Playing():
		pause := "pause"
		if t.speed.paused {
			pause = "continue"
		}
		return []binding{
			on(t.speed.toggle, pause, "enter"),
			on(t.speed.once, "one move", "."),
			on(func(*Model) { t.speed.faster(1) }, "speed", "+", "=").named("+ -"),
			also(func(*Model) { t.speed.faster(-1) }, "-", "_"),
		}
	case !t.state.Playing() && t.look == live && t.state.Game > 0:
		return t.afterwards(m)
	}
	return nil
}

// looking returns the keys that step through past moves.
func (t *table) looking() []binding {
	_, ply := t.shown()
	back := also(t.looksAt(ply-1), ",", "pgup", "[")
	if len(t.state.Moves) > 0 && t.stage() == idle && !t.watched() {
		back = on(back.do, "look back", back.keys...)
		if t.look != live {
			back = on(back.do, "back, on", back.keys...).named(", .").ranked(moveRank)
		}
	}
	return []binding{
		back, also(t.looksAt(ply+1), ".", "pgdown", "]"), also(t.looksAt(0), "<", "home"),
		also(t.looksAt(len(t.state.Moves)), ">", "end"),
	}
}

// commands returns the command menu opened by Space.
func (t *table) commands(m *Model) []binding {
	var keys []binding
	// after the end there is nothing to find
	if t.helps() && (t.state.Playing() || t.look != live) {
		keys = t.helpKeys(t.ask, t.analyse, "what moves are worth")
	}
	if t.maySwap() {
		keys = append(keys, t.swapKey())
	}
	keys = append(keys, t.actKeys()...)
	seat, plays := t.person(t.state.Turn())
	mine := plays && t.state.Playing() && t.look == live
	if mine {
		keys = append(keys, t.command(t.undo, match.Undo))
	}
	keys = append(keys, t.viewKeys(m)...)
	if mine && match.Resign.May(t.state, seat) {
		keys = append(keys, t.command(t.resign, match.Resign))
	}
	return keys
}

// typesAhead keeps a key of a move that is typed before its turn, at a table that is played here,
// and reports whether it did.
func (t *table) typesAhead(msg tea.KeyPressMsg, k string) bool {
	if !t.own || t.lesson != nil || !t.state.Playing() || t.look != live || t.watched() ||
		t.stage() != idle {
		return false
	}
	var keys []string
	for _, d := range t.picker.pool() {
		keys = append(keys, d.String())
	}
	for _, names := range spotKeys(t.picker.rules, t.picker.at) {
		keys = append(keys, names...)
	}
	switch n := len(t.ahead); {
	case k == "backspace" && n > 0:
		t.ahead = t.ahead[:n-1]
	case slices.Contains(keys, k), k == "enter" && n > 0:
		t.ahead = append(t.ahead, msg)
	case k == "enter": // it was meant for the last move
	default:
		return false
	}
	return true
}

// catchUp presses the keys that were typed ahead, as far as it is the turn of a player here. A key
// that is refused ends it.
func (t *table) catchUp(m *Model) {
	for len(t.ahead) > 0 && t.stage() != idle && t.note == "" {
		if _, asks := m.top().(*call); !asks && m.top() != page(t) {
			break
		}
		next := t.ahead[0]
		t.ahead = t.ahead[1:]
		m.press(next)
	}
	if t.stage() != idle { // a key was refused, or another page is open
		t.ahead = nil
	}
}

// command returns the key of an act.
func (t *table) command(do act, a match.Act) binding {
	i := slices.IndexFunc(rulebook.Commands, func(c rulebook.Command) bool { return c.Act == a })
	c := rulebook.Commands[i]
	if seat, plays := t.mine(); plays {
		c.Note = strings.ReplaceAll(c.Note, "{other}", t.name(seat.Other()))
	}
	return on(do, c.Label, c.Key).noted(c.Note)
}
