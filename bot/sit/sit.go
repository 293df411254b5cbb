// Package sit plays for seats at tables: levels of the computer, and engines. It is one more front
// end of [match.Table].
package sit

import (
	"context"
	"math/rand/v2"
	"time"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// Play plays for a seat until the series is over, the table is closed or ctx is done. It watches
// the table, plays when it is its turn, and agrees when the opponent asks to take back a move.
// NewGame is called for each game, with its rules.
func Play(
	ctx context.Context, t *match.Table, seat match.Seat, newGame func(digit.Rules) Choose,
) error {
	p := sitter{newGame: newGame}
	for e, s := range t.Watch(ctx, 0) {
		if e.Seq < t.State().Seq {
			continue // only the last event needs an answer
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

// Choose returns a move for the side to move at a table, or reports that it takes over the first
// move. The game must not be over.
type Choose func(context.Context, match.State) (m digit.Move, swap bool, err error)

// Pace is how long a server waits before each move of the computer against itself, so that
// watchers can follow and the games do not fill the database.
const Pace = time.Second

// Host plays for every seat that the table gives to a level, until the table is closed or ctx is
// done. NewGame is called for each game of a level, with its rules. Host answers a person at
// once. Against itself it waits one pace before each move, and three before the next game.
func Host(
	ctx context.Context, t *match.Table, pace time.Duration,
	newGame func(level string, r digit.Rules) Choose,
) error {
	var sitters [2]sitter
	for e, s := range t.Watch(ctx, t.State().Seq-1) { // past events need no answer
		if e.Seq < t.State().Seq || s.SelfPlay() && !paced(ctx, t, s, pace) {
			continue
		}
		for _, seat := range match.Seats {
			level := s.Levels[seat]
			if level == "" {
				continue
			}
			p := &sitters[seat]
			if p.level != level {
				newGame := func(r digit.Rules) Choose { return newGame(level, r) }
				*p = sitter{level: level, newGame: newGame}
			}
			if err := p.answer(ctx, t, seat, s); err != nil {
				return err
			}
		}
		if s.Phase() == match.Between && s.SelfPlay() {
			if _, err := t.Begin(ctx); err != nil && !late(err) { // no player is there to do it
				return err
			}
		}
	}
	return ctx.Err()
}

// A Solved returns the solution of a game, which is borrowed until the context is done.
type Solved func(context.Context, digit.Rules) (*solve.Solution, error)

// CheckLevels returns an error if a seat of a table has a level that does not exist.
func CheckLevels(s match.State) error {
	for _, level := range s.Levels {
		if level == "" {
			continue
		}
		if _, err := bot.ParseLevel(level); err != nil {
			return err
		}
	}
	return nil
}

// HostLevels is [Host] with the levels of the computer. It borrows solutions for one move each.
func HostLevels(ctx context.Context, t *match.Table, solved Solved) error {
	rng := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	return Host(ctx, t, Pace, func(name string, r digit.Rules) Choose {
		level, err := bot.ParseLevel(name)
		if err != nil {
			level = bot.Perfect() // a level of an older program
		}
		return Borrowing(level, r, solved, rng)
	})
}

// Answer returns a Choose that plays one game as the bot does.
func Answer(b *bot.Bot) Choose {
	return func(_ context.Context, s match.State) (m digit.Move, swap bool, err error) {
		if s.Setup.Swap && (len(s.Moves) == 0 || s.MaySwap()) {
			m, swap = b.Swap(s.Position)
			return m, swap, nil
		}
		return b.Choose(s.Position), false, nil
	}
}

// Borrowing returns a Choose that plays one game as a bot does, but keeps no solution between
// moves. It calls solved for each move, with a context that is done when the move is chosen.
// Against an agent its choices follow from the seed of the table, not from rng.
func Borrowing(l bot.Level, r digit.Rules, solved Solved, rng *rand.Rand) Choose {
	b := bot.New(l, nil, rng)
	return func(ctx context.Context, at match.State) (m digit.Move, swap bool, err error) {
		ctx, done := context.WithCancel(ctx)
		defer done()
		solution, err := solved(ctx, r)
		if err != nil {
			return m, false, err
		}
		now := b.With(solution)
		if at.Setup.Agent.Tries > 0 {
			now = bot.Foretold(l, solution, at.Setup.Agent.Seed, at.Game, len(at.Moves))
		}
		return Answer(now)(ctx, at)
	}
}

// paced waits before a move of the computer against itself, and reports whether the table is
// unchanged.
func paced(ctx context.Context, t *match.Table, s match.State, pace time.Duration) bool {
	if s.Phase() == match.Between && s.Game > 0 {
		pace *= 3
	}
	steps, more := t.Since(s.Seq)
	if len(steps) > 0 || more == nil {
		return false
	}
	select {
	case <-time.After(pace):
		return true
	case <-more:
	case <-ctx.Done():
	}
	return false
}

// A sitter is the computer on a seat, for one game after the other.
type sitter struct {
	level   string
	newGame func(digit.Rules) Choose
	game    int
	choose  Choose // for that game
}

// answer does what a state requires of a seat.
func (p *sitter) answer(ctx context.Context, t *match.Table, seat match.Seat, s match.State) error {
	var err error
	switch {
	case s.Asking && s.Asker != seat:
		_, err = t.Do(ctx, seat, match.AgreeUndo, "")
	case s.Playing() && s.Turn() == seat:
		if p.game != s.Game {
			p.choose, p.game = p.newGame(s.Setup.Rules), s.Game
		}
		m, swap, wrong := p.choose(ctx, s)
		switch {
		case wrong != nil:
			return wrong
		case swap:
			_, err = t.Do(ctx, seat, match.Swap, "")
		default:
			_, err = t.Play(ctx, seat, m, s.Seq)
		}
	}
	if late(err) {
		return nil
	}
	return err
}

// late reports whether an act failed because the table has changed. The event of that change
// follows.
func late(err error) bool {
	return match.Late(err, match.ErrNotAsked, match.ErrUnderWay, match.ErrSeries, match.ErrLong,
		match.ErrNoSwap)
}
