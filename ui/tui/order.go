package tui

import (
	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// An order adds to the settings of a table at a server: who the opponent is.
type order struct {
	at   *server
	with partner
}

// A partner is who gets the other seat of a table at a server.
type partner int

const (
	friend partner = iota
	anyone
	itsComputer
)

// newOrder returns the setup page of a table at a server.
func newOrder(m *Model, at *server) *setup {
	s := newSetup(m, book(m.settings.Book))
	s.order = &order{at: at}
	// between people, hints are off at first
	s.settings.Opponent, s.settings.Lot, s.settings.Hints = Person, false, false
	if s.settings.First == CoinToss {
		s.settings.First = PlayerOne
	}
	return s
}

// list returns the rows for a table at a server.
func (o *order) list(m *Model, s *setup) []row {
	w, r := &s.settings, s.settings.RulesFor(s.book)
	games := append(append([]digit.Book{}, digit.Books...), digit.Fair...)
	names := append(digit.BookNames(), digit.FairNames()...)
	said := [...][2]string{
		friend: {"a friend", "A friend, who gets a link from you."}, anyone: {
			"anyone", "Anyone who finds the table in the list.",
		}, itsComputer: {"the computer there", "You play against the computer of the server."},
	}[o.with]
	list := []row{{
		name: "Game", value: rulebook.Title(s.book.Rules), about: rulebook.Goal(r).Short + ".",
		change: func(by int) {
			w.Book = cycle(names, w.Book, by)
			for _, b := range games {
				if b.Name == w.Book {
					s.book = b
				}
			}
		},
	}, {
		name: "Opponent", value: said[0], about: said[1],
		change: func(by int) { o.with = cycle([]partner{friend, anyone, itsComputer}, o.with, by) },
	}}
	if o.with == itsComputer {
		list = append(list, levelRow(w, match.Two, "Level"))
	}
	list = append(list, row{
		name: "Who starts", value: map[First]string{
			PlayerOne: "you", PlayerTwo: "the other player",
		}[w.First], about: "After each game the start changes.",
		change: func(by int) { w.First = cycle(firsts[:2], w.First, by) },
	}, s.gamesRow(r), s.clockRow(r), row{
		name: "Hints", value: onOff(w.Hints), about: map[bool]string{
			true:  "Both of you may ask for hints.",
			false: "Hints are on when both of you agree to them.",
		}[w.Hints],
		change: func(int) { w.Hints = !w.Hints },
	})
	return append(list, s.rulesRow(m))
}

// lengths returns the lengths that a server offers.
func (o *order) lengths() (list []length) {
	for _, l := range lengths {
		if !l.lot {
			list = append(list, l)
		}
	}
	return list
}

// setup returns the setup of the ordered table.
func (o *order) setup(w Settings) match.Setup {
	first := match.One
	if w.First == PlayerTwo {
		first = match.Two
	}
	s := w.setup(first)
	s.FreeUndo, s.Names = false, [2]string{w.Names[match.One]}
	switch o.with {
	case friend, anyone:
		s.Open[match.Two], s.Listed = true, o.with == anyone
	case itsComputer:
		s.Levels[match.Two] = w.Levels[match.Two]
	}
	return s
}

// send orders the table. It remembers the settings, but not the opponent.
func (o *order) send(m *Model, s *setup) tea.Cmd {
	w := s.settings
	w.Opponent, w.Lot, w.First, w.Hints = m.settings.Opponent, m.settings.Lot &&
		w.Pair, m.settings.First, m.settings.Hints
	m.settings = w
	m.pop()
	return o.at.open(m, o.setup(s.settings))
}
