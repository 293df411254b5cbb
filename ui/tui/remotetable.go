package tui

import (
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"digitduel/match"
	"digitduel/rulebook"
)

// RemoteTable reports the state of a table that another program keeps, besides its events.
type RemoteTable interface {
	// Presence returns who is present, and a channel that is closed when this or the result of Lost
	// has changed.
	Presence() (match.Presence, <-chan struct{})
	// Lost returns why the table cannot be reached; nil: it can. [match.ErrRekeyed] and
	// [match.ErrNoTable] are final.
	Lost() error
}

// A remoteState is the state of a table with players on other machines, besides its events.
type remoteState struct {
	RemoteTable
	invite   string // the link that gives the open seat to another player
	people   match.Presence
	lost     error  // why the table cannot be reached; nil: it can
	leaves   func() // leaves the table, which continues; nil: the caller does that
	declined int    // the last event at which the player here declined hints
}

// sitAt shows a table with players on other machines.
func (m *Model) sitAt(at Sitting) {
	sitters := [2]sitter{{kind: remote}, {kind: remote}}
	for _, seat := range at.Mine {
		sitters[seat].kind = human
	}
	t := m.newTable(at.Table, sitters)
	t.remoteState = remoteState{RemoteTable: at.Remote, invite: at.Invite, leaves: at.Close}
	m.push(t)
	if _, plays := t.mine(); plays && t.state.Phase() == match.Waiting {
		m.lay(&invitation{t})
	}
	t.watch(m)
	t.lookAround(m)
}

// mine returns the seat of the player here at a shared table; ok is false for a watcher.
func (t *table) mine() (seat match.Seat, ok bool) {
	for _, seat := range match.Seats {
		if !t.own && t.here(seat) {
			return seat, true
		}
	}
	return 0, false
}

// lookAround notes who is present and whether the table can be reached, now and after each change.
func (t *table) lookAround(m *Model) {
	if t.RemoteTable == nil {
		return
	}
	people, changed := t.Presence()
	t.people, t.lost = people, t.Lost()
	m.run(func() act {
		select {
		case <-changed:
		case <-t.ctx.Done():
		}
		return func(m *Model) {
			if m.shows(t) {
				t.lookAround(m)
			}
		}
	})
}

// shown are the events whose effects the screen shows, so that it need not announce them.
var shown = []match.Kind{
	match.Began, match.Moved, match.Faulted, match.Ready, match.Left, match.UndoAsked,
	match.RematchAsked,
}

// aside reports whether an event does not affect the game: a picked digit stays picked, and a move
// that was sent is still on its way.
func aside(k match.Kind) bool {
	return k == match.Replaced || !k.InGame() && !k.Matters()
}

// goOn handles an event that does not affect the game.
func (t *table) goOn(m *Model, e match.Event, state match.State) {
	picker, hint, before := t.picker, t.hint, t.state
	t.follow(state)
	t.picker = picker
	if t.helps() {
		t.hint = hint
	} else {
		t.analysis = false
	}
	if text := t.announces(e, before); text != "" {
		t.news = text
	}
	if state.Phase() != match.Waiting {
		m.layers = slices.DeleteFunc(m.layers, func(l layer) bool {
			i, ok := l.page.(*invitation)
			return ok && i.table == t
		})
	}
}

// announces describes an event that the screen does not show otherwise.
func (t *table) announces(e match.Event, before match.State) string {
	s := t.state
	switch {
	case slices.Contains(shown, e.Kind), e.Kind.InGame() && s.Result.Over():
		return ""
	case e.Kind == match.HintsAgreed && !s.HintsAllowed() && t.hintsAsked():
		return ""
	}
	return t.narrator().Event(e, before).Long
}

// narrator returns the narrator of the table, with the names that this screen shows.
func (t *table) narrator() rulebook.Narrator {
	n := rulebook.Narrator{State: t.state}
	for _, p := range t.pair {
		n.Setup.Names[p.seat], n.You[p.seat] = p.name, p.you
	}
	return n
}

// holds describes the state of offers and connections, as long as it lasts.
func (t *table) holds() string {
	seat, plays := t.mine()
	other, s, n := seat.Other(), t.state, t.narrator()
	switch {
	case t.gone() || t.lost != nil && t.sent:
		return "" // the prompt says it
	case t.lost != nil:
		return rulebook.ServerLost.Long
	case s.Playing() && s.Tried > 0:
		return n.Fault().Long
	case s.Asking:
		text := n.Offer(match.UndoAsked, s.Asker).Long
		switch {
		case t.asked():
			text += " y allows it, n refuses."
		case plays:
			text += " Space w withdraws it."
		}
		return text
	case !plays:
		return ""
	case match.Claim.May(s, seat):
		return n.Offer(match.Left, other).Long +
			" Space c takes it, Space k lets the computer play."
	case s.Ready[seat]:
		return n.Offer(match.Ready, seat).Long
	case s.Ready[other]:
		return n.Offer(match.Ready, other).Long
	case s.SeriesOver() && s.Again[other]:
		return n.Offer(match.RematchAsked, other).Long + " y plays again, n does not."
	case s.SeriesOver() && s.Again[seat]:
		return n.Offer(match.RematchAsked, seat).Long
	case t.hintsAsked():
		return n.Offer(match.HintsAgreed, other).Long + " y agrees, n does not."
	case t.RemoteTable != nil && !s.Open[other] && s.Levels[other] == "" && !t.people.Seats[other]:
		return rulebook.NotHere(t.name(other)).Long
	}
	return ""
}

// gone reports whether nothing more can be played from here.
func (t *table) gone() bool {
	return errors.Is(t.lost, match.ErrRekeyed) || errors.Is(t.lost, match.ErrNoTable)
}

// hintsAsked reports whether the opponent wants hints, and the player here has not answered.
func (t *table) hintsAsked() bool {
	seat, plays := t.mine()
	s := t.state
	e, _ := t.at.Last(s.Seq, match.HintsAgreed)
	return plays && s.Playing() && s.Hints[seat.Other()] && s.Levels[seat.Other()] == "" &&
		!s.Hints[seat] && e.Seq > t.declined
}

// requests returns the keys that answer a request of the opponent.
func (t *table) requests() []binding {
	seat, plays := t.mine()
	answers := func(yes string, agree match.Act, no string, refuse act) []binding {
		return []binding{
			on(t.acts(seat, agree), yes, "y").ranked(moveRank),
			on(refuse, no, "n").ranked(moveRank),
		}
	}
	switch s := t.state; {
	case t.asked():
		return answers(
			"let it be taken back", match.Undo, "refuse", t.acts(seat, match.RefuseUndo))
	case plays && s.SeriesOver() && s.Again[seat.Other()] && !s.Again[seat]:
		return answers("play again", match.Rematch, "do not", t.acts(seat, match.RefuseRematch))
	case t.hintsAsked():
		return answers("agree", match.AgreeHints, "refuse", func(*Model) { t.declined = s.Seq })
	}
	return nil
}

// again returns the act after a finished game, if a player here decides it, and its description.
func (t *table) again() (about string, do act) {
	seat, plays := t.mine()
	s, about, a := t.state, "play again", match.Rematch
	if !s.SeriesOver() {
		about, a = "next game", match.Next
	}
	switch {
	case t.lesson != nil:
		return "play the computer", t.next
	case t.own:
		return about, t.next
	case !plays || s.Ready[seat] || s.Again[seat] || t.sent:
		return "", nil
	}
	return about, t.acts(seat, a)
}

// agreements returns the commands of a shared table.
func (t *table) agreements() []binding {
	seat, plays := t.mine()
	if !plays {
		return nil
	}
	s := t.state
	var keys []binding
	for _, c := range rulebook.Commands {
		if s.Playing() && !c.NeedsAnswer && c.Act.May(s, seat) {
			keys = append(keys, t.command(t.acts(seat, c.Act), c.Act))
		}
	}
	if s.Phase() == match.Waiting {
		keys = append(keys, on(func(m *Model) {
			m.lay(&invitation{t})
		}, "invite", "i").noted("the link for the other player"))
	}
	return keys
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

// awaits returns the prompt of a shared table that waits for something other than a move.
func (t *table) awaits() (p prompt, ok bool) {
	switch _, plays := t.mine(); {
	case t.own || t.look != live:
		return p, false
	case errors.Is(t.lost, match.ErrRekeyed):
		p.Said = rulebook.LoggedOut
	case errors.Is(t.lost, match.ErrNoTable):
		p.Said = said(rulebook.NoTable.Short + ".")
	case t.lost != nil && t.sent:
		p.Said = rulebook.Unconfirmed
	case t.state.Phase() != match.Waiting:
		return p, false
	case !plays:
		p.Said = rulebook.LookingForAnybody(t.state.Setup.Rules, t.host())
	default:
		p.Said, p.how = rulebook.WaitingForFriend, "Space i shows the link."
		if t.state.Setup.Listed {
			p.Said = rulebook.WaitingForAnybody
		}
	}
	return p, true
}

// leave goes back to the menu, to the tables of the server, or out of a program that was started
// for the table. A game that is played here is saved and can be resumed. A shared table continues,
// so it asks first.
func (t *table) leave(m *Model) {
	if t.own {
		t.abandon(m)
		return
	}
	question := "Leave the table? The game continues, and you can come back."
	gone := func(m *Model) {
		for m.shows(t) {
			m.pop()
		}
		m.readTables()
	}
	if t.hasEngine() {
		question = "Leave the game? It cannot be continued: the engine was started for it."
		gone = t.abandon
	}
	if _, plays := t.mine(); !plays || !t.state.Playing() {
		gone(m)
		return
	}
	m.lay(&confirmation{question: question, does: "Leave", no: "Stay", do: gone})
}

// host returns the name of the waiting player.
func (t *table) host() string {
	return t.name(match.Seat(slices.Index(t.state.Open[:], false)))
}

// An invitation shows the link for the open seat until another player takes it.
type invitation struct{ table *table }

// text returns the text above the link.
func (i *invitation) text() string {
	s := i.table.state.Setup
	if s.Listed {
		return rulebook.WaitingForAnybody.Long
	}
	told, _ := rulebook.Invitation(s.Rules, "")
	return told.Long
}

func (i *invitation) keys(m *Model) []binding {
	keys := []binding{on((*Model).pop, "the table", "esc", "enter", "space")}
	if i.table.invite != "" {
		keys = append([]binding{on(func(*Model) {
			m.send(tea.SetClipboard(i.table.invite))
		}, "copy the link", "c").ranked(moveRank)}, keys...)
	}
	return append(keys, m.help())
}

func (i *invitation) draw(m *Model, c *canvas) {
	in := c.drawer(5, "Waiting for a player")
	y := in.y + c.paragraph(in.x, in.y, in.w, 2, style{}, i.text())
	x, w := in.x, in.w
	// in one line if possible, so that it can be selected
	if n := textWidth(i.table.invite); n > w {
		x, w = max(0, (c.w-n)/2), min(n, c.w)
	}
	c.paragraph(x, y, w, 3, active, i.table.invite)
}
