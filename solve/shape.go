package solve

import (
	"slices"

	"digitduel/digit"
)

// none stands for the digit of a place that has none.
const none = 16

// A lead is how a number begins: the digit that its order depends on, if it has one, and whether it begins with 0.
// The digit is the leading one or, where one number grows longer than the other, the leading one that is not 0.
type lead struct {
	mark uint8
	zero bool
}

// begin returns how a number begins, given the digits of its two leftmost places, either of which can be none.
func (g *game) begin(first, second uint8) lead {
	if first == 0 && g.longer {
		return lead{second, true}
	}
	return lead{first, first == 0}
}

// extend returns how a number begins after another digit.
func (g *game) extend(l lead, d int, leads bool) lead {
	switch {
	case leads && d == 0 && g.longer:
		return lead{l.mark, true}
	case leads:
		return lead{uint8(d), d == 0}
	case g.longer && l.zero && l.mark == none:
		return lead{uint8(d), true}
	}
	return l
}

// index numbers the different leads.
func (l lead) index() int {
	if l.zero {
		return int(l.mark)*2 + 1
	}
	return int(l.mark) * 2
}

const leads = 2 * (none + 1)

// A shape is what can still be done to a number, apart from the digits there are: how many digits it has, and which
// kinds of places are free. Places of equal weight modulo the target are of one kind, except the leading one where it matters.
type shape struct {
	count int
	led   bool // the leading digit matters and is there
	pos   int  // in the shapes of as many digits
	steps []step
}

// A step puts a digit to a number.
type step struct {
	to    int        // shape
	leads bool       // the digit leads the number, and that matters
	times []uint32   // by remainder: what it is multiplied to, reduced
	adds  [16]uint32 // by digit: what that adds, reduced
}

func (st *step) lead() int {
	if st.leads {
		return 1
	}
	return 0
}

// newStep returns a step that makes a remainder × mul + a digit × weight.
func (g *game) newStep(to int, mul, weight uint32, leads bool) step {
	st := step{to: to, leads: leads, times: g.times(mul)}
	for d := range st.adds {
		st.adds[d] = uint32(d) * weight % g.mod
	}
	return st
}

// times returns each remainder × mul, reduced.
func (g *game) times(mul uint32) []uint32 {
	if g.products == nil {
		g.products = map[uint32][]uint32{}
	}
	if g.products[mul] == nil {
		all := make([]uint32, g.mod)
		for rem := range all {
			all[rem] = uint32(rem) * mul % g.mod
		}
		g.products[mul] = all
	}
	return g.products[mul]
}

// tracks reports whether it matters how a number begins.
func (g *game) tracks() bool { return g.marks || g.special }

// shapeSlots makes the shapes of numbers with fixed places: for each kind of places, how many are filled.
func (g *game) shapeSlots() {
	type places struct {
		weight uint32
		lead   bool
		free   int
		unit   int
	}
	var all []places
	for i, w := g.width-1, 1%g.mod; i >= 0; i, w = i-1, w*g.base%g.mod {
		g.weight[i] = w
	}
	in := [digit.MaxWidth]int{} // which of all a place is one of
	for i := range g.width {
		p := places{weight: g.weight[i], lead: i == 0 && g.tracks()}
		at := slices.IndexFunc(all, func(q places) bool { return q.weight == p.weight && q.lead == p.lead })
		if at < 0 {
			at = len(all)
			all = append(all, p)
		}
		all[at].free++
		in[i] = at
	}
	size := 1
	for i := range all {
		all[i].unit = size
		size *= all[i].free + 1
	}
	for i := range g.width {
		g.unit[i] = all[in[i]].unit
	}
	g.shapes = make([]shape, size)
	for i := range g.shapes {
		sh := &g.shapes[i]
		for _, p := range all {
			filled := i / p.unit % (p.free + 1)
			sh.count += filled
			sh.led = sh.led || p.lead && filled > 0
			if filled < p.free {
				sh.steps = append(sh.steps, g.newStep(i+p.unit, 1, p.weight, p.lead))
			}
		}
	}
}

// shapeEnds makes the shapes of numbers that grow: how many digits they have.
func (g *game) shapeEnds() {
	g.shapes = make([]shape, max(g.fills[0], g.fills[1])+1)
	w := 1 % g.mod
	for k := range g.shapes {
		sh := &g.shapes[k]
		sh.count, sh.led = k, g.tracks() && k > 0
		if k+1 < len(g.shapes) {
			sh.steps = append(sh.steps, g.newStep(k+1, 1, w, g.tracks()))
			if k > 0 && (g.tracks() || w != 1%g.mod || g.base%g.mod != 1%g.mod) { // otherwise both ends are the same
				sh.steps = append(sh.steps, g.newStep(k+1, g.base%g.mod, 1%g.mod, false))
			}
		}
		w = w * g.base % g.mod
	}
}
