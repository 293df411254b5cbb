package digit

// Fair are games beside the books in which nobody can force a win, in the order in which they are listed to people. Their text is
// that of the closest book and what differs from it, as of any rules.
var Fair = []Book{
	{"seesaw", "Seesaw", Rules{Pool: zeroToNine, Place: Slots, Width: 3, Target: 21, Win: WhenFull, Zero: Inert, Final: FinalBy(Nearest)}},
	{"limbo", "Limbo", Rules{Pool: zeroToNine, Place: Hand, Width: 3, Target: 37, Win: OnCall, Zero: Inert, Final: FinalBy(Below)}},
	{"tug", "Tug of War", Rules{Pool: oneToNine, Place: Ends, Width: 4, Target: 55, Win: EachTurn, Final: FinalBy(Below)}},
	{"marathon", "Marathon", Rules{Pool: oneToNine, Place: Ends, Target: 127, Win: EachTurn, Final: FinalBy(Below)}},
}

// Named returns what rules are called by: the fair game that they are, or else the closest book.
func (r Rules) Named() Book {
	for _, b := range Fair {
		if b.Rules == r {
			return b
		}
	}
	return r.Book()
}
