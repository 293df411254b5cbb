package coach

import (
	"math/rand/v2"
	"slices"

	"digitduel/digit"
	"digitduel/solve"
)

// An OpeningSet is a balanced set of openings: each is a draw with best play or, if there are too
// few of those, each player wins as many. None is won with the next digit.
type OpeningSet struct {
	Plies    int // the length of each opening
	Drawn    bool
	Openings []Opening
}

// An Opening is a sequence of first moves.
type Opening struct {
	Moves []digit.Move
	Value solve.Value // of the position after them, to the player to move
	after digit.Position
}

// At most mostOpenings of one length are searched. A set of fewer than fewOpenings is soon known by
// heart.
const (
	mostOpenings = 50_000
	fewOpenings  = 6
)

// BalancedOpenings returns a balanced set of short openings of a game, preferably of two moves; ok
// is false if there is none.
func BalancedOpenings(s *solve.Solution) (set OpeningSet, ok bool) {
	for _, plies := range []int{2, 1, 3, 4} {
		all := openings(s, plies)
		if drawn := only(all, solve.Draw); len(drawn) >= fewOpenings {
			return OpeningSet{plies, true, drawn}, true
		}
		won, lost := only(all, solve.Win), only(all, solve.Loss)
		if n := min(len(won), len(lost)); 2*n >= fewOpenings {
			even := append(spread(won, n), spread(lost, n)...)
			return OpeningSet{Plies: plies, Openings: even}, true
		}
	}
	return OpeningSet{}, false
}

// Draw draws n different openings at random, or all if there are fewer.
func (s OpeningSet) Draw(rng *rand.Rand, n int) (moves [][]digit.Move) {
	for _, i := range rng.Perm(len(s.Openings))[:min(n, len(s.Openings))] {
		moves = append(moves, s.Openings[i].Moves)
	}
	return moves
}

// openings returns the openings of a length in the order of their texts, each position once. It
// returns nil if there are too many.
func openings(s *solve.Solution, plies int) []Opening {
	all := []Opening{{}}
	for range plies {
		var longer []Opening
		seen := map[digit.Position]bool{}
		for _, o := range all {
			for _, c := range s.Choices(o.after) {
				if seen[c.Next] || s.Rules().Result(c.Next).Over() {
					continue
				}
				if seen[c.Next] = true; len(longer) == mostOpenings {
					return nil
				}
				moves := append(slices.Clone(o.Moves), c.Move)
				longer = append(longer, Opening{moves, s.Value(c.Next), c.Next})
			}
		}
		all = longer
	}
	return all
}

// only returns the openings with an outcome, without those that the next digit wins.
func only(all []Opening, o solve.Outcome) (some []Opening) {
	for _, opening := range all {
		if opening.Value.Outcome == o && (o == solve.Draw || opening.Value.Plies > 1) {
			some = append(some, opening)
		}
	}
	return some
}

// spread returns n of some openings at equal distances.
func spread(all []Opening, n int) []Opening {
	some := make([]Opening, n)
	for i := range some {
		some[i] = all[i*len(all)/n]
	}
	return some
}
