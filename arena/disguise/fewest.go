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
	all, now := 0, 1 // now is the number of positions of a ply
	for ply := 0; ply <= min(last, digits) && all <= MostPositions; ply++ {
		all += now
		now *= digits - ply
		switch held := ply/2 + 1; r.Place { // by the player who moves, after this move
		case digit.Slots:
			now = now * (int(r.Width) - held + 1) / held
		case digit.Hand: // in any order
			now /= held
		case digit.Ends:
		}
	}
	return all
}
