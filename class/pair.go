package class

import (
	"math"
	"math/bits"
	"slices"
	"time"
)

// A player is a pupil who can be paired.
type player struct {
	pupil  int
	byes   int
	waited time.Duration
	now    Standing
}

// mostExact is the largest number of players for whom all pairs are tried.
const mostExact = 16

// rematch is the cost of a pair for each time its players have met.
const rematch = 100_000

// pairUp returns the pairs with the lowest cost, as indices of players, who are an even number and
// sorted by points.
// The cost of a pair grows with how often its players have met, and with the square of the
// difference of their points.
func pairUp(players []player, met func(a, b int) int) (pairs [][2]int) {
	cost := make([][]int, len(players))
	for i, a := range players {
		cost[i] = make([]int, len(players))
		for j, b := range players {
			apart := a.now.Points - b.now.Points
			cost[i][j] = rematch*met(a.pupil, b.pupil) + apart*apart
		}
	}
	if len(players) <= mostExact {
		return pairExactly(cost)
	}
	return exchange(cost)
}

// pairExactly tries all pairs: best[set] is the lowest cost of the players in a set, and with[set]
// the partner of the first of them.
func pairExactly(cost [][]int) (pairs [][2]int) {
	n := len(cost)
	best, with := make([]int, 1<<n), make([]int, 1<<n)
	for set := uint(1); set < 1<<n; set++ {
		if bits.OnesCount(set)%2 != 0 {
			continue
		}
		best[set] = math.MaxInt
		first := bits.TrailingZeros(set)
		for i := first + 1; i < n; i++ {
			if set>>i&1 == 0 {
				continue
			}
			if c := best[set&^(1<<first|1<<i)] + cost[first][i]; c < best[set] {
				best[set], with[set] = c, i
			}
		}
	}
	for set := uint(1)<<n - 1; set != 0; {
		first, second := bits.TrailingZeros(set), with[set]
		pairs = append(pairs, [2]int{first, second})
		set &^= 1<<first | 1<<second
	}
	return pairs
}

// exchange pairs neighbors, and then lets two pairs exchange partners while that helps.
// In a class of more than twice as many pupils as rounds, every rematch can be exchanged.
func exchange(cost [][]int) (pairs [][2]int) {
	for i := 0; i < len(cost); i += 2 {
		pairs = append(pairs, [2]int{i, i + 1})
	}
	for better := true; better; {
		better = false
		for i := range pairs {
			for j := range i {
				a, b := &pairs[i], &pairs[j]
				now := cost[a[0]][a[1]] + cost[b[0]][b[1]]
				for k := range b {
					if cost[a[0]][b[k]]+cost[a[1]][b[1-k]] < now {
						a[1], b[k] = b[k], a[1]
						better = true
						break
					}
				}
			}
		}
	}
	return pairs
}

// pairAll returns the pairs of all players, or of all but one of an odd number: one with the fewest
// byes, of these the one without whom there are the fewest rematches, and of these the last one.
func pairAll(players []player, met func(a, b int) int) (pairs [][2]int, rest []player, out player) {
	if len(players)%2 == 0 {
		return pairUp(players, met), players, out
	}
	candidates := slices.Clone(players)
	slices.SortStableFunc(candidates, func(a, b player) int { return a.now.compare(b.now) })
	fewest := slices.MinFunc(players, func(a, b player) int { return a.byes - b.byes }).byes
	least := math.MaxInt
	for _, c := range candidates {
		if c.byes != fewest {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(players),
			func(p player) bool { return p.pupil == c.pupil })
		found, rematches := pairUp(others, met), 0
		for _, pair := range found {
			rematches += met(others[pair[0]].pupil, others[pair[1]].pupil)
		}
		if rematches < least {
			pairs, rest, out, least = found, others, c, rematches
		}
		if least == 0 {
			break
		}
	}
	return pairs, rest, out
}
