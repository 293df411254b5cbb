package class

import (
	"context"
	"errors"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// upkeep does what is due.
func (c *Class) upkeep(ctx context.Context) error {
	c.acting.Lock()
	defer c.acting.Unlock()
	_, err := c.act(ctx, func(s *State, now time.Time) ([]Event, error) {
		pairs := now.Sub(c.tried) >= time.Duration(s.Order.Wait)
		if pairs {
			c.tried = now
		}
		return s.clockEvents(now, pairs), nil
	})
	return errors.Join(err, c.mend(ctx))
}

// mend opens the tables of pairings that are missing, begins their games, gives their seats to the
// pupils' present phones, and scores finished ones. It is called while acting.
func (c *Class) mend(ctx context.Context) (failed error) {
	s := c.now()
	for _, p := range s.Pairings {
		if p.UnderWay() {
			failed = errors.Join(failed, c.mendPairing(ctx, s, p))
		}
	}
	return failed
}

// restBetweenGames is how long after the first game of a pair the second one begins.
const restBetweenGames = 10 * time.Second

func (c *Class) mendPairing(ctx context.Context, s *State, p Pairing) error {
	v, err := c.visit(ctx, s, p)
	if err != nil {
		return err
	}
	defer v.Close()
	state := v.Table.State()
	for _, seat := range match.Seats {
		seal := match.Seal(c.seatToken(s, p, seat))
		if state.Setup.Seals[seat] == seal {
			continue
		}
		if _, err := v.Table.Rekey(ctx, seat, seal); err != nil {
			return err
		}
	}
	switch last, _ := v.Table.Last(state.Seq); {
	case state.Phase() == match.Over:
		return c.score(ctx, p, v.Table)
	case state.Phase() == match.Between &&
		(state.Game == 0 || c.school.Now().Sub(last.At) >= restBetweenGames):
		_, err = v.Table.Begin(ctx)
	}
	if errors.Is(err, match.ErrUnderWay) || errors.Is(err, match.ErrSeries) {
		return nil // another server was faster
	}
	return err
}

// visit visits the table of a pairing, and opens it if it is missing.
func (c *Class) visit(ctx context.Context, s *State, p Pairing) (*match.Visit, error) {
	v, err := c.school.Hall.Visit(ctx, p.Table)
	if !errors.Is(err, match.ErrNoTable) {
		return v, err
	}
	setup := s.Order.Setup([2]string{s.Pupils[p.Pupils[0]-1].Name, s.Pupils[p.Pupils[1]-1].Name})
	setup.Class = c.id
	for _, seat := range match.Seats {
		setup.Seals[seat] = match.Seal(c.seatToken(s, p, seat))
	}
	if s.Order.RandomOpening {
		setup.Openings, err = c.school.Opening(ctx, c.id, p.Table, setup)
		if err != nil {
			return nil, err
		}
	}
	return c.school.Hall.Open(ctx, p.Table, setup)
}

// seatToken returns the token of a seat at the table of a pairing. It follows from the token of the
// pupil, so that a phone that is replaced loses both.
func (c *Class) seatToken(s *State, p Pairing, seat match.Seat) string {
	pupil := p.Pupils[seat]
	return c.school.Keys.Fresh(p.Table, seat, c.token(pupil, s.Pupils[pupil-1].Generation))
}

// A Place is a pupil's seat at a table.
type Place struct {
	Table string
	Seat  match.Seat
	Token string
}

// Place returns the seat of a pupil in the pairing with this number, in which the pupil plays.
func (c *Class) Place(s *State, pupil, pairing int) Place {
	p := s.Pairings[pairing-1]
	seat := match.One
	if p.Pupils[match.Two] == pupil {
		seat = match.Two
	}
	return Place{p.Table, seat, c.seatToken(s, p, seat)}
}

// score adds the result of a finished table.
func (c *Class) score(ctx context.Context, p Pairing, t *match.Table) error {
	points, decisions, here := [2]int{1, 1}, [2][2]int{}, [2]bool{}
	if seat, ok := t.State().Leader(); ok {
		points[seat], points[seat.Other()] = 2, 0
	}
	for _, game := range t.Games() {
		sides, err := c.school.Decisions(ctx, c.id, game.Record())
		if err != nil {
			return err
		}
		for side, n := range sides {
			seat := game.SeatOf(digit.Side(side))
			decisions[seat][0] += n[0]
			decisions[seat][1] += n[1]
			here[seat] = here[seat] || acted(game, seat)
		}
	}
	scored := Event{
		Kind: Scored, Pairing: p.Pairing, Points: &points, Decisions: &decisions, By: byGame,
	}
	for seat, pupil := range p.Pupils {
		if !here[seat] {
			scored.Absent = append(scored.Absent, pupil)
		}
	}
	_, err := c.act(ctx, func(s *State, _ time.Time) ([]Event, error) {
		if !s.Pairings[p.Pairing-1].UnderWay() {
			return nil, nil
		}
		return []Event{scored}, nil
	})
	return err
}

// acted reports whether the player on a seat did something in a finished game.
func acted(game match.State, seat match.Seat) bool {
	for i := int(game.Given); i < len(game.Moves); i++ {
		if game.Clocked>>i&1 == 0 && game.SeatOf(digit.Side(i%2)) == seat {
			return true
		}
	}
	winner, _ := game.Winner()
	switch game.Result.Reason {
	case digit.Resignation:
		return winner != seat
	case digit.Departure:
		return winner == seat
	default:
		return game.Swapped && game.Starter() == seat
	}
}

// repair returns the events that void the games without a move, and pair their pupils again.
func (c *Class) repair(
	ctx context.Context, s *State, now time.Time,
) (events []Event, err error) {
	after := s.clone()
	for _, p := range s.Pairings {
		if !p.UnderWay() {
			continue
		}
		v, err := c.visit(ctx, s, p)
		if err != nil {
			return nil, err
		}
		state := v.Table.State()
		v.Close()
		if state.Game <= 1 && len(state.Moves) <= int(state.Given) && !state.SeriesOver() {
			events = append(events, Event{Kind: Voided, Pairing: p.Pairing})
			after.Pairings[p.Pairing-1].Void = true
		}
	}
	if s.Paused {
		return events, nil
	}
	return append(events, after.pairing(now, s.Round)...), nil
}
