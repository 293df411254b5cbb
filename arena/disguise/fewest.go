package disguise

import "digitduel/digit"

// CheckSize returns nil unless a game has too many positions to prove a disguise of it, as far as that is known without walking through them: so
// nobody waits for what is refused.
func CheckSize(r digit.Rules, most int) error {
	if fewest(r) > most {
		return tooMany(r, most)
	}
	return nil
}

// fewest returns how many positions a game has at the least, without walking through it: those in which neither number is full, unless it
// can end before that. What is beyond [MostPositions] is not counted on.
func fewest(r digit.Rules) int {
	if r.Win == digit.EachTurn {
		return 0
	}
	digits, last := r.Pool.Len(), min(2*r.Fills(digit.First)-2, 2*r.Fills(digit.Second)-1)
	if r.Zero == digit.Barred && r.Pool.Has(0) {
		digits-- // those without it, which may go anywhere
	}
	all, drawn := 0, 1 // in how many ways so many digits are drawn, one after the other
	for ply := 0; ply <= min(last, digits) && all <= MostPositions; ply++ {
		all += drawn * rows(r, ply/2) / orders(r, ply/2) * rows(r, ply-ply/2) / orders(r, ply-ply/2)
		drawn *= digits - ply
	}
	return all
}

// rows returns in how many places so many digits can be, of which the order is given.
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

// orders returns in how many orders so many digits come to the same.
func orders(r digit.Rules, n int) int {
	if n < 2 || r.Place != digit.Hand {
		return 1
	}
	return n * orders(r, n-1)
}
