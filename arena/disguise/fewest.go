package disguise

import "digitduel/digit"

// CheckSize returns an error if a lower bound of the number of positions of a game exceeds most.
// It needs no walk, so a game that is refused is refused at once.
func CheckSize(r digit.Rules, most int) error {
	if fewest(r) > most {
		return tooMany(r, most)
	}
	return nil
}

// fewest returns a lower bound of the number of positions of a game: those in which neither
// number is full, or 0 if it can end before that. It stops counting beyond [MostPositions].
func fewest(r digit.Rules) int {
	if r.Win == digit.EachTurn {
		return 0
	}
	digits, last := r.Pool.Len(), min(2*r.Fills(digit.First)-2, 2*r.Fills(digit.Second)-1)
	if r.Zero == digit.Barred && r.Pool.Has(0) {
		digits-- // count the positions without 0, which may go anywhere
	}
	all, drawn := 0, 1 // drawn is the number of ways to draw digits in order
	for ply := 0; ply <= min(last, digits) && all <= MostPositions; ply++ {
		all += drawn * rows(r, ply/2) / orders(r, ply/2) * rows(r, ply-ply/2) / orders(r, ply-ply/2)
		drawn *= digits - ply
	}
	return all
}

// rows returns the number of sets of places for n digits in a given order.
func rows(r digit.Rules, n int) int {
	if r.Place != digit.Slots {
		return 1
	}
	ways := 1
	for i := range n {
		ways = ways * (int(r.Width) - i) / (i + 1)
	}
	return ways
}

// orders returns the number of orders of n digits that give the same position.
func orders(r digit.Rules, n int) int {
	if n < 2 || r.Place != digit.Hand {
		return 1
	}
	return n * orders(r, n-1)
}
