package bot

import (
	"context"
	"errors"

	"digitduel/digit"
	"digitduel/match"
)

// Sit plays for a seat until the series is over, the table is closed or ctx is done. It is one more front end of the table:
// it watches, and plays when it is its turn. It agrees when the other player asks to take back a move.
// NewGame is called for each game, and choose for each turn.
func Sit(ctx context.Context, t *match.Table, seat match.Seat, newGame func() (choose func(digit.Position) digit.Move)) error {
	p := sitter{newGame: func(digit.Rules) (func(digit.Position) digit.Move, error) { return newGame(), nil }}
	for e, s := range t.Watch(ctx, 0) {
		if e.Seq < t.State().Seq {
			continue // this is past; only the last event asks for something
		}
		if s.SeriesOver() {
			return nil
		}
		if err := p.answer(ctx, t, seat, s); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Host plays for every seat that the table gives to a level, whenever it does, until the table is closed or ctx is done. NewGame
// is called for each game that a level plays, with its rules.
func Host(ctx context.Context, t *match.Table, newGame func(level string, r digit.Rules) (choose func(digit.Position) digit.Move, err error)) error {
	var sitters [2]sitter
	for e, s := range t.Watch(ctx, 0) {
		if e.Seq < t.State().Seq {
			continue
		}
		for _, seat := range match.Seats {
			level := s.Levels[seat]
			if level == "" {
				continue
			}
			p := &sitters[seat]
			if p.level != level {
				*p = sitter{level: level, newGame: func(r digit.Rules) (func(digit.Position) digit.Move, error) { return newGame(level, r) }}
			}
			if err := p.answer(ctx, t, seat, s); err != nil {
				return err
			}
		}
		if s.Phase() == match.Between && s.Levels[match.One] != "" && s.Levels[match.Two] != "" {
			if _, err := t.Begin(ctx); err != nil && !late(err) { // nobody else is there who could
				return err
			}
		}
	}
	return ctx.Err()
}

// A sitter is the computer on a seat in one game after the other.
type sitter struct {
	level   string
	newGame func(digit.Rules) (choose func(digit.Position) digit.Move, err error)
	game    int
	choose  func(digit.Position) digit.Move // in that game
}

// answer does what a state asks of a seat.
func (p *sitter) answer(ctx context.Context, t *match.Table, seat match.Seat, s match.State) error {
	var err error
	switch {
	case s.Asking && s.Asker != seat:
		_, err = t.AgreeToUndo(ctx, seat)
	case s.Playing() && s.Turn() == seat:
		if p.game != s.Game {
			if p.choose, err = p.newGame(s.Setup.Rules); err != nil {
				return err
			}
			p.game = s.Game
		}
		_, err = t.Play(ctx, seat, p.choose(s.Position), s.Seq)
	}
	if late(err) {
		return nil
	}
	return err
}

// late reports whether an act came after the table had gone on; the event that says so follows.
func late(err error) bool {
	for _, past := range []error{match.ErrStale, match.ErrTurn, match.ErrNoGame, match.ErrTimeout, match.ErrNotAsked, match.ErrUnderWay, match.ErrSeries} {
		if errors.Is(err, past) {
			return true
		}
	}
	return false
}
