package class

import (
	"math"
	"math/bits"
	"slices"
	"time"
)

// A player is a pupil who can be paired.
type player struct {
	Standing
	waited time.Duration
	rested int // the number of byes; in a flow, the seconds waited
}

// mostExact is the largest number of players for whom all pairs are tried.
const mostExact = 16

// rematch is the cost of a pair for each time its players have met.
const rematch = 100_000

// pairUp returns the pairs with the lowest cost. The players are an even number and sorted by
// points.
// The cost of a pair grows with how often its players have met, and with the square of the
// difference of their points.
func pairUp(players []player, met func(a, b int) int) (pairs [][2]player) {
	cost := make([][]int, len(players))
	for i, a := range players {
		cost[i] = make([]int, len(players))
		for j, b := range players {
			apart := a.Points - b.Points
			cost[i][j] = rematch*met(a.Pupil, b.Pupil) + apart*apart
		}
	}
	find := exchange
	if len(players) <= mostExact {
		find = pairExactly
	}
	for _, pair := range find(cost) {
		pairs = append(pairs, [2]player{players[pair[0]], players[pair[1]]})
	}
	return pairs
}

// pairExactly tries all pairs of indices: best[set] is the lowest cost of the players in a set, and
// with[set] the partner of the first of them.
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
func pairAll(players []player, met func(a, b int) int) (pairs [][2]player, out player) {
	if len(players)%2 == 0 {
		return pairUp(players, met), out
	}
	candidates := slices.Clone(players)
	slices.SortStableFunc(candidates, func(a, b player) int { return a.compare(b.Standing) })
	fewest := slices.MinFunc(players, func(a, b player) int { return a.rested - b.rested }).rested
	least := math.MaxInt
	for _, c := range candidates {
		if c.rested != fewest {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(players),
			func(p player) bool { return p.Pupil == c.Pupil })
		found, rematches := pairUp(others, met), 0
		for _, pair := range found {
			rematches += met(pair[0].Pupil, pair[1].Pupil)
		}
		if rematches < least {
			pairs, out, least = found, c, rematches
		}
		if least == 0 {
			break
		}
	}
	return pairs, out
}
