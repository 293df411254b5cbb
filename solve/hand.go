package solve

import (
	"math/bits"

	"digitduel/digit"
)

// hands hold what each hand is worth, by the set of its digits.
type hands struct {
	key  []key  // of a full hand that has not won: its best arrangement by the final orders
	wins []bool // some arrangement is a multiple, and hands of so many digits are tried
}

// lastKey returns the key of a hand that has just been filled, by a player who calls a multiple if there is one.
func (h *hands) lastKey(set uint16) key {
	if h.wins[set] {
		return 0
	}
	return h.key[set]
}

// dealHands works out every hand there can be.
func (g *game) dealHands(w *work) error {
	size := 1 << bits.Len16(g.pool)
	g.hands = &hands{make([]key, size), make([]bool, size)}
	var sets []uint16
	for set := range size {
		k := bits.OnesCount16(uint16(set))
		if uint16(set)&^g.pool == 0 && (k == g.width || g.each && 0 < k && k < g.width) {
			sets = append(sets, uint16(set))
		}
	}
	cost := int64(factorial[g.width]/16 + 1) // a cell takes as long as some arrangements
	w.total += int64(len(sets)) * cost
	return w.share(len(sets), cost, func(i int, _ *scratch) {
		best, won := worst, false
		for n := range g.rules.Arrangements(digit.Pool(sets[i])) {
			value := uint32(n.Value(int(g.base)))
			k := 1 + key(g.rank[value%g.mod])<<33
			switch {
			case g.order > 0:
				k += 1<<32 - key(value)
			case g.order < 0:
				k += key(value)
			}
			best, won = min(best, k), won || g.tried && value%g.mod == 0
		}
		g.hands.key[sets[i]], g.hands.wins[sets[i]] = best, won
	})
}
