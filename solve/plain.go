package solve

import (
	"math/bits"

	"digitduel/digit"
)

// A plain layer has a cell for each position of a ply: for each two sets of digits, and each two ways in which they stand.
// The cells of two sets are a block, of a row for each way of the side that is not to move.
type plain struct {
	cells []int8
	rests int64    // how many sets the second number can have beside one of the first
	ways  [2]int64 // in how many ways the digits of each number stand
}

// newPlain returns a plain layer without its cells.
func (g *game) newPlain(ply int) *plain {
	a, b := count(ply, 0), count(ply, 1)
	return &plain{ways: [2]int64{g.countWays(a), g.countWays(b)}, rests: choose[g.size-a][b]}
}

// countPlain returns how many cells a plain layer has.
func (g *game) countPlain(ply int) int64 {
	l := g.newPlain(ply)
	return choose[g.size][count(ply, 0)] * l.rests * l.ways[0] * l.ways[1]
}

// block returns the index of the first cell whose numbers have the given digits.
func (l *plain) block(pool uint16, sets [2]uint16) int64 {
	return (setRank(sets[0], pool)*l.rests + setRank(sets[1], pool&^sets[0])) * l.ways[0] * l.ways[1]
}

// index returns the index of the cell of a position; x is the side to move.
func (l *plain) index(g *game, p digit.Position, x int) int64 {
	var sets [2]uint16
	var ways [2]int64
	sets[0], ways[0] = g.stand(p, digit.First)
	sets[1], ways[1] = g.stand(p, digit.Second)
	return l.block(g.pool, sets) + ways[1-x]*l.ways[x] + ways[x]
}

// A desk has what is worked out once to solve plain layers, by the number of digits.
type desk struct {
	*game
	ways  [digit.MaxWidth + 1]*ways
	sides [digit.MaxWidth + 1][]side
	keys  [digit.MaxWidth + 1][]key // of the sides with one digit to go: by side × digits of the pool + digit
}

func (d *desk) waysOf(k int) *ways {
	if d.ways[k] == nil {
		d.ways[k] = d.newWays(k)
	}
	return d.ways[k]
}

func (d *desk) sidesOf(k int) []side {
	if d.sides[k] == nil {
		d.sides[k] = d.allSides(k)
	}
	return d.sides[k]
}

func (d *desk) keysOf(k int) []key {
	if d.keys[k] != nil {
		return d.keys[k]
	}
	sides := d.sidesOf(k)
	keys := make([]key, 0, len(sides)*d.size)
	for i := range sides {
		for rest := d.pool; rest != 0; rest &= rest - 1 {
			keys = append(keys, d.bestKey(&sides[i], rest&-rest&^sides[i].set))
		}
	}
	d.keys[k] = keys
	return keys
}

// A plainTurn fills a plain layer.
type plainTurn struct {
	*game
	ply  int
	x    int // the side to move
	from *plain

	keys [2][]key // of the last layer

	ways  *ways  // of the number that moves
	moved []side // what it becomes
	still []side // the other one
	plain *plain // the next layer, if it is plain
	fold  *fold  // if it is folded
}

// solvePlain fills the plain layer of a ply.
func (s *Solution) solvePlain(w *work, d *desk, ply int) error {
	g := s.game
	t := &plainTurn{game: g, ply: ply, x: mover(ply), from: s.plains[ply]}
	k := [2]int{count(ply, 0), count(ply, 1)}
	do := t.play
	if ply == g.last {
		t.keys = [2][]key{d.keysOf(k[0]), d.keysOf(k[1])}
		do = t.finish
	} else {
		t.ways = d.waysOf(k[t.x])
		if ply+1 < s.from {
			t.plain = s.plains[ply+1]
		} else {
			t.fold = s.folds[ply+1-s.from]
		}
		if t.fold != nil || g.each {
			t.moved, t.still = d.sidesOf(k[t.x]+1), d.sidesOf(k[1-t.x])
		}
	}
	var firsts []uint16
	sets(g.pool, k[0], func(_ int64, set uint16) { firsts = append(firsts, set) })
	size := t.from.ways[0] * t.from.ways[1]
	return w.share(len(firsts), t.from.rests*size, func(i int, sc *scratch) {
		at := int64(i) * t.from.rests * size
		sets(g.pool&^firsts[i], k[1], func(_ int64, second uint16) {
			do(t.from.cells[at:at+size], [2]uint16{firsts[i], second}, sc)
			at += size
		})
	})
}

// finish fills a block of the last layer.
func (t *plainTurn) finish(out []int8, sets [2]uint16, sc *scratch) {
	var digits [16]int
	n := 0
	for rest := t.pool &^ (sets[0] | sets[1]); rest != 0; rest &= rest - 1 {
		digits[n] = bits.OnesCount16(t.pool & (rest&-rest - 1))
		n++
	}
	for s, set := range sets {
		size := t.from.ways[s] * int64(t.size)
		from := setRank(set, t.pool) * size
		ta := &sc.tallies[s]
		ta.keys, ta.n, ta.bests = t.keys[s][from:from+size], t.size, ta.bests[:0]
		for i := range int(t.from.ways[s]) {
			ta.bests = append(ta.bests, bestOf(ta.keys[i*t.size:(i+1)*t.size], digits[:n]))
		}
	}
	t.game.finish(out, &sc.tallies[t.x], &sc.tallies[1-t.x])
}

// play fills a block from the next layer.
func (t *plainTurn) play(out []int8, sets [2]uint16, sc *scratch) {
	x := t.x
	mine, row := int(t.from.ways[x]), int(t.from.ways[1-x])
	sc.best = grow(sc.best, mine*row) // a row for each way of the mover
	fill(sc.best, unknown)
	if t.fold != nil {
		t.refer(sc, t.still[setRank(sets[1-x], t.pool)*int64(row):][:row])
	}
	held, left := sets[x], t.pool&^(sets[0]|sets[1])
	for rest := left; rest != 0; rest &= rest - 1 {
		d := rest & -rest
		rank := bits.OnesCount16(held & (d - 1))
		sets[x] = held | d
		var child []int8
		var moved []side
		if t.plain != nil {
			child = t.plain.cells[t.plain.block(t.pool, sets):]
		}
		if t.moved != nil {
			moved = t.moved[setRank(sets[x], t.pool)*t.countWays(t.ways.digits+1):]
			sc.views.clear(left &^ d)
		}
		for spot := range t.ways.spots {
			if spot == 0 && d == 1 && t.barred {
				continue
			}
			for i, to := range t.ways.next[spot*(t.ways.digits+1)+rank] {
				best := sc.best[i*row : (i+1)*row]
				switch {
				case to == nowhere:
				case t.each && t.hasWon(&moved[to], false):
					fill(best, int8(horizon-t.ply-1))
				case t.plain != nil:
					raise(best, child[int(to)*row:])
				default:
					t.raiseFolded(best, &moved[to], sc)
				}
			}
		}
	}
	for i := range mine {
		scatter(sc.best[i*row:(i+1)*row], out, i, mine)
	}
}

// A ref is what a side adds to the index of a cell of the next, folded layer, and to what finds its view and its shapes.
type ref struct {
	lead  int // where no game goes on from the side: -1
	shape int
	cell  int64
}

// ref returns what side s adds.
func (t *plainTurn) ref(at *side, s int) ref {
	l := t.fold
	r := ref{at.lead.index(), t.shapes[at.shape].pos, int64(at.rem - l.low[s])}
	if s == 0 {
		r.lead *= leads
		r.shape *= len(l.of[1])
	}
	if s == t.x { // not to move in the next layer
		r.cell *= l.rems[1-s]
	}
	return r
}

// refer works out the refs of the side that does not move.
func (t *plainTurn) refer(sc *scratch, still []side) {
	sc.still, sc.refs = still, sc.refs[:0]
	for i := range still {
		if t.hasWon(&still[i], false) {
			sc.refs = append(sc.refs, ref{lead: -1})
		} else {
			sc.refs = append(sc.refs, t.ref(&still[i], 1-t.x))
		}
	}
}

// raiseFolded is raise for a move to a folded layer.
func (t *plainTurn) raiseFolded(best []int8, moved *side, sc *scratch) {
	l, c, own := t.fold, &sc.views, t.ref(moved, t.x)
	size := l.rems[0] * l.rems[1]
	for i, r := range sc.refs {
		if r.lead < 0 {
			continue
		}
		at := own.lead + r.lead
		if c.when[at] != c.now {
			var two [2]*side
			two[t.x], two[1-t.x] = moved, &sc.still[i]
			c.when[at], c.view[at] = c.now, l.view(t.game, c.left, two[0], two[1])
		}
		v := l.cells[l.base[own.shape+r.shape]+int64(c.view[at])*size+own.cell+r.cell]
		best[i] = max(best[i], -v)
	}
}
