package tui

import (
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// The opponents at a server, besides its computer. They are not remembered.
const (
	friend Opponent = "friend" // gets a link
	anyone Opponent = "anyone" // finds the table in the list
)

// newOrder returns the setup page of a table at a server.
func newOrder(m *Model, at *server) *setup {
	s := newSetup(m, book(m.settings.Book))
	s.at = at
	// between people, hints are off at first
	s.settings.Opponent, s.settings.Lot, s.settings.Hints = friend, false, false
	if s.settings.First == CoinToss {
		s.settings.First = PlayerOne
	}
	return s
}

// gameRow returns the row for the game: any at a server, here one of the fair games.
func (s *setup) gameRow(r digit.Rules) row {
	names, about := digit.FairNames(), rulebook.Goal(r).Short+"."
	if fairness, fair := rulebook.FairnessOf(s.book.Rules); fair {
		about = fairness.Reckon
	}
	if s.at != nil {
		names = append(digit.BookNames(), names...)
	}
	return row{
		name: "Game", value: rulebook.Title(s.book.Rules), about: about,
		change: func(by int) {
			s.settings.Book = cycle(names, s.settings.Book, by)
			s.book = book(s.settings.Book)
		},
	}
}

// order returns the setup of the table at a server.
func (w Settings) order() match.Setup {
	s := w.setup()
	s.FreeUndo, s.Names = false, [2]string{w.Names[match.One]}
	s.Open[match.Two], s.Listed = w.Opponent != Computer, w.Opponent == anyone
	return s
}

// send orders the table. It remembers the settings, but not the opponent.
func (s *setup) send(m *Model) {
	w := s.settings
	w.Opponent, w.Lot, w.First, w.Hints = m.settings.Opponent, m.settings.Lot &&
		w.Pair, m.settings.First, m.settings.Hints
	m.settings = w
	m.pop()
	s.at.open(m, s.settings.order())
}
