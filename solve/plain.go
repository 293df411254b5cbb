package solve

import (
	"math/bits"
	"slices"

	"digitduel/digit"
)

// A plain is a layer with a cell for each position of a ply: for each two sets of digits, and
// each two ways to arrange them. The cells of two sets form a block.
type plain struct {
	cells []int8
	ply   int
	rests int64    // number of possible sets of the second number for one of the first
	ways  [2]int64 // number of ways to arrange the digits of each number
}

// newPlain returns a plain layer without its cells.
func (g *game) newPlain(ply int) *plain {
	a, b := count(ply, 0), count(ply, 1)
	return &plain{
		ply:   ply,
		rests: choose[g.size-a][b],
		ways:  [2]int64{g.countWays(a), g.countWays(b)},
	}
}

// countPlain returns the number of cells of a plain layer.
func (g *game) countPlain(ply int) int64 {
	l := g.newPlain(ply)
	return choose[g.size][count(ply, 0)] * l.rests * l.ways[0] * l.ways[1]
}

// block returns the index of the first cell whose numbers have the given digits.
func (l *plain) block(pool uint16, sets [2]uint16) int64 {
	block := setRank(sets[0], pool)*l.rests + setRank(sets[1], pool&^sets[0])
	return block * l.ways[0] * l.ways[1]
}

// index returns the index of the cell of a position.
func (l *plain) index(g *game, p digit.Position) int64 {
	var sets [2]uint16
	var ways [2]int64
	sets[0], ways[0] = g.stand(p, digit.First)
	sets[1], ways[1] = g.stand(p, digit.Second)
	x := mover(l.ply)
	return l.block(g.pool, sets) + ways[1-x]*l.ways[x] + ways[x]
}

// numbers calls do for each number of k digits, arranged in the given ways: by set, then by way.
func (g *game) numbers(k int, ways []way, do func(at *side)) {
	for set := range sets(g.pool, k) {
		digits := slices.Collect(digit.Pool(set).All())
		for _, w := range ways {
			pause()
			at, places := side{set: set, lead: noLead}, w.places
			for _, rank := range w.order {
				g.put(&at, bits.TrailingZeros8(places), digits[rank])
				places &= places - 1
			}
			at.rem %= g.mod
			do(&at)
		}
	}
}

// A tables holds the data to fill plain layers, by the number of digits.
type tables struct {
	// next has, by spot × (digits + 1) + rank of another digit and by way, the way after that
	// digit, or nowhere.
	next [digit.MaxWidth][][]int32
	// won says for each number whether it has won, if every number is tested for a multiple.
	won [digit.MaxWidth + 1][]bool
	// keys has the keys of numbers with one digit to go, by number × size of the pool + rank of
	// that digit.
	keys [digit.MaxWidth][]key
}

func (g *game) newTables() *tables {
	t := &tables{}
	ways := []way{{}} // the ways of k digits, by rank
	for k := range g.fills[0] {
		if k == g.fills[0]-1 || k == g.fills[1]-1 {
			t.keys[k] = make([]key, 0, g.countNumbers(k)*int64(g.size))
			g.numbers(k, ways, func(at *side) {
				for rest := g.pool; rest != 0; rest &= rest - 1 {
					t.keys[k] = append(t.keys[k], g.bestKey(at, rest&-rest&^at.set))
				}
			})
		}
		more := make([]way, g.countWays(k+1)) // the ways of k+1 digits, by rank
		t.next[k] = make([][]int32, g.spots(k)*(k+1))
		for i := range t.next[k] {
			pause()
			t.next[k][i] = make([]int32, len(ways))
			for j, w := range ways {
				t.next[k][i][j] = nowhere
				if to, ok := g.with(w, i/(k+1), i%(k+1)); ok {
					t.next[k][i][j] = to.rank()
					more[to.rank()] = to
				}
			}
		}
		if ways = more; g.each {
			t.won[k+1] = make([]bool, 0, g.countNumbers(k+1))
			g.numbers(k+1, ways, func(at *side) {
				t.won[k+1] = append(t.won[k+1], g.hasWon(at, false))
			})
		}
	}
	return t
}

// A plainTurn fills a plain layer.
type plainTurn struct {
	*game
	*tables
	x        int    // the side to move
	k        [2]int // the number of digits of each number
	from, to *plain
}

// fillPlain fills a plain layer from the next one. It has none if from is the last layer.
func (g *game) fillPlain(w *job, tables *tables, from, to *plain) error {
	k := [2]int{count(from.ply, 0), count(from.ply, 1)}
	t := &plainTurn{g, tables, mover(from.ply), k, from, to}
	do := t.play
	if to == nil {
		do = t.finish
	}
	var firsts []uint16
	for set := range sets(g.pool, t.k[0]) {
		firsts = append(firsts, set)
	}
	size := from.ways[0] * from.ways[1]
	return w.share(len(firsts), from.rests*size, func(i int, sc *scratch) {
		at := int64(i) * from.rests * size
		for second := range sets(g.pool&^firsts[i], t.k[1]) {
			do(from.cells[at:at+size], [2]uint16{firsts[i], second}, sc)
			at += size
		}
	})
}

// finish fills a block of the last layer.
func (t *plainTurn) finish(cells []int8, sets [2]uint16, sc *scratch) {
	left := t.ranks(t.pool&^(sets[0]|sets[1]), sc)
	for s, set := range sets {
		size := t.from.ways[s] * int64(t.size)
		from := setRank(set, t.pool) * size
		o := sc.outlook(s, 0)
		o.keys, o.bests = t.keys[t.k[s]][from:from+size], o.bests[:0]
		for i := 0; i < len(o.keys); i += t.size {
			o.bests = append(o.bests, bestOf(o.keys[i:], left))
		}
	}
	t.game.finish(cells, sc.outlook(t.x, 0), sc.outlook(1-t.x, 0))
}

// play fills a block from the next layer.
func (t *plainTurn) play(cells []int8, sets [2]uint16, sc *scratch) {
	k, held := t.k[t.x], sets[t.x]
	sc.block.clear(t.from.ply, t.from.ways[t.x], t.from.ways[1-t.x])
	for rest := t.pool &^ (sets[0] | sets[1]); rest != 0; rest &= rest - 1 {
		d := rest & -rest
		rank := bits.OnesCount16(held & (d - 1))
		sets[t.x] = held | d
		next := t.to.cells[t.to.block(t.pool, sets):]
		var won []bool
		if t.each {
			won = t.won[k+1][setRank(held|d, t.pool)*t.to.ways[t.x]:]
		}
		for spot := range t.spots(k) {
			pause()
			if spot == 0 && d == 1 && t.barred {
				continue
			}
			sc.block.move(next, mark(t.next[k][spot*(k+1)+rank], won, sc))
		}
	}
	sc.block.write(cells)
}

// mark returns to with winning in place of the ways that have won.
func mark(to []int32, won []bool, sc *scratch) []int32 {
	if won == nil {
		return to
	}
	sc.to = sc.to[:0]
	for _, way := range to {
		if way != nowhere && won[way] {
			way = winning
		}
		sc.to = append(sc.to, way)
	}
	return sc.to
}
