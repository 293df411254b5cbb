package bot

import (
	"context"
	"errors"

	"digitduel/digit"
	"digitduel/match"
)

// Sit plays for a seat until the series is over, the table is closed or ctx is done. It is one more front end of the table:
// it watches, and plays when it is its turn. It agrees when the other player asks to take back a move.
// New is called for each game, and choose for each turn.
func Sit(ctx context.Context, t *match.Table, seat match.Seat, newGame func() (choose func(digit.Position) digit.Move)) error {
	var choose func(digit.Position) digit.Move
	game := 0
	for e := range t.Watch(ctx, 0) {
		s := t.State()
		if e.Seq < s.Seq {
			continue // this is past; only the last event asks for something
		}
		var err error
		switch {
		case s.SeriesOver():
			return nil
		case s.Asking && s.Asker != seat:
			_, err = t.Undo(ctx, seat)
		case s.Playing() && s.Turn() == seat:
			if game != s.Game {
				game, choose = s.Game, newGame()
			}
			_, err = t.Play(ctx, seat, choose(s.Position), s.Seq)
		}
		if err != nil && !late(err) {
			return err
		}
	}
	return ctx.Err()
}

// late reports whether an act came after the table had gone on; the event that says so follows.
func late(err error) bool {
	return errors.Is(err, match.ErrStale) || errors.Is(err, match.ErrTurn) || errors.Is(err, match.ErrNoGame) || errors.Is(err, match.ErrTimeout) || errors.Is(err, match.ErrNotAsked)
}
