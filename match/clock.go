package match

import (
	"context"
	"fmt"
	"slices"
	"time"

	"digitduel/digit"
)

// A TimeoutRule is the penalty when a player's time for a turn runs out.
type TimeoutRule uint8

const (
	Lose TimeoutRule = iota // the player loses the game
	// Random plays for the player: the digit already picked or a random one, in a random place,
	// without a call.
	Random
)

var timeoutNames = []string{"lose", "random"}

func (r TimeoutRule) String() string { return timeoutNames[r] }

// ParseTimeoutRule parses "lose" or "random".
func ParseTimeoutRule(text string) (TimeoutRule, error) {
	if i := slices.Index(timeoutNames, text); i >= 0 {
		return TimeoutRule(i), nil
	}
	return 0, fmt.Errorf("time-out rule %q: allowed: lose, random", text)
}

// MarshalText implements [encoding.TextMarshaler].
func (r TimeoutRule) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (r *TimeoutRule) UnmarshalText(text []byte) (err error) {
	*r, err = ParseTimeoutRule(string(text))
	return err
}

// Countdown is how long a player who is ready for the next game of a series waits for the opponent.
const Countdown = 30 * time.Second

// Deadline returns when the time of the seat to move runs out, or when the next game begins by
// itself; ok is false when no clock runs. No clock runs while the computer plays against itself, or
// until the player who makes the first move of a game comes.
func (s State) Deadline() (at time.Time, ok bool) {
	if s.Ready != [2]bool{} {
		return s.TurnBegan.Add(Countdown + s.Stood), true
	}
	at = s.TurnBegan.Add(s.Setup.TurnTime + s.Stood)
	return at, s.Setup.TurnTime > 0 && s.Playing() && !s.SelfPlay() && !s.Waits
}

// startTimer sets the clock for the turn under way or for the wait for the next game.
func (t *Table) startTimer() {
	if t.clock != nil {
		t.clock.Stop()
		t.clock = nil
	}
	at, timed := t.log.now.Deadline()
	if !timed || t.closed || t.follows {
		return
	}
	turn := t.log.now.TurnBegan
	fire := func() { t.timeout(turn) }
	wait := time.Until(at)
	if wait <= 0 {
		// AfterFunc would start it too, but in a testing/synctest bubble the race detector
		// of Go 1.26 can crash on a timer already due. The timer below tries again.
		go fire()
		wait = time.Second
	}
	t.clock = time.AfterFunc(wait, fire)
}

// randomMove returns the move that is played for a player whose time is out. It makes no call.
func (t *Table) randomMove(s State) digit.Move {
	t.mu.Lock()
	picked, holds := t.picked.digit, t.picked.seq > 0 && t.log.fits(t.picked.seq)
	t.mu.Unlock()
	left := slices.Collect(s.Setup.Rules.Left(s.Position).All())
	for len(left) > 0 { // with zero=barred a digit may have no spot
		i := t.rng.IntN(len(left))
		d := left[i]
		if holds {
			d = picked
		}
		if spots := s.Setup.Rules.Spots(s.Position, d); len(spots) > 0 {
			return digit.Move{Digit: d, Spot: spots[t.rng.IntN(len(spots))]}
		}
		left = slices.Delete(left, i, i+1)
	}
	panic("match: a game under way has no move")
}

// overdue reports whether the deadline has passed. Time in which no move could be saved does not
// count, so it asks the store before it says yes. It is called while acting.
func (t *Table) overdue(ctx context.Context) (bool, error) {
	passed := func() bool {
		at, timed := t.State().Deadline()
		return timed && !time.Now().Before(at)
	}
	if t.follows || !passed() {
		return false, nil
	}
	if err := t.creditDowntime(ctx); err != nil {
		return false, fmt.Errorf("check the clock: %w", err)
	}
	return passed(), nil
}

// creditDowntime adds the time in which no move could be saved to the clock, and informs the
// watchers. Credited time is never taken away. It is called while acting.
func (t *Table) creditDowntime(ctx context.Context) error {
	s := t.State()
	if _, timed := s.Deadline(); !timed {
		return nil
	}
	if now := time.Now(); s.TurnBegan.After(now) { // the clock of the machine was set back
		s.TurnBegan = now
	}
	down, err := t.store.Down(ctx, s.TurnBegan)
	if err != nil {
		return err
	}
	if down > s.Stood {
		// Round drops the monotonic reading: the store knows the time of day, but not how long
		// this machine slept.
		s.TurnBegan, s.Stood = s.TurnBegan.Round(0), down
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.log.now.TurnBegan != s.TurnBegan || t.log.now.Stood != s.Stood {
		t.log.now, t.log.base = s, &s
		t.wake()
	}
	return nil
}

// timeout acts for the clock when the turn that began at this time has exceeded its deadline.
func (t *Table) timeout(turn time.Time) {
	_, err := t.act(context.Background(), func(s State) (Event, error) {
		if !s.TurnBegan.Equal(turn) {
			return Event{}, errMoot
		}
		if out, err := t.overdue(context.Background()); err != nil {
			return Event{}, err
		} else if !out {
			return Event{}, errMoot
		}
		if !s.Playing() {
			return Event{Kind: Began}, nil
		}
		if s.Setup.OnTimeout == Lose {
			return Event{Kind: Flagged, Seat: s.Turn()}, nil
		}
		m := s.withCall(t.randomMove(s))
		return Event{Kind: Moved, Seat: s.Turn(), Move: &m, Auto: true}, nil
	})
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.clock == nil: // in a closed table too
	case err == nil:
		t.startTimer() // there may be time left
	default: // it could not be saved: the turn stays open until it can
		t.clock.Reset(time.Second)
	}
}
