package digit

import (
	"iter"
	"math/bits"
)

// A Number is a row of places, each empty or filled with a digit. Its text has one character for
// each place, "_" for an empty one. The zero Number has no places.
type Number struct {
	digits uint32 // the digit of place i, counted from the left, in bits 4i to 4i+3
	filled uint8  // bit i is set if place i has a digit
	width  uint8
}

// Len returns the number of places.
func (n Number) Len() int { return int(n.width) }

// Full reports whether every place has a digit.
func (n Number) Full() bool { return bits.OnesCount8(n.filled) == int(n.width) }

// At returns the digit of place i, counted from the left, and whether there is one.
func (n Number) At(i int) (Digit, bool) {
	return Digit(n.digits >> (4 * i) & 15), n.filled>>i&1 == 1
}

// Value returns the value of the filled places, read from left to right in a base.
func (n Number) Value(base int) int { return int(n.value(uint32(base))) }

func (n Number) value(base uint32) uint32 {
	value, digits := uint32(0), n.digits
	for filled := n.filled; filled != 0; filled >>= 1 {
		if filled&1 == 1 {
			value = value*base + digits&15
		}
		digits >>= 4
	}
	return value
}

// Pool returns the set of the digits in the number.
func (n Number) Pool() Pool { return poolOf(n.digits, n.filled) }

// poolOf returns the set of the digits of the filled places.
func poolOf(digits uint32, filled uint8) Pool {
	var set Pool
	for ; filled != 0; filled &= filled - 1 {
		set |= 1 << (digits >> (4 * bits.TrailingZeros8(filled)) & 15)
	}
	return set
}

func (n Number) beginsWithZero() bool { return n.filled&1 == 1 && n.digits&15 == 0 }

func (n Number) String() string { return string(n.append(nil)) }

func (n Number) append(b []byte) []byte {
	for i := range n.Len() {
		if d, ok := n.At(i); ok {
			b = append(b, d.char())
		} else {
			b = append(b, '_')
		}
	}
	return b
}

// readPlaces parses a number of at most MaxWidth places, with "_" for an empty one.
func readPlaces(text string) (Number, bool) {
	if len(text) > MaxWidth {
		return Number{}, false
	}
	n := Number{width: uint8(len(text))}
	for i := range len(text) {
		if text[i] == '_' {
			continue
		}
		d, ok := readDigit(text[i])
		if !ok {
			return Number{}, false
		}
		n.digits |= uint32(d) << (4 * i)
		n.filled |= 1 << i
	}
	return n, true
}

// sorted returns the digits of a set, at most MaxWidth of them, from low to high.
func sorted(set Pool) Number {
	var n Number
	for ; set != 0; set &= set - 1 {
		n = n.and(set.lowest())
	}
	return n
}

// Arrangements yields the numbers that the digits of a hand make under the rules, from low to
// high. None begins with 0 unless [Counts] allows it.
func (r Rules) Arrangements(hand Pool) iter.Seq[Number] {
	return func(yield func(Number) bool) {
		r.arrange(hand, false, func(n Number, _ int) bool { return yield(n) })
	}
}

// HighestMultiple returns the highest multiple of the target that the digits of a hand make, or
// the zero Number if they make none.
func (r Rules) HighestMultiple(hand Pool) (highest Number) {
	if r.Target == 0 {
		return highest
	}
	r.arrange(hand, true, func(n Number, value int) bool {
		multiple := value%int(r.Target) == 0
		if multiple {
			highest = n
		}
		return !multiple
	})
	return highest
}

// arrange calls yield with each number that the digits of a hand make under the rules, and its
// value, from low to high or from high to low. It stops when yield returns false.
func (r *Rules) arrange(hand Pool, down bool, yield func(n Number, value int) bool) {
	a := arranger{int(r.base()), r.Zero == Counts, down, yield}
	a.add(Number{}, 0, hand)
}

type arranger struct {
	base            int
	zeroLeads, down bool
	yield           func(n Number, value int) bool
}

// add yields n followed by every arrangement of the digits in more. It reports whether yield
// accepted all of them.
func (a *arranger) add(n Number, value int, more Pool) bool {
	for digits := more; digits != 0; {
		d := digits.lowest()
		if a.down {
			d = digits.highest()
		}
		digits &^= 1 << d
		rest := more &^ (1 << d)
		switch next, value := n.and(d), value*a.base+int(d); {
		case d == 0 && n.width == 0 && !a.zeroLeads:
		case rest == 0:
			return a.yield(next, value)
		case !a.add(next, value, rest):
			return false
		}
	}
	return true
}

// arrangement returns arrangement i of a hand, counted from 0 from low to high. Those that begin
// with 0 count too.
func arrangement(hand Pool, i int) Number {
	var n Number
	for size := hand.Len(); size > 0; size-- {
		d := hand.nth(i / factorials[size-1])
		i %= factorials[size-1]
		n = n.and(d)
		hand &^= 1 << d
	}
	return n
}

// factorials[n] is the number of arrangements of n digits.
var factorials = [MaxWidth + 1]int{1, 1, 2, 6, 24, 120, 720, 5040, 40320}

// and returns the full number n with d appended.
func (n Number) and(d Digit) Number {
	return Number{n.digits | uint32(d)<<(4*n.width&31), n.filled<<1 | 1, n.width + 1}
}

// without returns the full number n without the digit of place i.
func (n Number) without(i int) Number {
	front := uint32(1)<<(4*i) - 1
	return Number{n.digits&front | n.digits>>4&^front, n.filled >> 1, n.width - 1}
}
