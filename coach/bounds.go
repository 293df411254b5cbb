package coach

import (
	"fmt"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A fill is a number with every place filled, four bits a place, so that fills of one length compare as their numbers do.
type fill uint32

// number returns a fill as a number. That of a call is the one that can be read.
func (v *view) number(f fill) digit.Number {
	m, _ := digit.ParseMove(fmt.Sprintf("0=%0*x", v.Rules.Width, f)) // it is well formed
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

// ranked reports whether a game is one with slots that the higher or the lower number decides and nothing else.
func (v *view) ranked() bool {
	first := v.Rules.Final[0]
	return v.Rules.Place == digit.Slots && v.Rules.Win == digit.Never && (first == digit.Higher || first == digit.Lower)
}

// bounds returns the worst that the number of a side can come to in a ranked game, and the best that the other can.
func (v *view) bounds(p digit.Position, s digit.Side) (mine, yours fill) {
	left, high := v.Rules.Left(p), v.Rules.Final[0] == digit.Higher
	return v.extreme(v.Rules.Number(p, s), left, !high), v.extreme(v.Rules.Number(p, s.Other()), left, high)
}

// settled reports whether a side wins a ranked game whatever is placed from now on.
func (v *view) settled(p digit.Position, s digit.Side) bool {
	mine, yours := v.bounds(p, s)
	if v.Rules.Final[0] == digit.Higher {
		return mine > yours
	}
	return mine < yours
}

// margin tells the bounds of the numbers of a game that a side is settled to win: "at least 912", "at most 876".
func (v *view) margin(p digit.Position, winner digit.Side) (mine, yours string) {
	tell := func(s digit.Side, bound string, f fill) string {
		if v.Rules.Number(p, s).Full() {
			bound = ""
		}
		return bound + v.Number(v.number(f))
	}
	own, other := "at least ", "at most "
	if v.Rules.Final[0] == digit.Lower {
		own, other = other, own
	}
	worst, best := v.bounds(p, winner)
	return tell(winner, own, worst), tell(winner.Other(), other, best)
}

// ahead tells that the game is settled: "you have at least 912, Ben at most 876".
func (v *view) ahead(p digit.Position, winner digit.Side) string {
	mine, yours := v.margin(p, winner)
	return v.does(winner, "have") + " " + mine + ", " + v.Whom(winner.Other()) + " " + yours
}

// settles: after the choice, whatever is placed, the number is the higher or the lower one.
func (v *view) settles(c solve.Choice) (row, bool) {
	if !v.ranked() || !v.settled(c.Next, v.me) {
		return row{}, false
	}
	proof := []string{v.ahead(c.Next, v.me)}
	if v.settled(v.position, v.me) {
		return row{nudge: v.Does(v.me, "have") + " won already: any digit does.", idea: v.begin(v.ahead(v.position, v.me)) + ".", proof: proof}, true
	}
	worst, more, best := "smallest", "bigger", "biggest"
	if v.Rules.Final[0] == digit.Lower {
		worst, more, best = "biggest", "smaller", "smallest"
	}
	return row{nudge: "One digit settles it. Think from the left.", proof: proof,
		idea: fmt.Sprintf("Make %s %s possible number %s than %s %s.", v.whose(v.me), worst, more, v.whose(v.other), best)}, true
}

// pair: the choice leaves at least two moves that would settle the game, of which the other side can prevent only one.
func (v *view) pair(c solve.Choice) (row, bool) {
	if !v.ranked() {
		return row{}, false
	}
	reply := v.at(c.Next)
	var moves []digit.Move
	mine := v.Rules.Number(c.Next, v.me)
	for d := range v.Rules.Left(c.Next).All() {
		for i := range mine.Len() {
			m := digit.Move{Digit: d, Spot: digit.SlotAt(i)}
			if _, filled := mine.At(i); !filled && reply.cannotPrevent(m) {
				moves = append(moves, m)
				break
			}
		}
	}
	if len(moves) > 3 && v.Rules.Final[0] == digit.Higher {
		moves = moves[len(moves)-3:]
	}
	moves = moves[:min(3, len(moves))]
	if len(moves) < 2 {
		return row{}, false
	}
	var digits digit.Pool
	for _, m := range moves {
		digits |= digit.PoolOf(m.Digit)
	}
	n := v.begin(rulebook.InWords(len(moves)))
	return row{nudge: fmt.Sprintf("%s digits would settle it; %s can take one.", n, v.Whom(v.other)), idea: rulebook.Digits(digits) + " are those digits.",
		proof: []string{fmt.Sprintf("then %s settles it. %s can take only one", v.either(c.Next, moves), v.Who(v.other))}}, true
}

// cannotPrevent reports whether a move of the other side settles the game after every choice that does not take its digit.
func (v *view) cannotPrevent(m digit.Move) bool {
	for i := range v.choices {
		if v.choices[i].Move.Digit == m.Digit {
			continue
		}
		next, err := v.Rules.Play(v.choices[i].Next, m)
		if err != nil || !v.settled(next, v.other) {
			return false
		}
	}
	return true
}
