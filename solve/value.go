package solve

import (
	"cmp"
	"fmt"

	"digitduel/digit"
)

// An Outcome is how a game ends for the side to move when both sides play as well as can be.
type Outcome uint8

const (
	Draw Outcome = iota
	Win
	Loss
)

// Points returns what an outcome is worth: 1 for a win, ½ for a draw, 0 for a loss.
func (o Outcome) Points() float64 {
	switch o {
	case Win:
		return 1
	case Loss:
		return 0
	default:
		return 0.5
	}
}

// MarshalText implements [encoding.TextMarshaler].
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (o *Outcome) UnmarshalText(text []byte) error {
	for _, known := range []Outcome{Draw, Win, Loss} {
		if known.String() == string(text) {
			*o = known
			return nil
		}
	}
	return fmt.Errorf("outcome %q: allowed: win, draw, loss", text)
}

func (o Outcome) String() string {
	switch o {
	case Draw:
		return "draw"
	case Win:
		return "win"
	case Loss:
		return "loss"
	}
	return fmt.Sprintf("%d?", uint8(o))
}

// Other returns the outcome for the other side.
func (o Outcome) Other() Outcome {
	switch o {
	case Win:
		return Loss
	case Loss:
		return Win
	default:
		return o
	}
}

// A Value is what a position is worth to the side to move: the outcome, and the plies to the end of the game.
// The winner hurries and the loser delays; a draw is never over before the last digit is placed.
type Value struct {
	Outcome Outcome `json:"outcome"`
	Plies   int     `json:"plies"`
}

func (v Value) String() string { return fmt.Sprintf("%v in %d", v.Outcome, v.Plies) }

// Compare returns +1 if a player prefers v to w, -1 if w to v, and 0 if they are alike to him:
// a win to a draw to a loss, a win soon to one late, and a loss late to one soon.
func (v Value) Compare(w Value) int {
	return cmp.Compare(v.worth(), w.worth())
}

// Winner returns who wins from a position of this value, given who is to move; ok is false for a draw.
func (v Value) Winner(turn digit.Side) (winner digit.Side, ok bool) {
	if v.Outcome == Loss {
		turn = turn.Other()
	}
	return turn, v.Outcome != Draw
}

func (v Value) worth() int {
	switch v.Outcome {
	case Win:
		return horizon - v.Plies
	case Loss:
		return v.Plies - horizon
	default:
		return 0
	}
}

// before returns what a move to a position of this value is worth to who makes it.
func (v Value) before() Value { return Value{v.Outcome.Other(), v.Plies + 1} }
