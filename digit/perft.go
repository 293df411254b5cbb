package digit

import (
	"iter"
	"math/bits"
)

// A Perft counts one ply of a game: what another implementation of the rules must find there too.
type Perft struct {
	Ply       int    `json:"ply"`
	Positions int    `json:"positions"` // distinct positions that play can reach
	Finished  int    `json:"finished"`  // those of them in which the game is over
	Games     uint64 `json:"games"`     // distinct sequences of moves that end the game at this ply
}

// Perft yields the counts of each ply from 0 on, until no game goes on.
func (r Rules) Perft() iter.Seq[Perft] {
	return func(yield func(Perft) bool) {
		now := newWays(1)
		now.add(Position{}, 1)
		for ply := 0; now.used > 0; ply++ {
			count := Perft{Ply: ply, Positions: now.used}
			for i := range now.cells {
				if c := &now.cells[i]; c.n > 0 && r.result(c.p).Over() {
					count.Finished++
					count.Games += c.n
					c.n = 0 // nothing is looked up in this ply any more
				}
			}
			if !yield(count) {
				return
			}
			next := newWays(2 * (now.used - count.Finished))
			for _, c := range now.cells {
				if c.n == 0 {
					continue
				}
				turn := c.p.turn()
				mine := c.p.of(turn)
				for m := range r.Moves(c.p) {
					next.add(c.p.with(turn, r.take(mine, m)), c.n)
				}
			}
			now = next
		}
	}
}

// ways counts the sequences of moves that lead to each position of a ply. It is a hash table for just that: positions are only
// added, and a count is never 0.
type ways struct {
	cells []cell // a power of two of them
	shift int    // what turns a hash into a place among them
	used  int
}

// A cell is free while n is 0.
type cell struct {
	p Position
	n uint64
}

// newWays returns a table for some positions, which grows if there are more.
func newWays(positions int) *ways {
	size := max(2, bits.Len(uint(2*positions)))
	return &ways{cells: make([]cell, 1<<size), shift: 64 - size}
}

func (w *ways) add(p Position, n uint64) {
	c := w.find(p)
	if c.n == 0 {
		if 4*(w.used+1) > 3*len(w.cells) { // a quarter stays free, so that looking always ends
			w.grow()
			c = w.find(p)
		}
		w.used++
		c.p = p
	}
	c.n += n
}

// find returns the cell of a position, or the free one where it belongs.
func (w *ways) find(p Position) *cell {
	hash := uint64(p.first)*0x9e3779b97f4a7c15 ^ bits.RotateLeft64(uint64(p.second)*0xc2b2ae3d27d4eb4f, 32)
	hash = (hash ^ hash>>29) * 0xbf58476d1ce4e5b9
	for i := hash >> w.shift; ; i++ {
		if c := &w.cells[i&uint64(len(w.cells)-1)]; c.n == 0 || c.p == p {
			return c
		}
	}
}

func (w *ways) grow() {
	old := w.cells
	w.cells, w.shift = make([]cell, 2*len(old)), w.shift-1
	for _, c := range old {
		if c.n > 0 {
			*w.find(c.p) = c
		}
	}
}
