package digit

import (
	"fmt"
	"iter"
	"strings"
)

// Moves yields every legal move in the order of their texts. It allocates nothing.
func (r Rules) Moves(p Position) iter.Seq[Move] {
	return func(yield func(Move) bool) { r.moves(p, yield) }
}

func (r Rules) moves(p Position, yield func(Move) bool) {
	if r.Result(p).Over() {
		return
	}
	turn := r.Turn(p)
	for left := r.Left(p); left != 0; left &= left - 1 {
		d := left.lowest()
		switch r.Place {
		case Slots:
			for i := range int(r.Width) {
				if p.filled[turn]>>i&1 == 0 && !r.bars(d, i == 0) && !yield(Move{Digit: d, Spot: SlotAt(i)}) {
					return
				}
			}
		case Ends:
			begun := p.filled[turn] != 0
			if begun && !r.bars(d, true) && !yield(Move{Digit: d, Spot: Left}) {
				return
			}
			if !r.bars(d, !begun) && !yield(Move{Digit: d, Spot: Right}) {
				return
			}
		case Hand:
			if !yield(Move{Digit: d}) {
				return
			}
			hand := r.Held(p, turn) | 1<<d
			if r.Win != OnCall || hand.Len() < r.Fills(turn) {
				continue
			}
			for call := range r.Arrangements(hand) {
				if !yield(Move{Digit: d, Call: call}) {
					return
				}
			}
		}
	}
}

// bars reports whether d may not be placed where it leads its number.
func (r Rules) bars(d Digit, leads bool) bool { return d == 0 && leads && r.Zero == Barred }

// Play returns the position after a move. If the move is not legal it returns p and a [*MoveError]. A legal move allocates nothing.
func (r Rules) Play(p Position, m Move) (Position, error) {
	if !r.legal(p, m) {
		return p, &MoveError{m, r.whyNot(p, m)}
	}
	turn := r.Turn(p)
	d, filled := uint32(m.Digit), &p.filled[turn]
	switch r.Place {
	case Slots:
		i, _ := m.Spot.Slot()
		p.number[turn] |= d << (4 * i)
		*filled |= 1 << i
	case Ends:
		if m.Spot == Left {
			p.number[turn] = p.number[turn]<<4 | d
		} else {
			p.number[turn] |= d << (4 * p.count(turn))
		}
		*filled = *filled<<1 | 1
	case Hand:
		p.number[turn] |= 1 << d
		*filled = *filled<<1 | 1
		p.call, p.called = m.Call.digits, m.Call != Number{}
	}
	return p, nil
}

func (r Rules) legal(p Position, m Move) bool {
	if m.Digit > 15 || !r.Left(p).Has(m.Digit) || r.Result(p).Over() {
		return false
	}
	turn := r.Turn(p)
	if r.Place != Hand && m.Call != (Number{}) {
		return false
	}
	switch r.Place {
	case Slots:
		i, ok := m.Spot.Slot()
		return ok && i < int(r.Width) && p.filled[turn]>>i&1 == 0 && !r.bars(m.Digit, i == 0)
	case Ends:
		begun := p.filled[turn] != 0
		return m.Spot == Left && begun && !r.bars(m.Digit, true) || m.Spot == Right && !r.bars(m.Digit, !begun)
	default:
		hand := r.Held(p, turn) | 1<<m.Digit
		return m.Spot == InHand && (m.Call == Number{} || r.Win == OnCall && hand.Len() == r.Fills(turn) && r.mayCall(m.Call, hand))
	}
}

// mayCall reports whether a number is made of just the digits of a full hand and may be called.
func (r Rules) mayCall(n Number, hand Pool) bool {
	return n.width == r.Width && n.Full() && hand.Len() == int(r.Width) && n.Pool() == hand && (r.Zero == Counts || !n.beginsWithZero())
}

// whyNot says why a move is not legal and what is.
func (r Rules) whyNot(p Position, m Move) string {
	left, turn := r.Left(p), r.Turn(p)
	switch {
	case r.Result(p).Over():
		return "the game is over: " + r.Result(p).String()
	case m.Digit > 15 || !r.Pool.Has(m.Digit):
		return fmt.Sprintf("%v is not in the pool; left: %s", m.Digit, left.List(" "))
	case !left.Has(m.Digit):
		return fmt.Sprintf("%v is taken; left: %s", m.Digit, left.List(" "))
	case m.Call != (Number{}) && r.Win != OnCall:
		return "numbers are not called in this game"
	}
	if r.Place == Hand {
		hand := r.Held(p, turn) | 1<<m.Digit
		switch {
		case m.Spot != InHand:
			return fmt.Sprintf("a digit goes into the hand, not to a place; allowed: %v", m.Digit)
		case hand.Len() < r.Fills(turn):
			return fmt.Sprintf("a call takes %d digits in hand, and this makes %d", r.Width, hand.Len())
		default:
			var calls []string
			for n := range r.Arrangements(hand) {
				calls = append(calls, n.String())
			}
			if m.Call.Pool() == hand && m.Call.width == r.Width {
				return "a call may not begin with 0; allowed: " + strings.Join(calls, " ")
			}
			return fmt.Sprintf("a call uses each of the digits in hand once; allowed: %s", shortList(calls))
		}
	}
	var spots []string
	for legal := range r.Moves(p) {
		if legal.Digit == m.Digit {
			spots = append(spots, legal.Spot.String())
		}
	}
	free := strings.Join(spots, " ")
	i, isSlot := m.Spot.Slot()
	switch {
	case r.Place == Slots && isSlot && i < int(r.Width) && p.filled[turn]>>i&1 == 1:
		return fmt.Sprintf("place %v is filled; free: %s", m.Spot, free)
	case r.Place == Slots && isSlot && i == 0, r.Place == Ends && (m.Spot == Left || m.Spot == Right) && m.Digit == 0 && r.Zero == Barred:
		return "a number may not begin with 0; allowed: " + free
	case r.Place == Ends && m.Spot == Left:
		return "the first digit has no sides and is written R; allowed: R"
	case m.Spot == InHand:
		return fmt.Sprintf("the place is missing; allowed: %s", free)
	default:
		return fmt.Sprintf("there is no place %v; allowed: %s", m.Spot, free)
	}
}

// shortList joins words and cuts a list that would not fit a line.
func shortList(words []string) string {
	const most = 24
	if len(words) > most {
		return strings.Join(words[:most], " ") + " …"
	}
	return strings.Join(words, " ")
}

// Result returns how a position stands. It allocates nothing.
func (r Rules) Result(p Position) Result {
	last := r.Turn(p).Other()
	if p.called {
		if n, _ := r.Called(p); n.Value(r.Base())%int(r.Target) != 0 {
			return Result{WinFor(last.Other()), Miscalled}
		}
		return Result{WinFor(last), Multiple}
	}
	if r.wins(p, last) {
		return Result{WinFor(last), Multiple}
	}
	if p.count(First) < r.Fills(First) || p.count(Second) < r.Fills(Second) {
		return Result{}
	}
	return r.decide(r.Value(p, First), r.Value(p, Second), last)
}

// wins reports whether the number of side s is tried and is a multiple of the target. A call is judged by [Rules.Result].
func (r Rules) wins(p Position, s Side) bool {
	switch r.Win {
	case EachTurn:
		return p.filled[s] != 0 && r.IsMultiple(r.Number(p, s))
	case WhenFull:
		return p.count(s) == r.Fills(s) && r.IsMultiple(r.Number(p, s))
	default:
		return false
	}
}

// IsMultiple reports whether a number, or with hands one of the numbers its digits make, is a multiple of the target that can win.
func (r Rules) IsMultiple(n Number) bool {
	if r.Place == Hand {
		for a := range r.Arrangements(n.Pool()) {
			if a.Value(r.Base())%int(r.Target) == 0 {
				return true
			}
		}
		return false
	}
	return (r.Zero == Counts || !n.beginsWithZero()) && n.Value(r.Base())%int(r.Target) == 0
}

// Value returns what the number of side s is worth at the end: what its digits say or, for a hand, the best of the
// numbers they make.
func (r Rules) Value(p Position, s Side) int { return r.Best(r.Number(p, s)).Value(r.Base()) }

// Best returns a built number itself and, of the numbers that the digits of a hand make, the one that the final orders prefer.
func (r Rules) Best(n Number) Number {
	if r.Place != Hand {
		return n
	}
	var best Number
	for a := range r.Arrangements(n.Pool()) {
		if best.width == 0 || r.decide(a.Value(r.Base()), best.Value(r.Base()), First).Score == FirstWins {
			best = a
		}
	}
	return best
}

// decide compares two values by the final orders; last is the side that placed the last digit.
func (r Rules) decide(first, second int, last Side) Result {
	for _, o := range r.Final.orders() {
		if o == Later {
			return Result{WinFor(last), ByLater}
		}
		switch a, b := r.Measure(o, first), r.Measure(o, second); {
		case a < b:
			return Result{FirstWins, reasonOf(o)}
		case a > b:
			return Result{SecondWins, reasonOf(o)}
		}
	}
	return Result{Draw, Equal}
}

// Measure returns what an order compares of a value; the smaller measure wins.
func (r Rules) Measure(o Order, value int) int {
	switch o {
	case Above:
		return int(r.Target) - value%int(r.Target)
	case Below:
		return value % int(r.Target)
	case Nearest:
		over := value % int(r.Target)
		return min(over, int(r.Target)-over)
	case Higher:
		return -value
	case Lower:
		return value
	default:
		return 0
	}
}
