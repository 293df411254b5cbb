package solve

import (
	"iter"
	"math/bits"
	"slices"

	"digitduel/digit"
)

// choose[n][k] is the number of sets of k digits among n.
var choose = func() (c [17][17]int64) {
	for n := range c {
		c[n][0] = 1
		for k := 1; k <= n; k++ {
			c[n][k] = c[n-1][k-1] + c[n-1][k]
		}
	}
	return c
}()

// factorial[k] is the number of orders of k digits.
var factorial = [digit.MaxWidth + 1]int64{1, 1, 2, 6, 24, 120, 720, 5040, 40320}

// setRank returns the rank of a set among the sets of its size in a universe, in the order of
// their bits.
func setRank(set, universe uint16) int64 {
	rank := int64(0)
	for i := 1; set != 0; i++ {
		rank += choose[bits.OnesCount16(universe&(set&-set-1))][i]
		set &= set - 1
	}
	return rank
}

// sets yields each set of k digits of a universe, in the order of their ranks.
func sets(universe uint16, k int) iter.Seq[uint16] {
	return func(yield func(uint16) bool) { yieldSets(universe, k, 0, yield) }
}

// yieldSets yields each such set with the higher digits added. It reports whether yield accepted
// all of them.
func yieldSets(universe uint16, k int, higher uint16, yield func(uint16) bool) bool {
	if k == 0 {
		return yield(higher)
	}
	for rest := universe; rest != 0; rest &= rest - 1 {
		d := rest & -rest
		below := universe & (d - 1)
		if bits.OnesCount16(below) >= k-1 && !yieldSets(below, k-1, higher|d, yield) {
			return false
		}
	}
	return true
}

// A way is an arrangement of the digits of a number: their places, and their order from the left,
// each digit as its rank among them. A growing number has its digits in the first places; a hand
// has no places.
type way struct {
	places uint8
	order  []uint8
}

// countWays returns the number of ways to arrange k digits.
func (g *game) countWays(k int) int64 {
	switch g.place {
	case digit.Slots:
		return factorial[k] * choose[g.width][k]
	case digit.Ends:
		return factorial[k]
	default:
		return 1
	}
}

// rank returns the rank of a way among those with as many digits: by places, then by order.
func (w way) rank() int32 {
	rank, left := 0, uint16(1)<<len(w.order)-1
	for _, d := range w.order {
		rank = rank*bits.OnesCount16(left) + bits.OnesCount16(left&(1<<d-1))
		left &^= 1 << d
	}
	return int32(placesRank[w.places]*factorial[len(w.order)]) + int32(rank)
}

// placesRank has the rank of a set of places among the sets of its size.
var placesRank = func() (rank [1 << digit.MaxWidth]int64) {
	for places := range rank {
		rank[places] = setRank(uint16(places), 1<<digit.MaxWidth-1)
	}
	return rank
}()

// with returns the way after another digit with the given rank among them all. It reports false
// if the spot is filled. A spot is a place, or 0 for the left end and 1 for the right one. A hand
// has one spot.
func (g *game) with(w way, spot, rank int) (way, bool) {
	at, places := spot*len(w.order), w.places<<1|1
	switch {
	case g.place == digit.Hand:
		return w, true
	case g.place == digit.Slots && w.places>>spot&1 == 1:
		return way{}, false
	case g.place == digit.Slots:
		at, places = bits.OnesCount8(w.places&(1<<spot-1)), w.places|1<<spot
	}
	order := make([]uint8, len(w.order), len(w.order)+1)
	for i, d := range w.order {
		if int(d) >= rank {
			d++
		}
		order[i] = d
	}
	return way{places, slices.Insert(order, at, uint8(rank))}, true
}

// spots returns the number of spots of a number with k digits, filled ones included.
func (g *game) spots(k int) int {
	switch {
	case g.place == digit.Slots:
		return g.width
	case g.place == digit.Ends && k > 0:
		return 2
	}
	return 1
}

// stand returns the digits of a side and the rank of the way they are arranged.
func (g *game) stand(p digit.Position, s digit.Side) (set uint16, way int64) {
	if g.place == digit.Hand {
		return uint16(g.rules.Held(p, s)), 0
	}
	n := g.rules.Number(p, s)
	set = uint16(n.Pool())
	rank, places, left := 0, 0, set
	for i := range n.Len() {
		if d, ok := n.At(i); ok {
			rank = rank*bits.OnesCount16(left) + bits.OnesCount16(left&(1<<d-1))
			left &^= 1 << d
			places |= 1 << i
		}
	}
	return set, placesRank[places]*factorial[bits.OnesCount16(set)] + int64(rank)
}

// countNumbers returns the number of numbers with k digits.
func (g *game) countNumbers(k int) int64 { return choose[g.size][k] * g.countWays(k) }
