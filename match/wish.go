package match

// applyWish is for events about what a player wants that takes both.
func (s *State) applyWish(e Event) error {
	switch e.Kind {
	case Ready:
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
	case RematchAsked:
		if !s.SeriesOver() {
			return ErrNotOver
		}
		if s.Again[e.Seat] {
			return ErrAsked
		}
		s.Again[e.Seat] = true
	case RematchRefused:
		if !s.Again[e.Seat.Other()] {
			return ErrNotAsked
		}
		s.Again = [2]bool{}
	case Published:
		return s.publish(e.Seat)
	default: // HintsAgreed, HintsEnded
		if s.Hints[e.Seat] == (e.Kind == HintsAgreed) {
			return ErrAlready
		}
		s.Hints[e.Seat] = e.Kind == HintsAgreed
	}
	return nil
}

// publish lets anybody find the games that were played so far, if everybody wants it. What is played later is asked for anew.
func (s *State) publish(seat Seat) error {
	switch {
	case s.Playing():
		return ErrUnderWay
	case s.Game == 0:
		return ErrNoGame
	case s.Public(s.Game):
		return ErrPublic
	case s.Shows[seat]:
		return ErrAsked
	}
	s.Shows[seat] = true
	if other := seat.Other(); s.Shows[other] || s.Setup.Levels[other] != "" {
		s.Shown = s.Game
	}
	return nil
}

// Public reports whether lists show a game of the table.
func (s State) Public(game int) bool { return s.Setup.Public() || game <= s.Shown }

// applyUndo is for events about taking back a move.
func (s *State) applyUndo(e Event) error {
	last, asks := s.LastBy(e.Seat), s.Asking && s.Asker == e.Seat
	switch {
	case e.Kind == UndoRefused:
		if !s.Asking || asks {
			return ErrNotAsked
		}
		s.Asking = false
	case last < 0:
		return ErrNoUndo
	case e.Kind == UndoAsked:
		if asks {
			return ErrAsked
		}
		s.Asking, s.Asker = true, e.Seat
	default:
		if !asks && !s.Setup.FreeUndo {
			return ErrNotAsked
		}
		if s.Swapped && last == 0 { // it is the other player's: it stays, and is handed back
			s.Swapped, last = false, 1
		}
		s.setMoves(s.Moves[:last])
		s.Lent &= 1<<len(s.Moves) - 1
		s.Asking = false
		s.turnTo(e.At)
	}
	return nil
}
