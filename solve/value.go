package solve

import (
	"cmp"
	"fmt"

	"digitduel/digit"
)

// An Outcome is the result of a game for the side to move under perfect play by both sides.
type Outcome uint8

const (
	Draw Outcome = iota
	Win
	Loss
)

// Points returns the points for an outcome: 1 for a win, ½ for a draw, 0 for a loss.
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
func (o *Outcome) UnmarshalText(text []byte) (err error) {
	*o, err = digit.ReadName[Outcome]("outcome", string(text), outcomeNames)
	return err
}

var outcomeNames = []string{"draw", "win", "loss"}

func (o Outcome) String() string { return digit.NameOf(outcomeNames, o) }

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

// A Value is the value of a position for the side to move: the outcome and the number of plies to
// the end of the game. The winner plays for a quick end and the loser for a late one. A draw
// always lasts until the last digit is placed.
type Value struct {
	Outcome Outcome `json:"outcome"`
	Plies   int     `json:"plies"`
}

func (v Value) String() string { return fmt.Sprintf("%v in %d", v.Outcome, v.Plies) }

// Compare returns +1 if v is better than w for the player who gets it, -1 if it is worse, and 0
// if they are equal: a win is better than a draw, a draw than a loss, an early win than a late
// one, and a late loss than an early one.
func (v Value) Compare(w Value) int {
	return cmp.Compare(v.worth(), w.worth())
}

// Winner returns the side that wins from a position of this value, given the side to move. It
// reports false for a draw.
func (v Value) Winner(turn digit.Side) (winner digit.Side, ok bool) {
	if v.Outcome == Loss {
		turn = turn.Other()
	}
	return turn, v.Outcome != Draw
}

// worth returns the value as a number: the larger one is better.
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

// before returns the value, for the player making it, of a move to a position of value v.
func (v Value) before() Value { return Value{v.Outcome.Other(), v.Plies + 1} }
