package solve

import (
	"context"
	"iter"
	"math"
	"math/bits"

	"digitduel/digit"
)

// plan decides which layers are plain and which are folded. The first ones have few positions and little to fold, so they
// are plain; from some ply on all are folded; the ply is the one that makes the solution the smallest.
func plan(ctx context.Context, g *game, budget int64) (*Solution, error) {
	n := g.last + 1
	plains, folds := make([]int64, n), make([]int64, n) // bytes of each layer; of folds at first the least there can be
	for ply := range n {
		plains[ply], folds[ply] = g.countPlain(ply), math.MaxInt64
		if g.place != digit.Hand {
			folds[ply] = g.newFold(ply).lay(g, g.leastViews(g.size-ply))
		}
	}
	from := n
	for from > 0 && folds[from-1] < plains[from-1] {
		from--
	}
	need := func(from int) int64 {
		sum := g.plainTables(from)
		for ply := range n {
			if ply < from {
				sum += plains[ply]
			} else {
				sum += folds[ply]
			}
		}
		return sum
	}
	if least := need(from); least > budget {
		return nil, &BudgetError{g.rules, least, budget}
	}
	var layers []*fold
	for l, err := range g.unfold(ctx, from < n) {
		if err != nil {
			return nil, err
		}
		layers = append(layers, l)
		views := l.countViews()
		folds[l.ply] = l.lay(g, views) + viewBytes*(views[0]+views[1]+views[2]+views[3])
		if least := need(from); l.ply >= from && least > budget {
			return nil, &BudgetError{g.rules, least, budget}
		}
	}
	if layers != nil {
		for try := from; try <= n; try++ {
			if need(try) < need(from) {
				from = try
			}
		}
	}
	return g.layout(from, layers, need(from)), nil
}

// unfold yields the folded layers with their views, if any are wanted.
func (g *game) unfold(ctx context.Context, wanted bool) iter.Seq2[*fold, error] {
	return func(yield func(*fold, error) bool) {
		if !wanted {
			return
		}
		l := g.newFold(0)
		l.views[0] = &views{}
		start := view{g.pool, [2]lead{{mark: none}, {mark: none}}}
		l.views[0].add(g.viewKey(start, 0), start)
		for yield(l, nil) && l.ply < g.last {
			next := g.newFold(l.ply + 1)
			if err := l.look(ctx, g, next); err != nil {
				yield(nil, err)
				return
			}
			l = next
		}
	}
}

// layout returns a solution, yet to be filled, whose layers are plain before a ply and folded from it on.
func (g *game) layout(from int, layers []*fold, bytes int64) *Solution {
	s := &Solution{game: g, from: from, size: Size{Bytes: bytes}}
	for ply := range g.last + 1 {
		if ply < from {
			s.plains = append(s.plains, g.newPlain(ply))
			s.size.Classes += g.countPlain(ply)
		} else {
			s.folds = append(s.folds, layers[ply])
			s.size.Classes += layers[ply].lay(g, layers[ply].countViews())
		}
	}
	return s
}

// About how many bytes one thing of a kind takes, with what it takes to find it.
const (
	viewBytes = 42
	sideBytes = 24
	keyBytes  = 8
	handBytes = 9
)

// plainTables returns about how much memory it takes to solve the layers before a ply besides the layers.
func (g *game) plainTables(from int) int64 {
	if from == 0 {
		return 0
	}
	n := int64(0)
	if g.place == digit.Hand {
		n = handBytes << g.base
	}
	for k := range min((from+1)/2, g.fills[0]) + 1 {
		numbers := choose[g.size][k] * g.countWays(k)
		if from > g.last || g.each || k+1 >= (from+1)/2 {
			n += numbers * sideBytes
		}
		if from > g.last && (k == g.fills[0]-1 || k == g.fills[1]-1) {
			n += numbers * int64(g.size) * keyBytes
		}
	}
	return n
}

// leastViews returns how many views there are at the least when n digits are left, by which numbers are led.
func (g *game) leastViews(n int) [4]int64 {
	kinds := g.countKinds(g.pool, n)[n]
	if !g.marks || g.place == digit.Ends {
		return [4]int64{kinds, kinds, kinds, kinds}
	}
	// With one number led the digits below and above count apart, and with both there are two orders.
	split := kinds
	for rest := g.pool; rest != 0; rest &= rest - 1 {
		under, over := g.countKinds(g.pool&(rest&-rest-1), n), g.countKinds(rest&(rest-1), n)
		sum := int64(0)
		for i := range n + 1 {
			sum += under[i] * over[n-i]
		}
		split = max(split, sum)
	}
	return [4]int64{kinds, split, split, 2 * kinds}
}

// countKinds returns, by size up to n, how many sets of digits there are that differ in the kinds of their digits.
func (g *game) countKinds(pool uint16, n int) []int64 {
	var of [16]int
	for ; pool != 0; pool &= pool - 1 {
		of[g.kind[bits.TrailingZeros16(pool)]]++
	}
	sets := make([]int64, n+1)
	sets[0] = 1
	for _, most := range of {
		for size := n; size >= 0; size-- {
			for take := 1; take <= min(most, size); take++ {
				sets[size] += sets[size-take]
			}
		}
	}
	return sets
}
