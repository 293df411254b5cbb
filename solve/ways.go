package solve

import (
	"math/bits"

	"digitduel/digit"
)

// choose[n][k] is how many sets of k there are of n digits.
var choose = func() (c [17][17]int64) {
	for n := range c {
		c[n][0] = 1
		for k := 1; k <= n; k++ {
			c[n][k] = c[n-1][k-1] + c[n-1][k]
		}
	}
	return c
}()

// factorial[k] is in how many orders k digits can stand.
var factorial = [digit.MaxWidth + 1]int{1, 1, 2, 6, 24, 120, 720, 5040, 40320}

// setRank numbers the sets of equally many digits of a universe in the order of their bits.
func setRank(set, universe uint16) int64 {
	rank := int64(0)
	for i := 1; set != 0; i++ {
		rank += choose[bits.OnesCount16(universe&(set&-set-1))][i]
		set &= set - 1
	}
	return rank
}

// sets calls do for each set of k digits of a universe, in the order of their ranks.
func sets(universe uint16, k int, do func(rank int64, set uint16)) {
	var digits [16]uint16
	n := 0
	for rest := universe; rest != 0; rest &= rest - 1 {
		digits[n] = rest & -rest
		n++
	}
	if k > n {
		return
	}
	rank := int64(0)
	for bitset := uint32(1)<<k - 1; bitset>>n == 0; rank++ {
		set := uint16(0)
		for b := bitset; b != 0; b &= b - 1 {
			set |= digits[bits.TrailingZeros32(b)]
		}
		do(rank, set)
		if k == 0 {
			return
		}
		low := bitset & -bitset
		up := bitset + low
		bitset = up | (bitset^up)/low>>2
	}
}

// ways are the ways in which k digits can stand in a number: in which places, and in which order from the left.
// They are numbered: places first, then the order as a permutation of the ranks of the digits.
type ways struct {
	digits int
	count  int
	perms  int // k!
	spots  int
	next   [][]int32 // by spot × (k+1) + rank of a further digit: the way in which k+1 digits stand then, or nowhere
}

// nowhere is where a digit leads on a place that is filled.
const nowhere = -1

// maskRank numbers the sets of equally many places.
var maskRank = func() (rank [1 << digit.MaxWidth]int) {
	var seen [digit.MaxWidth + 1]int
	for mask := range rank {
		k := bits.OnesCount8(uint8(mask))
		rank[mask] = seen[k]
		seen[k]++
	}
	return rank
}()

// permRank numbers the orders of k digits.
func permRank(order []uint8) int {
	rank, left := 0, uint16(0)
	for _, d := range order {
		left |= 1 << d
	}
	for i, d := range order {
		rank = rank*(len(order)-i) + bits.OnesCount16(left&(1<<d-1))
		left &^= 1 << d
	}
	return rank
}

// permAt is the order of the numbers below k with a rank.
func permAt(rank, k int) []uint8 {
	order := make([]uint8, k)
	for i := k - 1; i >= 0; i-- {
		order[i] = uint8(rank % (k - i))
		rank /= k - i
		for j := i + 1; j < k; j++ {
			if order[j] >= order[i] {
				order[j]++
			}
		}
	}
	return order
}

// masks returns the sets of k filled places; a number that grows has one such set.
func (g *game) masks(k int) []uint8 {
	if g.place != digit.Slots {
		return []uint8{uint8(1<<k - 1)}
	}
	var masks []uint8
	for mask := range 1 << g.width {
		if bits.OnesCount8(uint8(mask)) == k {
			masks = append(masks, uint8(mask))
		}
	}
	return masks
}

// countWays returns how many ways k digits can stand.
func (g *game) countWays(k int) int64 {
	if g.place == digit.Hand {
		return 1
	}
	n := int64(factorial[k])
	if g.place == digit.Slots {
		n *= choose[g.width][k]
	}
	return n
}

// newWays works out the ways of k digits that do not fill a number.
func (g *game) newWays(k int) *ways {
	w := &ways{digits: k, count: int(g.countWays(k)), perms: factorial[k], spots: 1}
	switch {
	case g.place == digit.Hand:
		w.next = make([][]int32, k+1)
		for i := range w.next {
			w.next[i] = []int32{0}
		}
		return w
	case g.place == digit.Slots:
		w.spots = g.width
	case k > 0:
		w.spots = 2
	}
	w.next = make([][]int32, w.spots*(k+1))
	for i := range w.next {
		w.next[i] = make([]int32, w.count)
	}
	longer := make([]uint8, k+1)
	for m, mask := range g.masks(k) {
		for p := range w.perms {
			order := permAt(p, k)
			for spot := range w.spots {
				at, to := k*spot, uint8(1<<(k+1)-1) // an end: left, or right
				if g.place == digit.Slots {
					at, to = bits.OnesCount8(mask&(1<<spot-1)), mask|1<<spot
				}
				for rank := range k + 1 {
					next := int32(nowhere)
					if g.place != digit.Slots || mask>>spot&1 == 0 {
						for i, d := range order {
							if int(d) >= rank {
								d++
							}
							if i >= at {
								i++
							}
							longer[i] = d
						}
						longer[at] = uint8(rank)
						where := 0
						if g.place == digit.Slots {
							where = maskRank[to]
						}
						next = int32(where*w.perms*(k+1) + permRank(longer))
					}
					w.next[spot*(k+1)+rank][m*w.perms+p] = next
				}
			}
		}
	}
	return w
}

// stand returns the digits of a side of a position and the way in which they stand.
func (g *game) stand(p digit.Position, s digit.Side) (set uint16, way int64) {
	if g.place == digit.Hand {
		return uint16(g.rules.Held(p, s)), 0
	}
	n := g.rules.Number(p, s)
	set = uint16(n.Pool())
	rank, mask, left := 0, 0, set
	for i := range n.Len() {
		if d, ok := n.At(i); ok {
			rank = rank*bits.OnesCount16(left) + bits.OnesCount16(left&(1<<d-1))
			left &^= 1 << d
			mask |= 1 << i
		}
	}
	if g.place == digit.Slots {
		rank += maskRank[mask] * factorial[bits.OnesCount16(set)]
	}
	return set, int64(rank)
}

// allSides returns what each set of k digits in each way comes to, by rank of the set × number of ways + way.
func (g *game) allSides(k int) []side {
	if g.place == digit.Hand {
		all := make([]side, choose[g.size][k])
		sets(g.pool, k, func(rank int64, set uint16) { all[rank].set = set })
		return all
	}
	masks := g.masks(k)
	orders := make([][]uint8, factorial[k])
	for rank := range orders {
		orders[rank] = permAt(rank, k)
	}
	all := make([]side, 0, choose[g.size][k]*g.countWays(k))
	var digits [16]digit.Digit
	sets(g.pool, k, func(_ int64, set uint16) {
		n := 0
		for d := range digit.Pool(set).All() {
			digits[n] = d
			n++
		}
		for _, mask := range masks {
			for _, order := range orders {
				var at side
				places := [digit.MaxWidth]uint8{none, none}
				rest := mask
				for _, rank := range order {
					i := bits.TrailingZeros8(rest)
					rest &= rest - 1
					places[i] = uint8(digits[rank])
					g.put(&at, i, digits[rank])
				}
				at.lead = g.begin(places[0], places[1])
				at.rem %= g.mod
				all = append(all, at)
			}
		}
	})
	return all
}
