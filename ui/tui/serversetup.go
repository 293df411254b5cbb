package tui

import "digitduel/match"

// The opponents at a server, besides its computer. They are not remembered.
const (
	friend Opponent = "friend" // gets a link
	anyone Opponent = "anyone" // finds the table in the list
)

// newServerSetup returns the setup page of a table at a server.
func newServerSetup(m *Model, at *server) *setup {
	s := newSetup(m, book(m.settings.Book))
	s.server = at
	// between people, hints are off at first
	s.settings.Opponent, s.settings.RandomOpening, s.settings.Hints = friend, false, false
	if s.settings.First == CoinToss {
		s.settings.First = PlayerOne
	}
	return s
}

// serverSetup returns the setup of the table at a server.
func (w Settings) serverSetup() match.Setup {
	s := w.setup()
	s.FreeUndo, s.Names = false, [2]string{w.Names[match.One]}
	s.Open[match.Two], s.Listed = w.Opponent != Computer, w.Opponent == anyone
	return s
}

// send opens the table at the server. It remembers the settings, but not the opponent.
func (s *setup) send(m *Model) {
	w := s.settings
	w.Opponent, w.RandomOpening, w.First, w.Hints = m.settings.Opponent, m.settings.RandomOpening &&
		w.Pair, m.settings.First, m.settings.Hints
	m.settings = w
	m.pop()
	s.server.open(m, s.settings.serverSetup())
}
