package digit

// Fair lists games other than the books in which neither player can force a win, in display
// order. Their text is the closest book and the differences from it, as for any rules.
var Fair = []Book{
	{"nines", "Nines", Rules{
		Pool: oneToNine, Place: Hand, Width: 3, Target: 9, Win: OnCall, Final: FinalBy(Below),
	}},
	{"seesaw", "Seesaw", Rules{
		Pool: zeroToNine, Place: Slots, Width: 3, Target: 21, Win: WhenFull,
		Zero: Inert, Final: FinalBy(Nearest),
	}},
	{"ducks", "Two Ducks", Rules{
		Pool: oneToNine, Place: Slots, Width: 4, Target: 22, Win: WhenFull, Final: FinalBy(Nearest),
	}},
	{"tug", "Tug of War", Rules{
		Pool: oneToNine, Place: Ends, Width: 4, Target: 55, Win: EachTurn, Final: FinalBy(Below),
	}},
	{"marathon", "Marathon", Rules{
		Pool: oneToNine, Place: Ends, Target: 111, Win: EachTurn, Final: FinalBy(Nearest),
	}},
}

// Named returns the fair game with these rules, or else the closest book.
func (r Rules) Named() Book {
	for _, b := range Fair {
		if b.Rules == r {
			return b
		}
	}
	return r.Book()
}
