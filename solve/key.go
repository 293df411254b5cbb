package solve

import (
	"math/bits"

	"digitduel/digit"
)

// A key is the final value of a full number: the smaller key wins. Zero stands for a multiple
// that has won, and worst for no number at all.
type key uint64

const worst = ^key(0)

// key returns the key of a full number with count digits that has not won as a multiple.
func (g *game) key(rem uint32, l lead, count int) key {
	size := key(0)
	switch {
	case g.order == 0:
	case g.place == digit.Slots:
		size = key(l.mark & 15)
	case l.zero:
		size = key(count-1)<<4 | key(l.mark&15)
	default:
		size = key(count)<<4 | key(l.mark&15)
	}
	if g.order > 0 {
		size = 0xff - size
	}
	return 1 + key(g.rank[rem])<<8 + size
}

// lastKey returns the best key that a number with one digit to go gets from d.
func (g *game) lastKey(sh *shape, rem uint32, l lead, d int) key {
	best := worst
	for i := range sh.spots {
		sp := &sh.spots[i]
		if d == 0 && sp.leads && g.barred {
			continue
		}
		r := (rem*sp.mul + uint32(d)*sp.weight) % g.mod
		to := g.extend(l, d, sp.leads)
		if g.wins(r, to) {
			return 0
		}
		best = min(best, g.key(r, to, sh.count+1))
	}
	return best
}

// finalKey returns the key of the full number of a side that has not won as a multiple.
func (g *game) finalKey(at *side) key {
	if g.place == digit.Hand {
		return g.hands.key[at.set]
	}
	return g.key(at.rem, at.lead, g.shapes[at.shape].count)
}

// bestKey returns the best key that a side with one digit to go can get from the digits left.
func (g *game) bestKey(at *side, left uint16) key {
	best := worst
	for ; left != 0; left &= left - 1 {
		d := bits.TrailingZeros16(left)
		if g.place == digit.Hand {
			best = min(best, g.hands.lastKey(at.set|1<<d))
		} else {
			best = min(best, g.lastKey(&g.shapes[at.shape], at.rem, at.lead, d))
		}
	}
	return best
}
