package solve

import (
	"math/bits"

	"digitduel/digit"
)

// A hands holds the values of hands, by the set of their digits.
type hands struct {
	key  []key  // of a full hand that has not won: its best arrangement
	wins []bool // whether an arrangement is a multiple, and such hands are tested
}

// lastKey returns the key of a hand just filled. A multiple, if any, is called.
func (h *hands) lastKey(set uint16) key {
	if h.wins[set] {
		return 0
	}
	return h.key[set]
}

// dealHands computes the values of all hands.
func (g *game) dealHands(w *job) error {
	size := 1 << bits.Len16(g.pool)
	g.hands = &hands{make([]key, size), make([]bool, size)}
	var sets []uint16
	for set := range size {
		k := bits.OnesCount16(uint16(set))
		if uint16(set)&^g.pool == 0 && (k == g.width || g.each && 0 < k && k < g.width) {
			sets = append(sets, uint16(set))
		}
	}
	// A cell takes as long as some arrangements.
	cost := int64(factorial[g.width]/16 + 1)
	w.total += int64(len(sets)) * cost
	return w.share(len(sets), cost, func(i int, _ *scratch) {
		best, won := worst, false
		for n := range g.rules.Arrangements(digit.Pool(sets[i])) {
			pause()
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
