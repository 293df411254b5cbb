package coach

import (
	"math/rand/v2"
	"slices"

	"digitduel/digit"
	"digitduel/solve"
)

// A Lot is openings of a game that are proved even together: each is a draw with best play or, where there are too few of those,
// equally many are won by either side. None of them is won with the next digit.
type Lot struct {
	Plies    int // of each opening
	Drawn    bool
	Openings []Opening
}

// An Opening is some moves from the start and what the game is worth after them.
type Opening struct {
	Moves []digit.Move
	Value solve.Value // to who moves next
}

// Short openings are tried first: two moves, one for each player. There are never more than mostOpenings of a length to look at, and a lot
// of fewer than fewOpenings is soon known by heart.
const (
	mostOpenings = 50_000
	fewOpenings  = 6
)

// LotOf returns the openings that a game may begin with; ok is false when no short ones are even.
func LotOf(s *solve.Solution) (lot Lot, ok bool) {
	for _, plies := range []int{2, 1, 3, 4} {
		all := openings(s, plies)
		if drawn := only(all, solve.Draw); len(drawn) >= fewOpenings {
			return Lot{plies, true, drawn}, true
		}
		won, lost := only(all, solve.Win), only(all, solve.Loss)
		if n := min(len(won), len(lost)); 2*n >= fewOpenings {
			return Lot{Plies: plies, Openings: append(spread(won, n), spread(lost, n)...)}, true
		}
	}
	return Lot{}, false
}

// Draw draws some openings, each of them once.
func (l Lot) Draw(rng *rand.Rand, n int) (moves [][]digit.Move) {
	for _, i := range rng.Perm(len(l.Openings))[:min(n, len(l.Openings))] {
		moves = append(moves, l.Openings[i].Moves)
	}
	return moves
}

// openings returns the openings of some plies in the order of their texts, each position once; none when there are too many.
func openings(s *solve.Solution, plies int) []Opening {
	all := []Opening{{}}
	at := []digit.Position{{}}
	for range plies {
		var longer []Opening
		var reached []digit.Position
		seen := map[digit.Position]bool{}
		for i, o := range all {
			for _, c := range s.Choices(at[i]) {
				if seen[c.Next] || s.Rules().Result(c.Next).Over() {
					continue
				}
				if seen[c.Next] = true; len(longer) == mostOpenings {
					return nil
				}
				longer = append(longer, Opening{append(slices.Clone(o.Moves), c.Move), s.Value(c.Next)})
				reached = append(reached, c.Next)
			}
		}
		all, at = longer, reached
	}
	return all
}

// only returns the openings of an outcome that is not reached at once.
func only(all []Opening, o solve.Outcome) (some []Opening) {
	for _, opening := range all {
		if opening.Value.Outcome == o && (o == solve.Draw || opening.Value.Plies > 1) {
			some = append(some, opening)
		}
	}
	return some
}

// spread returns n of some openings, at equal distances, so that all kinds are among them.
func spread(all []Opening, n int) []Opening {
	some := make([]Opening, n)
	for i := range some {
		some[i] = all[i*len(all)/n]
	}
	return some
}
