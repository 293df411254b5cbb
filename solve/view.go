package solve

import (
	"math/bits"

	"digitduel/digit"
)

// A view is what is left of the pool and how the numbers begin: all that matters of a position besides the shape and the
// remainder of each number.
type view struct {
	left  uint16
	leads [2]lead
}

// A viewKey is the same for views that can never make a difference.
type viewKey struct {
	low, high uint64
	facts     uint32
}

// viewKey returns the key of a view of numbers of which led says whether the first (1) and the second (2) have their leading digit.
//
// As long as no order of numbers is open, only the kinds of the digits that are left matter, and how many there are of each.
// With places, the order depends on the two leading digits alone, since digits are unique: once both are there it is known;
// once one is there, of a digit that is left only its kind counts and whether it is below or above that one; before, the kinds
// from low to high. With ends the leading digits can change, so it is always the kinds from low to high and where the two stand among them.
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
		under := v.left & (1<<min(a, b) - 1) // one of them is none
		k.low, k.high = g.kinds(under, zero), g.kinds(v.left&^under, zero)
	}
	return k
}

// kinds returns how many digits of each kind a set has.
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

// below returns how many digits of a set are below one, or 31 if there is none.
func below(set uint16, mark uint8) int {
	if mark == none {
		return 31
	}
	return bits.OnesCount16(set & (1<<mark - 1))
}

// after returns the view after the digit d, and which numbers are led then.
func (g *game) after(v view, led, x, d int, leads bool) (view, int) {
	v.left &^= 1 << d
	v.leads[x] = g.extend(v.leads[x], d, leads)
	if leads {
		led |= 1 << x
	}
	return v, led
}

// views are the different ones of a layer, each with one of the views of its key.
type views struct {
	all    []view
	number map[viewKey]uint32 // which of all it is; of a key that no game comes to: 0
}

// add adds a view unless there is one with its key.
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
