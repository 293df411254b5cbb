package solve

import (
	"context"
	"math/bits"
	"slices"
)

// A fold is a layer in which equivalent positions of a ply share a cell. A position is reduced to
// the shape and the remainder of each number and a view of the rest. The cells of two shapes in a
// view form a block.
type fold struct {
	cells []int8
	ply   int
	size  int64     // number of cells
	rems  [2]int64  // number of possible remainders of each number
	low   [2]uint32 // lowest possible remainder of each number
	of    [2][]int  // the shapes of each number
	base  []int64   // first cell of two shapes, by the positions of the first and the second
	views [4]views  // by led
}

// newFold returns the folded layer of a ply without its views and cells.
func (g *game) newFold(ply int) *fold {
	l := &fold{ply: ply}
	for s := range 2 {
		k := count(ply, s)
		l.rems[s], l.low[s], l.of[s] = 1, 0, g.of[k]
		if k > 0 {
			l.rems[s], l.low[s] = int64(g.mod-g.low), g.low
		}
	}
	l.base = make([]int64, len(l.of[0])*len(l.of[1]))
	return l
}

// led returns a bit for each of two shapes that is set if the shape has the leading digit that
// matters.
func (g *game) led(a, b int) int {
	led := 0
	if g.shapes[a].led {
		led |= 1
	}
	if g.shapes[b].led {
		led |= 2
	}
	return led
}

// layOut assigns cells to each two shapes, given the number of views by led, and returns the
// number of cells.
func (l *fold) layOut(g *game, views [4]int64) int64 {
	l.size = 0
	for i, a := range l.of[0] {
		for j, b := range l.of[1] {
			l.base[i*len(l.of[1])+j] = l.size
			l.size += views[g.led(a, b)] * l.rems[0] * l.rems[1]
		}
	}
	return l.size
}

// block returns the index of the first cell of two shapes in a view.
func (l *fold) block(g *game, a, b int, view uint32) int64 {
	return l.base[g.shapes[a].pos*len(l.of[1])+g.shapes[b].pos] + int64(view)*l.rems[0]*l.rems[1]
}

// index returns the index of the cell of two sides with the given digits left.
func (l *fold) index(g *game, left uint16, sides *[2]side) int64 {
	a, b := &sides[0], &sides[1]
	led := g.led(a.shape, b.shape)
	view := l.views[led].number[g.viewKey(view{left, [2]lead{a.lead, b.lead}}, led)]
	x := mover(l.ply)
	row, col := int64(sides[1-x].rem-l.low[1-x]), int64(sides[x].rem-l.low[x])
	return l.block(g, a.shape, b.shape, view) + row*l.rems[x] + col
}

// may reports whether the mover of a layer can place a digit that does not lead its number, and
// one that does.
func (l *fold) may(g *game, led int) (can [2]bool) {
	x := mover(l.ply)
	for _, i := range l.of[x] {
		if sh := &g.shapes[i]; sh.led == (led>>x&1 == 1) {
			for _, sp := range sh.spots {
				can[sp.lead()] = true
			}
		}
	}
	return can
}

// addViews adds the views after every move from l to the next layer.
func (l *fold) addViews(ctx context.Context, g *game, next *fold) error {
	x := mover(l.ply)
	for led := range l.views {
		can := l.may(g, led)
		for i, v := range l.views[led].all {
			pause()
			if i%1024 == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			for rest := v.left; rest != 0; rest &= rest - 1 {
				d := bits.TrailingZeros16(rest)
				for leads := range 2 {
					if can[leads] && !(d == 0 && leads == 1 && g.barred) {
						to, toLed := g.after(v, led, x, d, leads == 1)
						next.views[toLed].add(g.viewKey(to, toLed), to)
					}
				}
			}
		}
	}
	return nil
}

// A foldTurn fills the cells of a folded layer with one value of led.
type foldTurn struct {
	*game
	x        int // the side to move
	from, to *fold
	led      int
	shapes   [2][]int
	can      [2]bool
}

// fillFold fills a folded layer from the next one. It has none if from is the last layer.
func (g *game) fillFold(w *job, from, to *fold) error {
	for led := range from.views {
		t := &foldTurn{
			game: g, x: mover(from.ply), from: from, to: to, led: led, can: from.may(g, led),
		}
		for s := range 2 {
			for _, i := range from.of[s] {
				if g.shapes[i].led == (led>>s&1 == 1) {
					t.shapes[s] = append(t.shapes[s], i)
				}
			}
		}
		do := t.play
		if to == nil {
			do = t.finish
		}
		cells := int64(len(t.shapes[0])) * int64(len(t.shapes[1])) * from.rems[0] * from.rems[1]
		if err := w.share(len(from.views[led].all), cells, do); err != nil {
			return err
		}
	}
	return nil
}

// block returns the cells of two shapes in a view.
func (t *foldTurn) block(a, b, view int) []int8 {
	at := t.from.block(t.game, a, b, uint32(view))
	return t.from.cells[at : at+t.from.rems[0]*t.from.rems[1]]
}

// finish fills the cells of a view of the last layer.
func (t *foldTurn) finish(view int, sc *scratch) {
	v := t.from.views[t.led].all[view]
	left := t.ranks(v.left, sc)
	for s := range 2 {
		for i, sh := range t.shapes[s] {
			t.evaluate(&t.game.shapes[sh], s, v, left, sc.outlook(s, i))
		}
	}
	for i, a := range t.shapes[0] {
		for j, b := range t.shapes[1] {
			pause()
			both := [2]*outlook{sc.outlook(0, i), sc.outlook(1, j)}
			t.game.finish(t.block(a, b, view), both[t.x], both[1-t.x])
		}
	}
}

// evaluate computes the keys that a number of a shape gets from the digits left, for each of its
// remainders.
func (t *foldTurn) evaluate(sh *shape, s int, v view, left []int, o *outlook) {
	o.keys, o.bests = slices.Grow(o.keys[:0], int(t.from.rems[s])*t.size), o.bests[:0]
	for rem := range uint32(t.from.rems[s]) {
		keys := o.keys[len(o.keys) : len(o.keys)+t.size]
		for i, rest := 0, v.left; rest != 0; i, rest = i+1, rest&(rest-1) {
			keys[left[i]] = t.lastKey(sh, rem+t.from.low[s], v.leads[s], bits.TrailingZeros16(rest))
		}
		o.keys, o.bests = o.keys[:len(o.keys)+t.size], append(o.bests, bestOf(keys, left))
	}
}

// A move is a digit and the views of the next layer it leads to, by whether it leads its number.
type move struct {
	digit int
	kind  uint8
	to    [2]uint32
}

// moves lists the moves of a view. Equivalent moves are listed once.
func (t *foldTurn) moves(v view, list []move) []move {
	list = list[:0]
	for rest := v.left; rest != 0; rest &= rest - 1 {
		d := bits.TrailingZeros16(rest)
		m := move{digit: d, kind: t.kind[d]}
		if d == 0 {
			m.kind = t.zero
		}
		for leads := range 2 {
			if t.can[leads] && !(d == 0 && leads == 1 && t.barred) {
				to, led := t.after(v, t.led, t.x, d, leads == 1)
				m.to[leads] = t.to.views[led].number[t.viewKey(to, led)]
			}
		}
		same := func(o move) bool { return o.kind == m.kind && o.to == m.to }
		if !slices.ContainsFunc(list, same) {
			list = append(list, m)
		}
	}
	return list
}

// play fills the cells of a view from the next layer.
func (t *foldTurn) play(view int, sc *scratch) {
	v := t.from.views[t.led].all[view]
	sc.moves = t.moves(v, sc.moves)
	for _, a := range t.shapes[0] {
		for _, b := range t.shapes[1] {
			pause()
			sc.block.clear(t.from.ply, t.from.rems[t.x], t.from.rems[1-t.x])
			to := [2]int{a, b}
			moving := &t.game.shapes[to[t.x]]
			for _, m := range sc.moves {
				for i := range moving.spots {
					sp := &moving.spots[i]
					if m.digit == 0 && sp.leads && t.barred {
						continue
					}
					to[t.x] = sp.to
					next := t.to.block(t.game, to[0], to[1], m.to[sp.lead()])
					sc.block.move(t.to.cells[next:], t.states(sp, m.digit, v.leads[t.x], sc))
				}
			}
			sc.block.write(t.block(a, b, view))
		}
	}
}

// states returns the state of the mover after a digit in a spot, for each of its remainders.
func (t *foldTurn) states(sp *spot, d int, l lead, sc *scratch) []int32 {
	wins := t.each && t.wins(0, t.extend(l, d, sp.leads))
	sc.to = sc.to[:0]
	rem := (t.from.low[t.x]*sp.mul + uint32(d)*sp.weight) % t.mod
	for range t.from.rems[t.x] {
		to := int32(rem - t.to.low[t.x])
		if rem == 0 && wins {
			to = winning
		}
		sc.to = append(sc.to, to)
		if rem += sp.mul; rem >= t.mod {
			rem -= t.mod
		}
	}
	return sc.to
}
