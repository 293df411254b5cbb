package solve

import (
	"slices"

	"digitduel/digit"
)

// A shape describes how a number can grow, apart from the digits available: how many digits it
// has, and which kinds of places are free. Places of equal weight modulo the target are of one
// kind, except the leading one where it matters.
type shape struct {
	count int
	led   bool // the leading digit matters and is placed
	pos   int  // index among the shapes with the same number of digits
	spots []spot
}

// A spot takes a digit: a place of a kind, or an end. The remainder r becomes r × mul + digit ×
// weight.
type spot struct {
	to          int  // the shape afterwards
	leads       bool // the digit leads the number, and that matters
	mul, weight uint32
}

// lead returns 1 if the digit leads the number, and that matters.
func (sp *spot) lead() int {
	if sp.leads {
		return 1
	}
	return 0
}

// tracks reports whether it matters how a number begins.
func (g *game) tracks() bool { return g.marks || g.special }

// shapeSlots makes the shapes of numbers with fixed places. A shape counts the filled places of
// each kind.
func (g *game) shapeSlots() {
	type kind struct {
		weight uint32
		lead   bool
		places int
		unit   int // added to the index of a shape by a filled place
	}
	var kinds []kind
	for i, w := g.width-1, 1%g.mod; i >= 0; i, w = i-1, w*g.base%g.mod {
		g.weight[i] = w
	}
	in := [digit.MaxWidth]int{} // the kind of each place
	for i := range g.width {
		k := kind{weight: g.weight[i], lead: i == 0 && g.tracks()}
		at := slices.IndexFunc(kinds, func(q kind) bool {
			return q.weight == k.weight && q.lead == k.lead
		})
		if at < 0 {
			at = len(kinds)
			kinds = append(kinds, k)
		}
		kinds[at].places++
		in[i] = at
	}
	size := 1
	for i := range kinds {
		kinds[i].unit = size
		size *= kinds[i].places + 1
	}
	for i := range g.width {
		g.unit[i] = kinds[in[i]].unit
	}
	g.shapes = make([]shape, size)
	for i := range g.shapes {
		sh := &g.shapes[i]
		for _, k := range kinds {
			filled := i / k.unit % (k.places + 1)
			sh.count += filled
			sh.led = sh.led || k.lead && filled > 0
			if filled < k.places {
				sh.spots = append(sh.spots, spot{i + k.unit, k.lead, 1, k.weight})
			}
		}
	}
}

// shapeEnds makes the shapes of growing numbers. A shape is the number of digits.
func (g *game) shapeEnds() {
	g.shapes = make([]shape, max(g.fills[0], g.fills[1])+1)
	one, ten := 1%g.mod, g.base%g.mod
	w := one
	for k := range g.shapes {
		sh := &g.shapes[k]
		sh.count, sh.led = k, g.tracks() && k > 0
		if k+1 < len(g.shapes) {
			sh.spots = append(sh.spots, spot{k + 1, g.tracks(), 1, w})
			if k > 0 && (g.tracks() || w != one || ten != one) { // otherwise both ends are alike
				sh.spots = append(sh.spots, spot{k + 1, false, ten, one})
			}
		}
		w = w * ten % g.mod
	}
}
