package tui

import (
	"errors"

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

// sitAt shows a table with players on other machines.
func (m *Model) sitAt(at Sitting) {
	t := m.newTable(at)
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
	if t.Remote == nil {
		return
	}
	people, changed := t.Remote.Presence()
	t.people, t.lost = people, t.Remote.Lost()
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
	case t.Remote != nil && !s.Open[other] && s.Levels[other] == "" && !t.people.Seats[other]:
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
	e, _ := t.Table.Last(s.Seq, match.HintsAgreed)
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

// actKeys returns the commands of acts that need no answer, and of an open seat.
func (t *table) actKeys() []binding {
	s := t.state
	seat, plays := t.person(s.Turn())
	if !plays {
		return nil
	}
	var keys []binding
	for _, c := range rulebook.Commands {
		if s.Playing() && !c.NeedsAnswer && !(t.own && c.Shared) && c.Act.May(s, seat) {
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
