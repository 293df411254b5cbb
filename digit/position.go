package digit

import (
	"fmt"
	"math/bits"
	"strings"
)

// A Position holds the facts of a game under way: the two numbers and the call that ended it, if any. Whose turn it is,
// what is left and who has won follow from them and the [Rules]. The zero Position starts every game; == is "the same position".
type Position struct {
	number [2]uint32 // the digits of a number as in Number; of a hand, the set of its digits
	call   uint32    // the digits that were called
	filled [2]uint8  // which places have a digit; of a hand or a growing number, as many low bits as it has digits
	called bool
}

func (p Position) count(s Side) int { return bits.OnesCount8(p.filled[s]) }

// Ply returns how many digits have been taken.
func (r Rules) Ply(p Position) int { return p.count(First) + p.count(Second) }

// Turn returns the side to move, or, if the game is over, the side that would be.
func (r Rules) Turn(p Position) Side {
	if p.count(First) == p.count(Second) {
		return First
	}
	return Second
}

// Left returns the digits that are left in the pool.
func (r Rules) Left(p Position) Pool { return r.Pool &^ (r.Held(p, First) | r.Held(p, Second)) }

// Held returns the digits that side s has taken.
func (r Rules) Held(p Position, s Side) Pool {
	if r.Place == Hand {
		return Pool(p.number[s])
	}
	return r.built(p, s).Pool()
}

// Number returns the number of side s: its places, filled or empty; what has grown; or the digits of a hand from low to high.
func (r Rules) Number(p Position, s Side) Number {
	if r.Place == Hand {
		return sorted(Pool(p.number[s]))
	}
	return r.built(p, s)
}

// built is Number for slots and ends.
func (r Rules) built(p Position, s Side) Number {
	n := Number{p.number[s], p.filled[s], r.Width}
	if r.Place == Ends {
		n.width = uint8(bits.Len8(n.filled))
	}
	return n
}

// Called returns the number that was called, if one was.
func (r Rules) Called(p Position) (Number, bool) {
	return Number{p.call, 1<<r.Width - 1, r.Width}, p.called
}

// Text returns the text of a position: the two numbers with a slash between them, and the call if there was one.
// "7_1/53_" (slots), "42/3" (ends), "127/58=721" (hands).
func (r Rules) Text(p Position) string {
	b := make([]byte, 0, 3*MaxWidth+2)
	b = r.Number(p, First).append(b)
	b = append(b, '/')
	b = r.Number(p, Second).append(b)
	if call, ok := r.Called(p); ok {
		b = call.append(append(b, '='))
	}
	return string(b)
}

// ParsePosition reads a position that play under the rules could have come to, as far as the two numbers tell;
// the error is a [*ParseError]. It undoes [Rules.Text].
func (r Rules) ParsePosition(text string) (Position, error) {
	bad := func(format string, args ...any) (Position, error) {
		return Position{}, &ParseError{"position", text, fmt.Sprintf(format, args...) + "; a position of " + r.Book().Name + " is like " + r.Text(r.sample())}
	}
	sides, call, hasCall := strings.Cut(text, "=")
	first, second, ok := strings.Cut(sides, "/")
	if !ok {
		return bad("there is no / between the two numbers")
	}
	var p Position
	var held Pool
	for s, side := range []string{first, second} {
		n, ok := readPlaces(side)
		switch {
		case !ok:
			return bad("%s is not a number of at most %d digits", quote(side), MaxWidth)
		case r.Place == Slots && n.width != r.Width:
			return bad("%s does not have %d places", quote(side), r.Width)
		case r.Place != Slots && !n.Full():
			return bad("%s has an empty place", quote(side))
		case bits.OnesCount8(n.filled) > r.Fills(Side(s)):
			return bad("%s has more than %d digits", quote(side), r.Fills(Side(s)))
		case n.Pool().Len() < bits.OnesCount8(n.filled) || held&n.Pool() != 0:
			return bad("a digit is there twice")
		case n.Pool()&^r.Pool != 0:
			return bad("%s is not in the pool %v", (n.Pool() &^ r.Pool).lowest(), r.Pool)
		case r.Zero == Barred && r.Place != Hand && n.beginsWithZero():
			return bad("a number begins with 0, which is barred")
		case r.Place == Hand && n != sorted(n.Pool()):
			return bad("the hand %s is not written from low to high", quote(side))
		}
		held |= n.Pool()
		p.number[s], p.filled[s] = n.digits, n.filled
		if r.Place == Hand {
			p.number[s] = uint32(n.Pool())
		}
	}
	if more := p.count(First) - p.count(Second); more != 0 && more != 1 {
		return bad("the first number has %d digits and the second %d, but turns alternate", p.count(First), p.count(Second))
	}
	if r.wins(p, r.Turn(p)) {
		return bad("it goes on after the %v side has won", r.Turn(p))
	}
	if hasCall {
		n, ok := readPlaces(call)
		caller := r.Turn(p).Other()
		if !ok || r.Win != OnCall || !n.Full() || !r.mayCall(n, r.Held(p, caller)) {
			return bad("%s cannot have been called", quote(call))
		}
		p.call, p.called = n.digits, true
	}
	return p, nil
}

// sample is a position for error messages.
func (r Rules) sample() Position {
	var p Position
	for range 3 {
		for m := range r.Moves(p) {
			p, _ = r.Play(p, m)
			break
		}
	}
	return p
}
