package solve

import (
	"context"
	"math"
	"math/bits"

	"digitduel/digit"
)

// plan returns a solution without cells. Its layers are folded, or plain if that takes less
// memory.
func plan(ctx context.Context, g *game, budget int64) (*Solution, error) {
	plain := g.plainSize()
	folds, fold, err := g.foldLayers(ctx, plain.Bytes-1, budget)
	switch {
	case err != nil:
		return nil, err
	case folds != nil:
		return &Solution{game: g, folds: folds, size: fold}, nil
	case plain.Bytes <= budget:
		return g.plainSolution(), nil
	}
	return nil, &BudgetError{g.rules, false, min(plain.Bytes, fold.Bytes), budget}
}

// plainSolution returns a solution of plain layers without cells.
func (g *game) plainSolution() *Solution {
	s := &Solution{game: g, size: g.plainSize()}
	for ply := range g.last + 1 {
		s.plains = append(s.plains, g.newPlain(ply))
	}
	return s
}

// Approximate bytes per item, including its index.
const (
	viewBytes     = 76
	wayBytes      = 4
	keyBytes      = 8
	handBytes     = 9
	positionBytes = 16
)

// plainSize returns the size of a solution of plain layers.
func (g *game) plainSize() Size {
	var s Size
	for ply := range g.last + 1 {
		s.Classes += g.countPlain(ply)
	}
	s.Bytes = s.Classes
	if g.place == digit.Hand {
		s.Bytes += handBytes << g.base
	}
	for k := range g.fills[0] {
		s.Bytes += int64(g.spots(k)*(k+1)) * g.countWays(k) * wayBytes
		if g.each {
			s.Bytes += g.countNumbers(k + 1)
		}
		if k == g.fills[0]-1 || k == g.fills[1]-1 {
			s.Bytes += g.countNumbers(k) * int64(g.size) * keyBytes
		}
	}
	return s
}

// foldLayers returns the folded layers without cells, and the size of a solution of them. If that
// exceeds most or the budget, it returns no layers and a lower bound of the size; to improve that
// bound it uses at most a quarter of the budget. Hands are not folded: their set of digits is
// their class.
func (g *game) foldLayers(ctx context.Context, most, budget int64) ([]*fold, Size, error) {
	if g.place == digit.Hand {
		return nil, Size{Bytes: math.MaxInt64}, nil
	}
	var layers []*fold
	var s Size
	found := int64(0) // number of views
	for ply := range g.last + 1 {
		// Every view counts at least the kinds of the digits left.
		l, least := g.newFold(ply), g.countKinds(g.size-ply)
		s.Bytes += l.layOut(g, [4]int64{least, least, least, least})
		layers = append(layers, l)
	}
	for ply, l := range layers {
		if s.Bytes > most || s.Bytes > budget && found*viewBytes > budget/4 {
			return nil, s, nil
		}
		if ply == 0 {
			start := view{g.pool, [2]lead{noLead, noLead}}
			l.views[0].add(g.viewKey(start, 0), start)
		} else if err := layers[ply-1].addViews(ctx, g, l); err != nil {
			return nil, s, err
		}
		var views [4]int64
		for led := range views {
			views[led] = int64(len(l.views[led].all))
			s.Bytes += views[led] * viewBytes
			found += views[led]
		}
		least := l.size
		s.Classes += l.layOut(g, views)
		s.Bytes += l.size - least
	}
	if s.Bytes > min(most, budget) {
		return nil, s, nil
	}
	return layers, s, nil
}

// countKinds returns the number of sets of n digits of the pool that differ in the kinds of their
// digits.
func (g *game) countKinds(n int) int64 {
	var of [16]int
	for rest := g.pool; rest != 0; rest &= rest - 1 {
		of[g.kind[bits.TrailingZeros16(rest)]]++
	}
	sets := make([]int64, n+1) // by size
	sets[0] = 1
	for _, most := range of {
		for size := n; size >= 0; size-- {
			for take := 1; take <= min(most, size); take++ {
				sets[size] += sets[size-take]
			}
		}
	}
	return sets[n]
}
