package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A TimeoutRule says what happens when a player's time for a turn runs out.
type TimeoutRule uint8

const (
	Lose   TimeoutRule = iota // the player loses the game
	Random                    // a random legal move is played for the player
)

var timeoutNames = []string{"lose", "random"}

func (r TimeoutRule) String() string { return timeoutNames[r] }

// ParseTimeoutRule reads "lose" or "random".
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

// Deadline returns when the time of the seat to move runs out; ok is false when no clock runs.
func (s State) Deadline() (at time.Time, ok bool) {
	return s.TurnBegan.Add(s.Setup.TurnTime), s.Setup.TurnTime > 0 && s.Playing()
}

// wind sets the clock for the turn under way.
func (t *Table) wind() {
	if t.clock != nil {
		t.clock.Stop()
		t.clock = nil
	}
	at, timed := t.log.now.Deadline()
	if !timed || t.closed {
		return
	}
	turn := t.log.now.TurnBegan
	t.clock = time.AfterFunc(time.Until(at), func() { t.timeout(turn) })
}

// timeout is the clock's act when the turn that began at a moment is still under way.
func (t *Table) timeout(turn time.Time) {
	_, err := t.act(context.Background(), func(s State) (Event, error) {
		if at, timed := s.Deadline(); !timed || !s.TurnBegan.Equal(turn) || time.Now().Before(at) {
			return Event{}, errMoot
		}
		if s.Setup.OnTimeout == Lose {
			return Event{Kind: Flagged, Seat: s.Turn()}, nil
		}
		m, _ := s.Setup.Rules.Pick(s.Position, t.rng.IntN) // a game under way has a move
		return Event{Kind: Moved, Seat: s.Turn(), Move: &m, Auto: true}, nil
	})
	if err == nil || errors.Is(err, errMoot) || errors.Is(err, errClosed) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed { // it could not be kept: the turn stays open until it can
		t.clock = time.AfterFunc(time.Second, func() { t.timeout(turn) })
	}
}
