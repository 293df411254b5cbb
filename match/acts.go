package match

import (
	"cmp"
	"context"
	"errors"

	"digitduel/digit"
)

// Begin starts the first or next game of the series.
func (t *Table) Begin(ctx context.Context) (State, error) {
	return t.record(ctx, Event{Kind: Began})
}

// Next says that a seat is ready for the next game. It begins at once, unless a person on the other seat may still be looking at the
// last one: then it begins when both are ready, or by itself after the [Countdown].
func (t *Table) Next(ctx context.Context, seat Seat) (State, error) {
	s, err := t.act(ctx, func(s State) (Event, error) {
		switch other := seat.Other(); {
		case s.Phase() != Between || s.Game == 0 || s.Levels[other] != "" || s.Ready[other]:
			return Event{Kind: Began}, nil
		case s.Ready[seat]:
			return Event{}, errMoot
		default:
			return Event{Kind: Ready, Seat: seat}, nil
		}
	})
	if errors.Is(err, errMoot) {
		err = nil
	}
	return s, err
}

// Play plays a move for a seat. A move the rules refuse is answered with a [*digit.MoveError]; to a program, whose turn it is, it is also an
// [Illegal] fault, after which the table stands as the state says.
//
// Seen is the number of the last event the player has seen, or 0 to play whatever has happened since. A move that was made
// for another state is answered with [ErrStale]; but one that was played already, just after that event, is answered as it was
// then, so that a player who did not get the answer can ask again.
func (t *Table) Play(ctx context.Context, seat Seat, m digit.Move, seen int) (State, error) {
	var illegal error // the move of a program
	s, err := t.act(ctx, func(s State) (Event, error) {
		if seen != 0 && seen != s.Seq {
			if t.played(seat, m, seen) {
				return Event{}, errMoot
			}
			return Event{}, ErrStale
		}
		if s.Playing() && s.Turn() == seat {
			if out, err := t.overdue(ctx); err != nil {
				return Event{}, err
			} else if out {
				return Event{}, ErrTimeout // the clock is about to say so
			}
		}
		m := s.called(m)
		if illegal = t.faulty(s, seat, m); illegal != nil {
			return Event{Kind: Faulted, Seat: seat, Fault: Illegal}, nil
		}
		return Event{Kind: Moved, Seat: seat, Move: &m}, nil
	})
	if errors.Is(err, errMoot) {
		steps, _ := t.Since(seen)
		return steps[0].After, nil
	}
	return s, cmp.Or(err, illegal)
}

// faulty returns why a move costs a program on a seat a try, if it does. At a table elsewhere that is for others to say.
func (t *Table) faulty(s State, seat Seat, m digit.Move) error {
	if t.follows || !s.Playing() || s.Turn() != seat || !s.Setup.IsAgent(seat) {
		return nil
	}
	_, err := s.Setup.Rules.Play(s.Position, m)
	return err
}

// Fault says that the program on a seat, whose turn it is, has answered with something that is no legal move: [Unreadable], since [Table.Play]
// says so of what is [Illegal]. When it has used up its tries it loses the game.
func (t *Table) Fault(ctx context.Context, seat Seat, fault Fault) (State, error) {
	return t.record(ctx, Event{Kind: Faulted, Seat: seat, Fault: fault})
}

// played reports whether the event after the one of a number is a seat's own move.
func (t *Table) played(seat Seat, m digit.Move, seen int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if seen < 0 || seen >= len(t.log.events) {
		return false
	}
	e := t.log.events[seen]
	if e.Kind != Moved || e.Seat != seat || e.Auto {
		return false
	}
	return *e.Move == m || t.log.now.Setup.AutoCall && e.Move.Uncalled() == m
}

// Pick says that the player to move has picked a digit, after having seen an event of a number, and is about to say where it goes or
// what to call. If time runs out before that, chance leaves the digit picked.
func (t *Table) Pick(seat Seat, d digit.Digit, seen int) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.log.now
	switch {
	case seen != s.Seq:
		return ErrStale
	case !s.Playing() || s.Turn() != seat:
		return ErrTurn
	}
	if spots := s.Setup.Rules.Spots(s.Position, d); len(spots) == 0 {
		_, err := s.Setup.Rules.Play(s.Position, digit.Move{Digit: d, Spot: digit.Right})
		return err
	}
	t.picked = pick{s.Seq, d}
	return nil
}

// PutBack says that the player who picked a digit after an event of a number has not, after all.
func (t *Table) PutBack(seen int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.picked.seq == seen {
		t.picked = pick{}
	}
}

// called returns a move with the call that the table makes for the player, if it does.
func (s State) called(m digit.Move) digit.Move {
	if r := s.Setup.Rules; s.Setup.AutoCall && m.Call == (digit.Number{}) && r.MayCall(s.Position) && r.Left(s.Position).Has(m.Digit) {
		m.Call = r.HighestMultiple(r.Held(s.Position, r.Turn(s.Position)) | digit.PoolOf(m.Digit))
	}
	return m
}

// Swap takes over the first move of a game for the second player, where the setup lets it: the first player moves again.
func (t *Table) Swap(ctx context.Context, seat Seat) (State, error) {
	return t.record(ctx, Event{Kind: Swapped, Seat: seat})
}

// Resign gives up the game for a seat.
func (t *Table) Resign(ctx context.Context, seat Seat) (State, error) {
	return t.record(ctx, Event{Kind: Resigned, Seat: seat})
}

// Undo takes back the last move of a seat and what followed it, if the setup lets it or the other player asks for the
// same of theirs; otherwise it asks the other player.
func (t *Table) Undo(ctx context.Context, seat Seat) (State, error) {
	return t.act(ctx, func(s State) (Event, error) {
		switch {
		case s.Asking && s.Asker != seat:
			return Event{Kind: Undone, Seat: s.Asker}, nil
		case s.Setup.FreeUndo:
			return Event{Kind: Undone, Seat: seat}, nil
		default:
			return Event{Kind: UndoAsked, Seat: seat}, nil
		}
	})
}

// AgreeToUndo takes back what the other player asks for, and never asks for anything itself.
func (t *Table) AgreeToUndo(ctx context.Context, seat Seat) (State, error) {
	return t.act(ctx, func(s State) (Event, error) {
		if !s.Asking || s.Asker == seat {
			return Event{}, ErrNotAsked
		}
		return Event{Kind: Undone, Seat: s.Asker}, nil
	})
}

// RefuseUndo refuses what the other player asks for.
func (t *Table) RefuseUndo(ctx context.Context, seat Seat) (State, error) {
	return t.record(ctx, Event{Kind: UndoRefused, Seat: seat})
}

// Sit takes an open seat for a person, by a name or, if it is empty, by that of the setup. From then on the seat is whose token
// has the seal; who sits there by that very seal already, and did not get the answer, may ask again.
func (t *Table) Sit(ctx context.Context, seat Seat, name, seal string) (State, error) {
	s, err := t.act(ctx, func(s State) (Event, error) {
		if seal != "" && !s.Open[seat] && s.Setup.Seals[seat] == seal {
			return Event{}, errMoot
		}
		return Event{Kind: Seated, Seat: seat, Name: name, Seal: seal}, nil
	})
	if errors.Is(err, errMoot) {
		err = nil
	}
	return s, err
}

// Rekey changes the token of a seat to the one that has a seal.
func (t *Table) Rekey(ctx context.Context, seat Seat, seal string) (State, error) {
	return t.record(ctx, Event{Kind: Rekeyed, Seat: seat, Seal: seal})
}

// Leave says that the player on a seat is gone.
func (t *Table) Leave(ctx context.Context, seat Seat) (State, error) {
	return t.record(ctx, Event{Kind: Left, Seat: seat})
}

// Return says that the player on a seat, who had left, is back.
func (t *Table) Return(ctx context.Context, seat Seat) (State, error) {
	return t.record(ctx, Event{Kind: Back, Seat: seat})
}

// Claim takes the win for a seat because the other player has left.
func (t *Table) Claim(ctx context.Context, seat Seat) (State, error) {
	return t.record(ctx, Event{Kind: Claimed, Seat: seat})
}

// Replace lets the computer play on, at a level, for the other player of a seat, who has left.
func (t *Table) Replace(ctx context.Context, seat Seat, level string) (State, error) {
	return t.record(ctx, Event{Kind: Replaced, Seat: seat.Other(), Level: level})
}

// Rematch says that a seat wants another series, and begins it when everybody does.
func (t *Table) Rematch(ctx context.Context, seat Seat) (State, error) {
	s, err := t.record(ctx, Event{Kind: RematchAsked, Seat: seat})
	if err != nil && !errors.Is(err, ErrAsked) || !s.rematch() { // everybody may have asked before it could be begun
		return s, err
	}
	if s, err = t.Begin(ctx); errors.Is(err, ErrUnderWay) { // somebody else began it
		err = nil
	}
	return s, err
}

// RefuseRematch refuses the other series that the other player wants.
func (t *Table) RefuseRematch(ctx context.Context, seat Seat) (State, error) {
	return t.record(ctx, Event{Kind: RematchRefused, Seat: seat})
}

// Publish says that a seat lets anybody find the games that were played here so far. They are public when both do.
func (t *Table) Publish(ctx context.Context, seat Seat) (State, error) {
	return t.record(ctx, Event{Kind: Published, Seat: seat})
}

// AgreeToHints says whether a seat agrees to hints.
func (t *Table) AgreeToHints(ctx context.Context, seat Seat, agrees bool) (State, error) {
	kind := HintsEnded
	if agrees {
		kind = HintsAgreed
	}
	return t.record(ctx, Event{Kind: kind, Seat: seat})
}
