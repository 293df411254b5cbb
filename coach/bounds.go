package coach

import (
	"fmt"

	"digitduel/digit"
	"digitduel/solve"
)

// A fill is a number with every place filled, four bits a place, so that fills of one length compare as their numbers do.
type fill uint32

// extreme returns the highest or the lowest fill of a number with slots from some digits.
func (v *view) extreme(n digit.Number, left digit.Pool, high bool) fill {
	var f fill
	for i := range n.Len() {
		d, filled := n.At(i)
		if !filled {
			for e := range left.All() {
				d = e
				barred := i == 0 && e == 0 && v.rules.Zero == digit.Barred
				if !high && !barred {
					break
				}
			}
			left &^= digit.PoolOf(d)
		}
		f = f<<4 | fill(d)
	}
	return f
}

// ranked reports whether a game is one with slots that the higher or the lower number decides and nothing else.
func (v *view) ranked() bool {
	first := v.rules.Final[0]
	return v.rules.Place == digit.Slots && v.rules.Win == digit.Never && (first == digit.Higher || first == digit.Lower)
}

// bounds returns the worst that the number of a side can come to in a ranked game, and the best that the other can.
func (v *view) bounds(p digit.Position, s digit.Side) (mine, yours fill) {
	left, high := v.rules.Left(p), v.rules.Final[0] == digit.Higher
	return v.extreme(v.rules.Number(p, s), left, !high), v.extreme(v.rules.Number(p, s.Other()), left, high)
}

// settled reports whether a side wins a ranked game whatever is placed from now on.
func (v *view) settled(p digit.Position, s digit.Side) bool {
	mine, yours := v.bounds(p, s)
	if v.rules.Final[0] == digit.Higher {
		return mine > yours
	}
	return mine < yours
}

// margin states the bounds for a side that is settled to win, its own first or last.
func (v *view) margin(p digit.Position, s digit.Side, ownFirst bool) string {
	say := func(s digit.Side, bound string, f fill) string {
		if v.rules.Number(p, s).Full() {
			bound = ""
		}
		return fmt.Sprintf("%s%0*x", bound, v.rules.Width, f)
	}
	own, other := "at least ", "at most "
	if v.rules.Final[0] == digit.Lower {
		own, other = other, own
	}
	mine, yours := v.bounds(p, s)
	a, b := say(s, own, mine), say(s.Other(), other, yours)
	if !ownFirst {
		a, b = b, a
	}
	return a + " against " + b
}

// certain says that after a choice the game is settled.
func (v *view) certain(c solve.Choice) string {
	switch {
	case !v.ranked() || !v.settled(c.Next, v.me):
		return ""
	case v.settled(v.position, v.me):
		return "keeps it certain: " + v.margin(c.Next, v.me, true)
	default:
		return "makes it certain: " + v.margin(c.Next, v.me, true)
	}
}

// behind says that after a choice the game is settled for the other side.
func (v *view) behind(c solve.Choice) string {
	if !v.ranked() || !v.settled(c.Next, v.me.Other()) {
		return ""
	}
	return "cannot catch up: " + v.margin(c.Next, v.me.Other(), false)
}

// pair says that a choice leaves at least two moves that would settle the game, of which the other side can prevent only one.
func (v *view) pair(c solve.Choice) string {
	if !v.ranked() {
		return ""
	}
	reply := v.after(c)
	var moves []digit.Move
	mine := v.rules.Number(c.Next, v.me)
	for d := range v.rules.Left(c.Next).All() {
		for i := range mine.Len() {
			m := digit.Move{Digit: d, Spot: digit.SlotAt(i)}
			if _, filled := mine.At(i); !filled && reply.cannotPrevent(m) {
				moves = append(moves, m)
				break
			}
		}
	}
	if len(moves) > 3 && v.rules.Final[0] == digit.Higher {
		moves = moves[len(moves)-3:]
	}
	moves = moves[:min(3, len(moves))]
	if len(moves) < 2 {
		return ""
	}
	return "leaves " + list(moves, "and") + ": whichever goes, " + another(len(moves)) + " makes it certain"
}

// cannotPrevent reports whether a move of the other side settles the game after every choice that does not take its digit.
func (v *view) cannotPrevent(m digit.Move) bool {
	for i := range v.choices {
		if v.choices[i].Move.Digit == m.Digit {
			continue
		}
		next, err := v.rules.Play(v.choices[i].Next, m)
		if err != nil || !v.settled(next, v.me.Other()) {
			return false
		}
	}
	return true
}
