package digit

import (
	"fmt"
	"iter"
	"math/bits"
	"strings"
)

// The unexported methods of *Rules implement the exported ones. Callers outside pass Rules by
// value; copying them at each step inside would cost more than the step.

// Moves yields every legal move in the order of their texts. It allocates nothing.
func (r Rules) Moves(p Position) iter.Seq[Move] {
	return func(yield func(Move) bool) { r.moves(p, yield) }
}

func (r *Rules) moves(p Position, yield func(Move) bool) {
	if !r.result(p).Over() {
		r.rowMoves(r.left(p), p.of(p.turn()), yield)
	}
}

// rowMoves yields the moves that add one of the digits left to a row.
func (r *Rules) rowMoves(left Pool, mine row, yield func(Move) bool) {
	switch r.Place {
	case Slots:
		r.slotMoves(left, r.free(mine), yield)
	case Ends:
		r.endMoves(left, mine != 0, yield)
	case Hand:
		r.handMoves(left, mine.hand(), r.mayCall(mine), yield)
	}
}

func (r *Rules) slotMoves(left Pool, free uint8, yield func(Move) bool) {
	for ; left != 0; left &= left - 1 {
		d := left.lowest()
		spots := free
		if r.bars(d) {
			spots &^= 1
		}
		for ; spots != 0; spots &= spots - 1 {
			if !yield(Move{Digit: d, Spot: SlotAt(bits.TrailingZeros8(spots))}) {
				return
			}
		}
	}
}

func (r *Rules) endMoves(left Pool, begun bool, yield func(Move) bool) {
	for ; left != 0; left &= left - 1 {
		d := left.lowest()
		if begun && !r.bars(d) && !yield(Move{Digit: d, Spot: Left}) {
			return
		}
		if (begun || !r.bars(d)) && !yield(Move{Digit: d, Spot: Right}) {
			return
		}
	}
}

func (r *Rules) handMoves(left, hand Pool, calls bool, yield func(Move) bool) {
	for ; left != 0; left &= left - 1 {
		d := left.lowest()
		if !yield(Move{Digit: d}) {
			return
		}
		if !calls {
			continue
		}
		for call := range r.Arrangements(hand | 1<<d) {
			if !yield(Move{Digit: d, Call: call}) {
				return
			}
		}
	}
}

// free returns the set of empty places of a number with slots.
func (r *Rules) free(w row) uint8 { return (1<<r.Width - 1) &^ w.filled() }

// bars reports whether d may not lead a number.
func (r *Rules) bars(d Digit) bool { return d == 0 && r.Zero == Barred }

// mayCall reports whether the next digit allows a call.
func (r *Rules) mayCall(w row) bool { return r.Win == OnCall && w.count()+1 == int(r.Width) }

// Pick returns a legal move. Every move is equally likely if intn(n) returns each of 0 to n-1
// with equal probability. Pick calls intn once and does not list the moves. It reports false if
// the game is over.
func (r Rules) Pick(p Position, intn func(n int) int) (m Move, ok bool) {
	if r.result(p).Over() {
		return Move{}, false
	}
	left, mine := r.left(p), p.of(p.turn())
	barred := 0
	if r.bars(left.lowest()) {
		barred = 1
	}
	switch r.Place {
	case Slots:
		free := r.free(mine)
		d, i := draw(left, bits.OnesCount8(free), barred&int(free), intn)
		return Move{Digit: d, Spot: SlotAt(int(Pool(free).nth(i)))}, true
	case Ends:
		spots := "LR"
		if mine == 0 {
			spots = "R"
		}
		d, i := draw(left, len(spots), barred, intn)
		return Move{Digit: d, Spot: Spot(spots[i])}, true
	default:
		return r.pickHand(left, mine, intn), true
	}
}

// pickHand implements Pick for hands. Each digit has one move without a call and, if the hand may
// call, one for each arrangement. With 0 in hand, every digit lacks the arrangements that begin
// with 0; with 0 in the pool, only the digit 0 does, which is the first one.
func (r *Rules) pickHand(left Pool, mine row, intn func(n int) int) Move {
	if !r.mayCall(mine) {
		d, _ := draw(left, 1, 0, intn)
		return Move{Digit: d}
	}
	hand := mine.hand()
	calls, begin0 := factorials[r.Width], 0
	if r.Zero != Counts {
		begin0 = factorials[r.Width-1]
	}
	missing := 0
	switch {
	case hand.Has(0):
		calls -= begin0
	case left.Has(0):
		missing = begin0
	}
	d, i := draw(left, 1+calls, missing, intn)
	hand |= 1 << d
	if d == 0 {
		i -= missing
	}
	if i == 0 {
		return Move{Digit: d}
	}
	if hand.Has(0) {
		i += begin0
	}
	return Move{Digit: d, Call: arrangement(hand, i-1)}
}

// draw picks a cell of a table with a row for each digit, whose first cells are missing. The
// cells are the moves in order; the missing ones would make a number begin with 0.
func draw(left Pool, columns, missing int, intn func(n int) int) (d Digit, column int) {
	n := missing + intn(left.Len()*columns-missing)
	for ; n >= columns; n -= columns {
		left &= left - 1
	}
	return left.lowest(), n
}

// Play returns the position after a move. If the move is not legal, Play returns p and a
// [*MoveError]. A legal move allocates nothing.
func (r Rules) Play(p Position, m Move) (Position, error) {
	if b := r.breach(p, m); b != 0 {
		return p, &MoveError{m, b, r.whyNot(p, m, b)}
	}
	turn := p.turn()
	return p.with(turn, r.take(p.of(turn), m)), nil
}

// After returns the position after legal moves from the start.
func (r Rules) After(moves []Move) (p Position) {
	for _, m := range moves {
		p, _ = r.Play(p, m)
	}
	return p
}

// take returns w with the digit of a legal move, and its call, added.
func (r *Rules) take(w row, m Move) row {
	d := row(m.Digit)
	if r.Place == Slots {
		i := row(m.Spot - 'a')
		return w | d<<(4*i) | 1<<(rowFilled+i)
	}
	filled := row(w.filled())<<1 | 1
	switch {
	case r.Place == Hand:
		w |= 1 << (rowHand + d)
		if m.Calls() {
			w |= row(m.Call.digits) | 1<<rowCalled
		}
	case m.Spot == Left:
		w = row(w.digits())<<4 | d
	default:
		w |= d << (4 * w.count())
	}
	return w | filled<<rowFilled
}

// calls reports whether a hand may call n.
func (r *Rules) calls(n Number, hand Pool) bool {
	return hand.Len() == int(r.Width) && n.width == r.Width && n.Full() && n.Pool() == hand &&
		(r.Zero == Counts || !n.beginsWithZero())
}

// breach returns why a move is not legal, or 0 if it is.
func (r *Rules) breach(p Position, m Move) Breach {
	mine, barred := p.of(p.turn()), r.bars(m.Digit)
	switch {
	case r.result(p).Over():
		return GameOver
	case !r.Pool.Has(m.Digit):
		return NotInPool
	case !r.left(p).Has(m.Digit):
		return Taken
	}
	switch r.Place {
	case Slots:
		i, free := m.Spot-'a', r.free(mine)
		switch {
		case barred && free == 1:
			return NoSpot
		case m.Calls():
			return NotCalled
		case i >= Spot(r.Width):
			return NoSuchSpot
		case free>>i&1 == 0:
			return Filled
		case barred && i == 0:
			return LeadingZero
		}
	case Ends:
		switch {
		case barred && mine == 0:
			return NoSpot
		case m.Calls():
			return NotCalled
		case m.Spot != Left && m.Spot != Right:
			return NoSuchSpot
		case barred && m.Spot == Left:
			return LeadingZero
		case mine == 0 && m.Spot == Left:
			return NoSuchSpot
		}
	case Hand:
		hand := mine.hand() | 1<<m.Digit
		switch {
		case m.Spot != InHand:
			return NoSuchSpot
		case !m.Calls(): // a digit may always be taken
		case r.Win != OnCall:
			return NotCalled
		case !r.mayCall(mine):
			return TooEarly
		case r.calls(m.Call, hand):
		case m.Call.width == r.Width && m.Call.Pool() == hand:
			return CallZero
		default:
			return OtherDigits
		}
	}
	return 0
}

// whyNot explains why a move is not legal and lists what is allowed.
func (r *Rules) whyNot(p Position, m Move, b Breach) string {
	left := r.left(p)
	var moves, spots []string
	for _, spot := range r.Spots(p, m.Digit) {
		moves = append(moves, Move{Digit: m.Digit, Spot: spot}.String())
		spots = append(spots, spot.String())
	}
	allowed := strings.Join(spots, " ")
	hand := p.of(p.turn()).hand() | 1<<(m.Digit&15)
	switch b {
	case GameOver:
		return "the game is over: " + r.result(p).String()
	case NotInPool:
		return fmt.Sprintf("%v is not in the pool; left: %s", m.Digit, left.List(" "))
	case Taken:
		return fmt.Sprintf("%v is taken; left: %s", m.Digit, left.List(" "))
	case NoSpot:
		return "a number may not begin with 0, and there is no other place for it; left: " +
			(left &^ 1).List(" ")
	case NotCalled:
		return "numbers are not called in this game; allowed: " + strings.Join(moves, " ")
	case Filled:
		return fmt.Sprintf("place %v is filled; free: %s", m.Spot, allowed)
	case LeadingZero:
		return "a number may not begin with 0; allowed: " + allowed
	case TooEarly:
		return fmt.Sprintf("a call takes %d digits in hand, and this makes %d; allowed: %v",
			r.Width, hand.Len(), m.Digit)
	case OtherDigits:
		return "a call uses each of the digits in hand once; allowed: " + r.callsOf(hand)
	case CallZero:
		return "a call may not begin with 0; allowed: " + r.callsOf(hand)
	case NoSuchSpot: // explained below
	}
	switch {
	case r.Place == Hand:
		return fmt.Sprintf("a digit goes into the hand, not to a place; allowed: %v", m.Digit)
	case m.Spot == InHand:
		return "the place is missing; allowed: " + allowed
	case r.Place == Ends && m.Spot == Left:
		return "the first digit has no sides and is written R; allowed: R"
	default:
		return fmt.Sprintf("there is no place %v; allowed: %s", m.Spot, allowed)
	}
}

// callsOf lists the calls that a hand allows, at most 24 of them.
func (r *Rules) callsOf(hand Pool) string {
	const most = 24
	var calls []string
	for n := range r.Arrangements(hand) {
		if len(calls) == most {
			calls = append(calls, "…")
			break
		}
		calls = append(calls, n.String())
	}
	return strings.Join(calls, " ")
}
