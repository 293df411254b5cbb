package solve

import (
	"context"
	"math/bits"
	"slices"
)

// A fold is a layer in which the positions of a ply that can never differ share a cell. What is left of a position is
// the shape and the remainder of each number, and a view of the rest. The cells of two shapes in a view are a block,
// of a row for each remainder of the side that is not to move.
type fold struct {
	cells []int8
	ply   int
	rems  [2]int64
	low   [2]uint32
	of    [2][]int  // the shapes of each number
	base  []int64   // the first cell of two shapes: by the position of the first × number of second ones + that of the second
	views [4]*views // by which numbers are led
}

// newFold returns the folded layer of a ply without its views and cells.
func (g *game) newFold(ply int) *fold {
	l := &fold{ply: ply}
	for s := range 2 {
		k := count(ply, s)
		n, low := g.rems(k)
		l.rems[s], l.low[s], l.of[s] = int64(n), low, g.of[k]
	}
	l.base = make([]int64, len(l.of[0])*len(l.of[1]))
	return l
}

// led returns which of two shapes have the leading digit that matters.
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

// lay places the cells of each two shapes, which have so many views by which numbers are led, and returns how many there are.
func (l *fold) lay(g *game, views [4]int64) int64 {
	size := int64(0)
	for i, a := range l.of[0] {
		for j, b := range l.of[1] {
			l.base[i*len(l.of[1])+j] = size
			size += views[g.led(a, b)] * l.rems[0] * l.rems[1]
		}
	}
	return size
}

// countViews returns how many views there are by which numbers are led.
func (l *fold) countViews() (n [4]int64) {
	for led, v := range l.views {
		if v != nil {
			n[led] = int64(len(v.all))
		}
	}
	return n
}

// block returns the index of the first cell of two shapes in a view.
func (l *fold) block(g *game, a, b int, view uint32) int64 {
	return l.base[g.shapes[a].pos*len(l.of[1])+g.shapes[b].pos] + int64(view)*l.rems[0]*l.rems[1]
}

// cell returns the index of the cell of two sides in a view.
func (l *fold) cell(g *game, a, b *side, view uint32) int64 {
	col, row := int64(a.rem-l.low[0]), int64(b.rem-l.low[1])
	cols := l.rems[0]
	if mover(l.ply) == 1 {
		col, row, cols = row, col, l.rems[1]
	}
	return l.block(g, a.shape, b.shape, view) + row*cols + col
}

// view returns the number of the view that two sides give of what is left.
func (l *fold) view(g *game, left uint16, a, b *side) uint32 {
	led := g.led(a.shape, b.shape)
	return l.views[led].number(g.viewKey(view{left, [2]lead{a.lead, b.lead}}, led))
}

// may reports whether the mover of a layer can place a digit so that it does not lead, or does.
func (l *fold) may(g *game, led int) (can [2]bool) {
	x := mover(l.ply)
	for _, i := range l.of[x] {
		if sh := &g.shapes[i]; sh.led == (led>>x&1 == 1) {
			for _, st := range sh.steps {
				can[st.lead()] = true
			}
		}
	}
	return can
}

// look finds the views of the next layer: what every move makes of those of this one.
func (l *fold) look(ctx context.Context, g *game, next *fold) error {
	x := mover(l.ply)
	for led, seen := range l.views {
		if seen == nil {
			continue
		}
		can := l.may(g, led)
		for i, v := range seen.all {
			if i%1024 == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			for rest := v.left; rest != 0; rest &= rest - 1 {
				d := bits.TrailingZeros16(rest)
				for leads := range 2 {
					if !can[leads] || d == 0 && leads == 1 && g.barred {
						continue
					}
					to, toLed := g.after(v, led, x, d, leads == 1)
					if next.views[toLed] == nil {
						next.views[toLed] = &views{}
					}
					next.views[toLed].add(g.viewKey(to, toLed), to)
				}
			}
		}
	}
	return nil
}

// solveFold fills the folded layer of a ply.
func (s *Solution) solveFold(w *work, ply int) error {
	g, l := s.game, s.folds[ply-s.from]
	for led, seen := range l.views {
		if seen == nil {
			continue
		}
		t := &foldTurn{game: g, x: mover(ply), from: l, led: led, can: l.may(g, led)}
		for n := range 2 {
			for _, i := range l.of[n] {
				if g.shapes[i].led == (led>>n&1 == 1) {
					t.shapes[n] = append(t.shapes[n], i)
				}
			}
		}
		do := t.finish
		if ply < g.last {
			t.to = s.folds[ply+1-s.from]
			do = t.play
		}
		cells := int64(len(t.shapes[0])) * int64(len(t.shapes[1])) * l.rems[0] * l.rems[1]
		if err := w.share(len(seen.all), cells, do); err != nil {
			return err
		}
	}
	return nil
}

// A foldTurn fills the cells of a folded layer in which the same numbers are led.
type foldTurn struct {
	*game
	x        int // the side to move
	from, to *fold
	led      int
	shapes   [2][]int
	can      [2]bool
}

// finish fills the cells of a view of the last layer.
func (t *foldTurn) finish(view int, sc *scratch) {
	v := t.from.views[t.led].all[view]
	n := bits.OnesCount16(v.left)
	for s := range 2 {
		// One tally for all the shapes of a number, one after the other.
		ta := &sc.tallies[s]
		ta.n, ta.keys, ta.bests = n, sc.keys[s][:0], ta.bests[:0]
		for _, sh := range t.shapes[s] {
			for rem := range uint32(t.from.rems[s]) {
				from := len(ta.keys)
				for rest := v.left; rest != 0; rest &= rest - 1 {
					ta.keys = append(ta.keys, t.lastKey(&t.game.shapes[sh], rem+t.from.low[s], v.leads[s], bits.TrailingZeros16(rest)))
				}
				ta.bests = append(ta.bests, bestOf(ta.keys[from:], upTo[:n]))
			}
		}
		sc.keys[s] = ta.keys
	}
	size := t.from.rems[0] * t.from.rems[1]
	for i, a := range t.shapes[0] {
		for j, b := range t.shapes[1] {
			block := t.from.block(t.game, a, b, uint32(view))
			at := [2]int{i, j}
			x, y := t.part(sc, t.x, at), t.part(sc, 1-t.x, at)
			t.game.finish(t.from.cells[block:block+size], &x, &y)
		}
	}
}

// part returns the part of a tally that is about one shape.
func (t *foldTurn) part(sc *scratch, s int, at [2]int) tally {
	ta, rems := &sc.tallies[s], int(t.from.rems[s])
	from, to := at[s]*rems, (at[s]+1)*rems
	return tally{ta.keys[from*ta.n : to*ta.n], ta.n, ta.bests[from:to]}
}

var upTo = [16]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// A move is a digit that is left, and the views of the next layer that it leads to, by whether it leads its number.
type move struct {
	digit int
	kind  uint8
	to    [2]uint32
}

// moves lists the moves of a view; those that differ in nothing are listed once.
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
				m.to[leads] = t.to.views[led].number(t.viewKey(to, led))
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
	mine, row := int(t.from.rems[t.x]), int(t.from.rems[1-t.x])
	sc.best = grow(sc.best, mine*row) // a row for each remainder of the mover
	for _, a := range t.shapes[0] {
		for _, b := range t.shapes[1] {
			fill(sc.best, unknown)
			shapes := [2]int{a, b}
			moving := &t.game.shapes[shapes[t.x]]
			for _, m := range sc.moves {
				for i := range moving.steps {
					st := &moving.steps[i]
					if m.digit == 0 && st.leads && t.barred {
						continue
					}
					shapes[t.x] = st.to
					block := t.to.block(t.game, shapes[0], shapes[1], m.to[st.lead()])
					t.step(sc.best, t.to.cells[block:], m.digit, st, t.extend(v.leads[t.x], m.digit, st.leads))
				}
			}
			block := t.from.block(t.game, a, b, uint32(view))
			for i := range mine {
				scatter(sc.best[i*row:(i+1)*row], t.from.cells[block:], i, mine)
			}
		}
	}
}

// step makes each value at least what a step leads to.
func (t *foldTurn) step(best, child []int8, d int, st *step, lead lead) {
	row := int(t.from.rems[1-t.x])
	add := st.adds[d]
	won := t.each && t.wins(0, lead)
	for _, rem := range st.times[t.from.low[t.x]:][:t.from.rems[t.x]] {
		if rem += add; rem >= t.mod {
			rem -= t.mod
		}
		if rem == 0 && won {
			fill(best[:row], int8(horizon-t.from.ply-1))
		} else {
			raise(best[:row], child[int(rem-t.to.low[t.x])*row:])
		}
		best = best[row:]
	}
}
