package digit

// Path returns moves that lead from the start to a position. It reports false if the position is
// unreachable.
func (r Rules) Path(p Position) (moves []Move, ok bool) {
	var own [2][]Move
	for _, side := range Sides {
		if own[side], ok = r.growth(r.number(p.of(side))); !ok {
			return nil, false
		}
	}
	for i := range len(own[First]) + len(own[Second]) {
		if len(own[i%2]) <= i/2 {
			return nil, false // turns alternate
		}
		moves = append(moves, own[i%2][i/2])
	}
	if n := len(moves); n > 0 {
		moves[n-1].Call, _ = r.Called(p)
	}
	return moves, r.After(moves) == p
}

// growth returns moves that build a number without winning before the last of them. It reports
// false if there are none.
func (r *Rules) growth(n Number) (moves []Move, ok bool) {
	if r.Place == Slots { // in any order
		for i := range n.Len() {
			if d, ok := n.At(i); ok {
				moves = append(moves, Move{Digit: d, Spot: SlotAt(i)})
			}
		}
		return moves, true
	}
	for i := range n.Len() {
		last, before := Move{}, n.without(i)
		last.Digit, _ = n.At(i)
		if r.Place == Ends {
			switch i {
			case n.Len() - 1:
				last.Spot = Right
			case 0:
				last.Spot = Left
			default:
				continue
			}
		}
		barred := r.Place == Ends && r.Zero == Barred && before.beginsWithZero()
		won := r.Win == EachTurn && before.Len() > 0 && r.isMultiple(before)
		if barred || won {
			continue
		}
		if moves, ok = r.growth(before); ok {
			return append(moves, last), true
		}
	}
	return nil, n.Len() == 0
}
