package coach

import (
	"fmt"
	"strings"

	"digitduel/digit"
)

// numberOf reads a number without gaps. A call is the only one that has a parser.
func numberOf(digits string) digit.Number {
	m, _ := digit.ParseMove("0=" + digits) // it is well formed
	return m.Call
}

// extreme returns a number with slots with the highest or the lowest of some digits in its gaps.
func (v *view) extreme(n digit.Number, left digit.Pool, high bool) digit.Number {
	text := n.String()
	for strings.Contains(text, "_") {
		var d digit.Digit
		for d = range left.All() {
			barred := text[0] == '_' && d == 0 && v.Rules.Zero == digit.Barred
			if !high && !barred {
				break
			}
		}
		left &^= digit.PoolOf(d)
		text = strings.Replace(text, "_", d.String(), 1)
	}
	return numberOf(text)
}

// ranked reports whether only the higher or the lower of two numbers with slots wins.
func (v *view) ranked() bool {
	return v.Rules.Place == digit.Slots && v.Rules.Win == digit.Never && v.Rules.Final[0].Ranks()
}

// lead returns by how much the worst number that a player can finish with in a ranked game beats
// the best that the opponent can. It is negative if it doesn't. All digits count as in base 16.
func (v *view) lead(p digit.Position, s digit.Side) int {
	left, high := v.Rules.Left(p), v.Rules.Final[0] == digit.Higher
	mine := v.extreme(v.Rules.Number(p, s), left, !high).Value(16)
	yours := v.extreme(v.Rules.Number(p, s.Other()), left, high).Value(16)
	if high {
		return mine - yours
	}
	return yours - mine
}

// settled reports whether a player wins a ranked game whatever both place from now on.
func (v *view) settled(p digit.Position, s digit.Side) bool {
	return v.ranked() && v.lead(p, s) > 0
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
	return word + v.Number(v.extreme(n, v.Rules.Left(p), high))
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
