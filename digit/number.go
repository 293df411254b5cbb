package digit

import (
	"iter"
	"math/bits"
)

// A Number is a row of places, each empty or filled with a digit. Its text has a character for each place, "_" for an empty one.
// The zero Number has no places.
type Number struct {
	digits uint32 // the digit of place i, counted from the left, in bits 4i to 4i+3
	filled uint8  // bit i: place i has a digit
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

// Value returns what the filled places say in a base when read from left to right.
func (n Number) Value(base int) int {
	value, digits := uint32(0), n.digits
	for filled := n.filled; filled != 0; filled >>= 1 {
		if filled&1 == 1 {
			value = value*uint32(base) + digits&15
		}
		digits >>= 4
	}
	return int(value)
}

// Pool returns the set of the digits in the number.
func (n Number) Pool() Pool {
	var set Pool
	digits := n.digits
	for filled := n.filled; filled != 0; filled >>= 1 {
		set |= Pool(filled&1) << (digits & 15)
		digits >>= 4
	}
	return set
}

func (n Number) beginsWithZero() bool { return n.filled&1 == 1 && n.digits&15 == 0 }

func (n Number) String() string { return string(n.append(nil)) }

func (n Number) append(b []byte) []byte {
	for i := range n.Len() {
		if d, ok := n.At(i); ok {
			b = append(b, digitChars[d])
		} else {
			b = append(b, '_')
		}
	}
	return b
}

// readPlaces reads a number of at most MaxWidth places, "_" being an empty one.
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
		n.digits |= uint32(set.lowest()) << (4 * n.width)
		n.width++
	}
	n.filled = uint8(1<<n.width - 1)
	return n
}

// Arrangements yields the numbers that a hand makes under the rules, from low to high; none begins with 0 unless that counts.
func (r Rules) Arrangements(hand Pool) iter.Seq[Number] {
	return func(yield func(Number) bool) { arrange(hand, r.Zero == Counts, yield) }
}

func arrange(hand Pool, zeroLeads bool, yield func(Number) bool) {
	n := sorted(hand)
	if n.width == 0 {
		return
	}
	for {
		if (zeroLeads || !n.beginsWithZero()) && !yield(n) {
			return
		}
		var more bool
		if n.digits, more = permuted(n.digits, int(n.width)); !more {
			return
		}
	}
}

// permuted returns the next higher arrangement of the lowest width nibbles, whose lowest one is the leading digit.
func permuted(digits uint32, width int) (uint32, bool) {
	at := func(i int) uint32 { return digits >> (4 * i) & 15 }
	swap := func(i, j int) {
		both := (at(i) ^ at(j))
		digits ^= both<<(4*i) | both<<(4*j)
	}
	i := width - 2
	for i >= 0 && at(i) > at(i+1) {
		i--
	}
	if i < 0 {
		return digits, false
	}
	j := width - 1
	for at(j) < at(i) {
		j--
	}
	swap(i, j)
	for l, h := i+1, width-1; l < h; l, h = l+1, h-1 {
		swap(l, h)
	}
	return digits, true
}
