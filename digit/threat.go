package digit

import (
	"iter"
	"math/bits"
)

// Threats yields the moves with which side s would win at once by a multiple if it were its turn,
// and the numbers they make, in the order of the moves' texts. It allocates nothing.
func (r Rules) Threats(p Position, s Side) iter.Seq2[Move, Number] {
	return func(yield func(Move, Number) bool) { r.threats(p, s, yield) }
}

func (r *Rules) threats(p Position, s Side, yield func(Move, Number) bool) {
	n := r.Number(p, s)
	more := r.Fills(s) - bits.OnesCount8(n.filled) // the number of missing digits
	if r.Win == Never || more == 0 || more > 1 && r.Win != EachTurn || r.Result(p).Over() {
		return
	}
	wins := func(m Move, made Number) bool { return !r.IsMultiple(made) || yield(m, made) }
	for d := range r.Left(p).All() {
		switch r.Place {
		case Slots:
			i := bits.TrailingZeros8(^n.filled)
			made := Number{n.digits | uint32(d)<<(4*i), n.filled | 1<<i, n.width}
			if !wins(Move{Digit: d, Spot: SlotAt(i)}, made) {
				return
			}
		case Ends:
			left := Number{n.digits<<4 | uint32(d), n.filled<<1 | 1, n.width + 1}
			right := Number{n.digits | uint32(d)<<(4*n.width), n.filled<<1 | 1, n.width + 1}
			if n.width > 0 && !wins(Move{Digit: d, Spot: Left}, left) ||
				!wins(Move{Digit: d, Spot: Right}, right) {
				return
			}
		case Hand:
			for made := range r.Arrangements(n.Pool() | 1<<d) {
				m := Move{Digit: d}
				if r.Win == OnCall {
					m.Call = made
				}
				if made.Value(r.Base())%int(r.Target) == 0 && !yield(m, made) {
					return
				}
			}
		}
	}
}
