package digit

import "iter"

// Threats yields the moves with which side s would win at once by a multiple if it were its turn,
// and the numbers they make, in the order of the moves' texts. It allocates nothing.
func (r Rules) Threats(p Position, s Side) iter.Seq2[Move, Number] {
	return func(yield func(Move, Number) bool) { r.threats(p, s, yield) }
}

func (r *Rules) threats(p Position, s Side, yield func(Move, Number) bool) {
	mine := p.of(s)
	missing := r.fills(s) - mine.count()
	if r.Win == Never || missing == 0 || missing > 1 && r.Win != EachTurn || r.result(p).Over() {
		return
	}
	r.rowMoves(r.left(p), mine, func(m Move) bool {
		if r.Place != Hand {
			made := r.number(r.take(mine, m))
			return !r.isMultiple(made) || yield(m, made)
		}
		if m.Calls() {
			return true // Arrangements has it
		}
		for made := range r.Arrangements(mine.hand() | 1<<m.Digit) {
			if r.Win == OnCall {
				m.Call = made
			}
			if r.divides(made) && !yield(m, made) {
				return false
			}
		}
		return true
	})
}
