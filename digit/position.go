package digit

import (
	"fmt"
	"math/bits"
	"strings"
)

// A Position holds the facts of a game under way: the two numbers and the call that ended it, if
// any. The turn, the digits left and the winner follow from them and the [Rules]. The zero
// Position starts every game. Positions are equal (==) if they are the same position.
type Position struct{ first, second row }

// A row holds the digits that one side has taken, packed into one word so that positions are fast
// to compare, hash and copy. The lowest 32 bits hold the digits of a number, as in Number, or
// those of a called number. The constants below give the first bit of the other parts.
type row uint64

const (
	// rowFilled is a bit for each place with a digit. A growing number or a hand has a one for
	// each of its digits.
	rowFilled = 32
	rowCalled = 40 // set if a hand has called
	rowHand   = 48 // the set of digits in a hand
)

func (w row) digits() uint32 { return uint32(w) }
func (w row) filled() uint8  { return uint8(w >> rowFilled) }
func (w row) count() int     { return bits.OnesCount8(w.filled()) }
func (w row) called() bool   { return w>>rowCalled&1 == 1 }
func (w row) hand() Pool     { return Pool(w >> rowHand) }

func (p Position) of(s Side) row {
	if s == First {
		return p.first
	}
	return p.second
}

func (p Position) with(s Side, w row) Position {
	if s == First {
		return Position{w, p.second}
	}
	return Position{p.first, w}
}

func (p Position) turn() Side { return Side(p.first.count() - p.second.count()) }

// Ply returns the number of digits taken.
func (r Rules) Ply(p Position) int { return p.first.count() + p.second.count() }

// Turn returns the side to move. If the game is over, it is the side that would move next.
func (r Rules) Turn(p Position) Side { return p.turn() }

// Left returns the digits left in the pool.
func (r Rules) Left(p Position) Pool { return r.left(p) }

// Held returns the digits that side s has taken.
func (r Rules) Held(p Position, s Side) Pool { return r.held(p.of(s)) }

// Number returns the number of side s: its places, filled or empty, the number grown so far, or
// the digits of a hand from low to high.
func (r Rules) Number(p Position, s Side) Number { return r.number(p.of(s)) }

// Called returns the called number, if any.
func (r Rules) Called(p Position) (n Number, ok bool) {
	w := p.of(p.turn().Other())
	if !w.called() {
		return Number{}, false
	}
	return r.called(w), true
}

func (r *Rules) left(p Position) Pool { return r.Pool &^ (r.held(p.first) | r.held(p.second)) }

func (r *Rules) held(w row) Pool {
	if r.Place == Hand {
		return w.hand()
	}
	return poolOf(w.digits(), w.filled())
}

func (r *Rules) number(w row) Number {
	switch r.Place {
	case Slots:
		return Number{w.digits(), w.filled(), r.Width}
	case Ends:
		return Number{w.digits(), w.filled(), uint8(w.count())}
	default:
		return sorted(w.hand())
	}
}

func (r *Rules) called(w row) Number { return Number{w.digits(), w.filled(), r.Width} }

// Text returns the text of a position: the two numbers with a slash between them, and the call if
// there was one: "7_1/53_" (slots), "42/3" (ends), "127/58=721" (hands).
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

// ParsePosition parses a position that is reachable under the rules. It undoes [Rules.Text]. The
// error is a [*ParseError].
func (r Rules) ParsePosition(text string) (Position, error) {
	bad := func(format string, args ...any) (Position, error) {
		why := fmt.Sprintf(format, args...) + "; under these rules a position is like "
		return Position{}, &ParseError{"position", text, why + r.Text(r.sample())}
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
		set, w := n.Pool(), row(n.filled)<<rowFilled
		switch {
		case !ok:
			return bad("%s is not a number of at most %d digits", quote(side), MaxWidth)
		case r.Place == Slots && n.width != r.Width:
			return bad("%s does not have %d places", quote(side), r.Width)
		case r.Place != Slots && !n.Full():
			return bad("%s has an empty place", quote(side))
		case w.count() > r.Fills(Side(s)):
			return bad("%s has more than %d digits", quote(side), r.Fills(Side(s)))
		case set.Len() < w.count() || held&set != 0:
			return bad("a digit appears twice")
		case set&^r.Pool != 0:
			return bad("%s is not in the pool %v", (set &^ r.Pool).lowest(), r.Pool)
		case r.Zero == Barred && r.Place != Hand && n.beginsWithZero():
			return bad("a number begins with 0, which is barred")
		case r.Place == Hand && n != sorted(set):
			return bad("the hand %s is not written from low to high", quote(side))
		}
		if _, ok := r.growth(n); !ok {
			return bad("%s has won before its last digit", quote(side))
		}
		held |= set
		if r.Place == Hand {
			w |= row(set) << rowHand
		} else {
			w |= row(n.digits)
		}
		p = p.with(Side(s), w)
	}
	if more := p.first.count() - p.second.count(); more != 0 && more != 1 {
		return bad("the first number has %d digits and the second %d, but turns alternate",
			p.first.count(), p.second.count())
	}
	turn := p.turn()
	if w := p.of(turn); r.tries(w, w.count() == r.fills(turn)) && r.isMultiple(r.number(w)) {
		return bad("the game continues after the %v side has won", turn)
	}
	if hasCall {
		n, ok := readPlaces(call)
		caller := turn.Other()
		if !ok || r.Win != OnCall || !n.Full() || !r.calls(n, r.Held(p, caller)) {
			return bad("%s cannot have been called", quote(call))
		}
		p = p.with(caller, p.of(caller)|1<<rowCalled|row(n.digits))
	}
	return p, nil
}

// sample returns a position for error messages.
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
