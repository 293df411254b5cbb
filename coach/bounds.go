package coach

import (
	"fmt"
	"strings"

	"digitduel/digit"
)

// A fill is a number with every place filled, four bits a place, so that fills of one length
// compare as their numbers do.
type fill uint32

// numberOf reads a number without gaps. A call is the only one that has a parser.
func numberOf(digits string) digit.Number {
	m, _ := digit.ParseMove("0=" + digits) // it is well formed
	return m.Call
}

// extreme returns the highest or the lowest fill of a number with slots from some digits.
func (v *view) extreme(n digit.Number, left digit.Pool, high bool) fill {
	var f fill
	for i := range n.Len() {
		d, filled := n.At(i)
		if !filled {
			for e := range left.All() {
				d = e
				barred := i == 0 && e == 0 && v.Rules.Zero == digit.Barred
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

// ranked reports whether only the higher or the lower of two numbers with slots wins.
func (v *view) ranked() bool {
	first := v.Rules.Final[0]
	return v.Rules.Place == digit.Slots && v.Rules.Win == digit.Never &&
		(first == digit.Higher || first == digit.Lower)
}

// bounds returns the worst number that a player can finish with in a ranked game, and the best that
// the opponent can.
func (v *view) bounds(p digit.Position, s digit.Side) (mine, yours fill) {
	left, high := v.Rules.Left(p), v.Rules.Final[0] == digit.Higher
	return v.extreme(v.Rules.Number(p, s), left, !high),
		v.extreme(v.Rules.Number(p, s.Other()), left, high)
}

// settled reports whether a player wins a ranked game whatever both place from now on.
func (v *view) settled(p digit.Position, s digit.Side) bool {
	if !v.ranked() {
		return false
	}
	mine, yours := v.bounds(p, s)
	if v.Rules.Final[0] == digit.Higher {
		return mine > yours
	}
	return mine < yours
}

// bound returns the worst or the best number that a player can finish with: "at least 912", or
// "912" if it is full.
func (v *view) bound(p digit.Position, s digit.Side, best bool) string {
	high := (v.Rules.Final[0] == digit.Higher) == best
	word, n := "at least ", v.Rules.Number(p, s)
	switch {
	case n.Full():
		word = ""
	case high:
		word = "at most "
	}
	fill := v.extreme(n, v.Rules.Left(p), high)
	return word + v.Number(numberOf(fmt.Sprintf("%0*x", v.Rules.Width, fill)))
}

// ahead says that a ranked game is settled: "you finish with at least 912, Ben with at most 876".
func (v *view) ahead(p digit.Position, winner digit.Side) string {
	return fmt.Sprintf("%s with %s, %s with %s", v.does(winner, "finish"),
		v.bound(p, winner, false), v.Whom(winner.Other()), v.bound(p, winner.Other(), true))
}

// filled returns a number with slots with a 0 in its gaps.
func filled(n digit.Number) digit.Number {
	return numberOf(strings.ReplaceAll(n.String(), "_", "0"))
}
