package tui

import (
	"slices"

	"digitduel/digit"
)

// A stage is the next thing to pick.
type stage uint8

const (
	idle    stage = iota // nothing can be picked here
	pick                 // a digit
	place                // a spot for it
	confirm              // nothing: Enter plays the move
)

// A picker picks a move in one position: a digit, then a spot for it. It knows the rules and the
// position, but not the players.
type picker struct {
	rules  digit.Rules
	at     digit.Position
	stage  stage
	cursor int          // the index of a digit of the pool
	digit  digit.Digit  // the picked digit, from stage place on
	spot   digit.Spot   // the spot under the cursor, or the picked one
	spots  []digit.Spot // the spots where the digit may go
}

// newPicker returns a picker for a position. The cursor starts at the lowest digit that is left, so
// that it does not suggest a good one.
func newPicker(r digit.Rules, p digit.Position) picker {
	k := picker{rules: r, at: p, stage: pick}
	k.cursor = k.nextFree(0, 0)
	return k
}

// pool returns all digits of the game.
func (k *picker) pool() []digit.Digit { return slices.Collect(k.rules.Pool.All()) }

// nextFree returns the index of the next free digit of the pool, from another index in a direction.
func (k *picker) nextFree(from, by int) int {
	pool, left := k.pool(), k.rules.Left(k.at)
	way := 1
	if by < 0 {
		way = -1
	}
	for i := range pool {
		if at := (from + by + i*way + 2*len(pool)) % len(pool); left.Has(pool[at]) {
			return at
		}
	}
	return 0
}

// take picks a digit, if it can be played. If it has only one spot, that is picked too.
func (k *picker) take(d digit.Digit) error {
	spots := k.rules.Spots(k.at, d)
	if len(spots) == 0 {
		_, err := k.rules.Play(k.at, digit.Move{Digit: d})
		return err
	}
	k.cursor = slices.Index(k.pool(), d)
	k.stage, k.digit, k.spot, k.spots = place, d, spots[0], spots
	if len(spots) == 1 {
		k.stage = confirm
	}
	return nil
}

// put picks the spot of the digit, if it can be played.
func (k *picker) put(spot digit.Spot) error {
	if _, err := k.rules.Play(k.at, digit.Move{Digit: k.digit, Spot: spot}); err != nil {
		return err
	}
	k.stage, k.spot = confirm, spot
	return nil
}

// back undoes the last pick, and reports whether there was one.
func (k *picker) back() bool {
	picked := k.stage > pick
	k.stage = pick
	return picked
}

// move moves the cursor.
func (k *picker) move(by int) {
	if k.stage == pick {
		k.cursor = k.nextFree(k.cursor, by)
	} else if k.stage == place {
		k.spot = cycle(k.spots, k.spot, by)
	}
}

// picked returns the picked move, without a call.
func (k *picker) picked() digit.Move { return digit.Move{Digit: k.digit, Spot: k.spot} }

// with returns the number of the side to move with the picked digit at a spot.
func (k *picker) with(spot digit.Spot) digit.Number {
	// an illegal move adds nothing
	next, _ := k.rules.Play(k.at, digit.Move{Digit: k.digit, Spot: spot})
	return k.rules.Number(next, k.rules.Turn(k.at))
}

// hand returns the hand of the side to move, with the picked digit.
func (k *picker) hand() digit.Pool {
	return k.rules.Held(k.at, k.rules.Turn(k.at)) | digit.PoolOf(k.digit)
}

// spots returns the spots for a digit in a position, in the order on the screen.
func spots(r digit.Rules, p digit.Position) []digit.Spot {
	switch r.Place {
	case digit.Hand:
		return []digit.Spot{digit.InHand}
	case digit.Ends:
		if r.Number(p, r.Turn(p)).Len() == 0 {
			return []digit.Spot{digit.Right}
		}
		return []digit.Spot{digit.Left, digit.Right}
	default: // slots
		list := make([]digit.Spot, r.Width)
		for i := range list {
			list[i] = digit.SlotAt(i)
		}
		return list
	}
}

// after returns the position after the moves of a game.
func after(r digit.Rules, moves []digit.Move) (p digit.Position) {
	for _, move := range moves {
		p, _ = r.Play(p, move) // it was played
	}
	return p
}
