package solve

import (
	"math/bits"

	"digitduel/digit"
)

// A view holds the digits left in the pool and how the numbers begin: all that matters in a
// position besides the shape and the remainder of each number.
type view struct {
	left  uint16
	leads [2]lead
}

// A viewKey is equal for views that never lead to different results.
type viewKey struct {
	low, high uint64
	facts     uint32
}

// viewKey returns the key of a view. Bit 0 of led is set if the first number has its leading
// digit, bit 1 if the second has.
//
// As long as the order of the numbers does not matter, the key is the number of digits left of
// each kind. With places, the order depends on the two leading digits alone, because digits are
// unique. If both are placed, it is known. If one is, the key has the kinds of the digits below
// and above it. If none is, the key has the kinds from low to high. With ends the leading digits
// can change, so the key has the kinds from low to high and the ranks of the two leading digits
// among them.
func (g *game) viewKey(v view, led int) viewKey {
	zero := g.special && (g.place == digit.Ends || led != 3)
	var k viewKey
	if g.zeroed {
		if v.leads[0].zero {
			k.facts |= 1
		}
		if v.leads[1].zero {
			k.facts |= 2
		}
	}
	a, b := v.leads[0].mark, v.leads[1].mark
	switch {
	case !g.marks || g.longer && v.left&1 == 0 && !v.leads[0].zero:
		k.low = g.kinds(v.left, zero)
	case g.place == digit.Ends:
		k.low = g.sequence(v.left, zero)
		k.facts |= uint32(below(v.left, a))<<3 | uint32(below(v.left, b))<<8
		if a < b {
			k.facts |= 4
		}
	case led == 3:
		k.low = g.kinds(v.left, zero)
		if a < b {
			k.facts |= 4
		}
	case led == 0:
		k.low = g.sequence(v.left, zero)
	default:
		under := v.left & (1<<min(a, b) - 1) // one of the two is none
		k.low, k.high = g.kinds(under, zero), g.kinds(v.left&^under, zero)
	}
	return k
}

// kinds returns the number of digits of each kind in a set.
func (g *game) kinds(set uint16, zeroLeads bool) uint64 {
	n := g.counts[set&255] + g.counts[256+set>>8]
	if zeroLeads && set&1 == 1 {
		n += 1<<(4*g.zero) - 1<<(4*g.kind[0])
	}
	return n
}

// sequence returns the kinds of a set of digits from low to high.
func (g *game) sequence(set uint16, zeroLeads bool) uint64 {
	var seq uint64
	for rest := set; rest != 0; rest &= rest - 1 {
		d := bits.TrailingZeros16(rest)
		k := g.kind[d]
		if d == 0 && zeroLeads {
			k = g.zero
		}
		seq = seq<<4 | uint64(k)
	}
	return seq
}

// below returns the number of digits in a set below a mark, or 31 if the mark is none.
func below(set uint16, mark uint8) int {
	if mark == none {
		return 31
	}
	return bits.OnesCount16(set & (1<<mark - 1))
}

// after returns the view after digit d, and led for it.
func (g *game) after(v view, led, x, d int, leads bool) (view, int) {
	v.left &^= 1 << d
	v.leads[x] = g.extend(v.leads[x], d, leads)
	if leads {
		led |= 1 << x
	}
	return v, led
}

// A views holds the distinct views of a layer, one for each key.
type views struct {
	all    []view
	number map[viewKey]uint32 // index in all; 0 for a key that no game reaches
}

// add adds a view unless there is one with the same key.
func (v *views) add(k viewKey, seen view) {
	if _, ok := v.number[k]; ok {
		return
	}
	if v.number == nil {
		v.number = map[viewKey]uint32{}
	}
	v.number[k] = uint32(len(v.all))
	v.all = append(v.all, seen)
}
