package match

func (s *State) ready(e Event) error {
	if s.Phase() != Between || s.Game == 0 {
		return ErrNotOver
	}
	if s.Ready[e.Seat] {
		return ErrAsked
	}
	if !s.Ready[e.Seat.Other()] {
		s.turnTo(e.At)
	}
	s.Ready[e.Seat] = true
	return nil
}

func (s *State) askRematch(e Event) error {
	if !s.SeriesOver() {
		return ErrNotOver
	}
	if s.Again[e.Seat] {
		return ErrAsked
	}
	s.Again[e.Seat] = true
	return nil
}

func (s *State) refuseRematch(e Event) error {
	if !s.Again[e.Seat.Other()] {
		return ErrNotAsked
	}
	s.Again = [2]bool{}
	return nil
}

func (s *State) setHints(e Event) error {
	if s.Hints[e.Seat] == (e.Kind == HintsAgreed) {
		return ErrAlready
	}
	s.Hints[e.Seat] = e.Kind == HintsAgreed
	return nil
}

// publish makes the games so far public once all players agree. Later games need a new agreement.
func (s *State) publish(e Event) error {
	switch {
	case s.Playing():
		return ErrUnderWay
	case s.Game == 0:
		return ErrNoGame
	case s.Public(s.Game):
		return ErrPublic
	case s.Shows[e.Seat]:
		return ErrAsked
	}
	s.Shows[e.Seat] = true
	if other := e.Seat.Other(); s.Shows[other] || s.Setup.Levels[other] != "" {
		s.Shown = s.Game
	}
	return nil
}

// Public reports whether lists show a game of the table.
func (s State) Public(game int) bool {
	return s.Setup.Public() || 0 < game && game <= s.Shown
}

// asksUndo reports whether a seat has asked to take back a move.
func (s *State) asksUndo(seat Seat) bool { return s.Asking && s.Asker == seat }

func (s *State) refuseUndo(e Event) error {
	if !s.asksUndo(e.Seat.Other()) {
		return ErrNotAsked
	}
	s.Asking = false
	return nil
}

func (s *State) withdrawUndo(e Event) error {
	if !s.asksUndo(e.Seat) {
		return ErrNotAsked
	}
	s.Asking = false
	return nil
}

func (s *State) askUndo(e Event) error {
	switch {
	case s.LastBy(e.Seat) < 0:
		return ErrNoUndo
	case s.asksUndo(e.Seat):
		return ErrAsked
	}
	s.Asking, s.Asker = true, e.Seat
	return nil
}

func (s *State) undo(e Event) error {
	last := s.LastBy(e.Seat)
	switch {
	case last < 0:
		return ErrNoUndo
	case !s.asksUndo(e.Seat) && !s.Setup.FreeUndo:
		return ErrNotAsked
	}
	if s.Swapped && last == 0 { // the move is the opponent's: it stays and is handed back
		s.Swapped, last = false, 1
	}
	s.setMoves(s.Moves[:last])
	s.Lent &= 1<<len(s.Moves) - 1
	s.Clocked &= 1<<len(s.Moves) - 1
	s.Asking = false
	s.turnTo(e.At)
	return nil
}
