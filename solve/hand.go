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
	all := arranger{game: g, zeroLeads: g.rules.Zero == digit.Counts, best: worst}
	return w.share(len(sets), cost, func(i int, _ *scratch) {
		one := all
		one.arrange(sets[i], 0)
		g.hands.key[sets[i]], g.hands.wins[sets[i]] = one.best, one.won
	})
}

// An arranger goes through the arrangements of a hand, the ones that a final order of numbers prefers first.
type arranger struct {
	*game
	zeroLeads bool
	best      key
	won       bool
}

// arrange notes what the digits of a set make when they are put after a number of some value.
// It reports whether there is nothing better to find.
func (a *arranger) arrange(set uint16, front uint32) bool {
	rest := set
	if front == 0 && !a.zeroLeads {
		rest &^= 1 // nothing stands before it
	}
	for rest != 0 {
		d := bits.TrailingZeros16(rest)
		if a.order > 0 {
			d = bits.Len16(rest) - 1
		}
		rest &^= 1 << d
		value := front*a.base + uint32(d)
		if set != 1<<d {
			if a.arrange(set&^(1<<d), value) {
				return true
			}
			continue
		}
		rem := value % a.mod
		k := 1 + key(a.rank[rem])<<33
		switch {
		case a.order > 0:
			k += 1<<32 - key(value)
		case a.order < 0:
			k += key(value)
		}
		a.best = min(a.best, k)
		a.won = a.won || a.tried && rem == 0
		return a.best>>33 == 0 && (a.won || !a.tried)
	}
	return false
}
