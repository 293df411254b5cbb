// Package digit implements the rules of a family of two-player games in which the players take
// unique digits from a shared pool and build numbers.
//
// A game of the family is a comparable [Rules] value and nothing else, so every rulebook is data.
// A [Position] is a small comparable value whose zero starts every game. The game itself is
// [Rules.Moves], [Rules.Play] and [Rules.Result]. Every type has one text form, and parsing
// undoes it: see ParseRules, ParseMove, ParseResult, ParseRecord and [Rules.ParsePosition].
package digit

import (
	"iter"
	"math/bits"
	"strings"
)

// A Digit is a value from 0 to 15. Its text is one character, 0–9 or a–f.
type Digit uint8

const digitChars = "0123456789abcdef?" // the last character stands for an invalid digit

func (d Digit) char() byte { return digitChars[min(d, 16)] }

func (d Digit) String() string { return string(d.char()) }

// readDigit returns the digit that c spells.
func readDigit(c byte) (d Digit, ok bool) {
	i := strings.IndexByte(digitChars[:16], c)
	return Digit(i), i >= 0
}

// A Pool is a set of digits. Its text lists them in order, with runs of three or more as ranges:
// "0-9", "1-4,6,8-f".
type Pool uint16

// PoolOf returns the set of the given digits.
func PoolOf(digits ...Digit) Pool {
	var p Pool
	for _, d := range digits {
		p |= 1 << d
	}
	return p
}

// Has reports whether d is in the pool.
func (p Pool) Has(d Digit) bool { return p>>d&1 == 1 }

// Len returns the number of digits in the pool.
func (p Pool) Len() int { return bits.OnesCount16(uint16(p)) }

// All yields the digits from low to high.
func (p Pool) All() iter.Seq[Digit] {
	return func(yield func(Digit) bool) {
		for rest := p; rest != 0; rest &= rest - 1 {
			if !yield(rest.lowest()) {
				return
			}
		}
	}
}

func (p Pool) lowest() Digit { return Digit(bits.TrailingZeros16(uint16(p))) }

func (p Pool) highest() Digit { return Digit(bits.Len16(uint16(p)) - 1) }

// nth returns digit i of the pool, counted from 0 from low to high.
func (p Pool) nth(i int) Digit {
	for ; i > 0; i-- {
		p &= p - 1
	}
	return p.lowest()
}

// List returns the digits from low to high with sep between them.
func (p Pool) List(sep string) string {
	var b strings.Builder
	for d := range p.All() {
		if b.Len() > 0 {
			b.WriteString(sep)
		}
		b.WriteByte(d.char())
	}
	return b.String()
}

func (p Pool) String() string {
	var b strings.Builder
	for rest := p; rest != 0; {
		from := rest.lowest()
		to := from + Digit(bits.TrailingZeros16(^uint16(rest>>from))) - 1
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteByte(from.char())
		if to == from+1 {
			to = from // a run of two is not a range
		}
		if to > from {
			b.WriteByte('-')
			b.WriteByte(to.char())
		}
		rest &^= 1<<(to+1) - 1
	}
	return b.String()
}

// ParsePool parses digits and ranges of digits, with or without commas between them: "0-9",
// "1-4,6", "13579". The error is a [*ParseError].
func ParsePool(text string) (Pool, error) {
	bad := func(why string) (Pool, error) {
		return 0, &ParseError{"pool", text, why +
			"; a pool is digits 0-9 and a-f and ranges of them, as in 1-9 or 0,2,4-8"}
	}
	var p Pool
	for i := 0; i < len(text); {
		from, ok := readDigit(text[i])
		if !ok {
			return bad(quote(text[i:]) + " does not begin with a digit")
		}
		to := from
		i++
		if i < len(text) && text[i] == '-' {
			if i+1 == len(text) {
				return bad("the range has no end")
			}
			if to, ok = readDigit(text[i+1]); !ok {
				return bad(quote(text[i+1:]) + " does not begin with a digit")
			}
			if to < from {
				return bad("the range " + text[i-1:i+2] + " runs backwards")
			}
			i += 2
		}
		for d := from; d <= to; d++ {
			if p.Has(d) {
				return bad(d.String() + " appears twice")
			}
			p |= 1 << d
		}
		if i < len(text) && text[i] == ',' {
			i++
			if i == len(text) {
				return bad("it ends with a comma")
			}
		}
	}
	if p == 0 {
		return bad("it is empty")
	}
	return p, nil
}
