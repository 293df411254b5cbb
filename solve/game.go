package solve

import (
	"slices"

	"digitduel/digit"
)

// A game holds the rules in the form that solving needs.
type game struct {
	rules digit.Rules
	place digit.Place
	base  uint32
	width int
	pool  uint16
	size  int // size of the pool
	fills [2]int
	total int // plies of a game that no multiple ends
	last  int // the last stored ply, before the last digit of each side

	tried    bool // a multiple wins
	each     bool // every number is tested for a multiple, not only a full one
	deadZero bool // a number that begins with 0 can be built but does not win
	barred   bool // 0 may not lead

	mod   uint32   // the target, or 1 where remainders decide nothing
	low   uint32   // the lowest remainder of a number before the end
	rank  []uint32 // the rank of a remainder by the final orders; the smaller wins
	order int      // among equal ranks: +1 the higher number wins, -1 the lower, 0 neither
	later bool     // then the side that placed the last digit wins; otherwise it is a draw

	longer bool // the first number grows one digit longer than the second
	marks  bool // which number is higher depends on the leading digits

	special bool      // 0 differs from other digits as long as it can lead
	zeroed  bool      // it matters whether a number begins with 0
	kind    [16]uint8 // digits of one kind leave the same remainders
	zero    uint8     // the kind of 0 as long as it can lead

	// counts has the number of digits of each kind in a set, four bits for each kind, by the low
	// byte of the set, and from 256 by the high byte.
	counts [512]uint64

	shapes []shape
	unit   [digit.MaxWidth]int // added to the index of a shape by a filled place
	weight [digit.MaxWidth]uint32
	of     [digit.MaxWidth + 1][]int // the shapes with a number of digits

	hands *hands
}

func newGame(r digit.Rules) *game {
	g := &game{
		rules: r, place: r.Place, base: uint32(r.Base()), width: int(r.Width),
		pool: uint16(r.Pool), size: r.Pool.Len(),
		fills: [2]int{r.Fills(digit.First), r.Fills(digit.Second)},
		tried: r.Win != digit.Never, each: r.Win == digit.EachTurn,
	}
	g.total = g.fills[0] + g.fills[1]
	g.last = g.total - 2
	zeroIn := r.Pool.Has(0)
	g.deadZero = zeroIn && g.tried && r.Zero == digit.Inert && g.place != digit.Hand
	g.barred = zeroIn && r.Zero == digit.Barred && g.place != digit.Hand
	g.longer = g.fills[0] > g.fills[1]
	g.readFinal()
	// A number that is a digit longer is the higher one unless it begins with 0.
	g.marks = g.order != 0 && g.place != digit.Hand && (!g.longer || zeroIn && !g.barred)
	g.special = g.deadZero || g.barred
	g.zeroed = g.deadZero || g.marks && g.longer
	if g.each && !g.deadZero {
		g.low = 1
	}
	g.readKinds()
	switch g.place {
	case digit.Slots:
		g.shapeSlots()
	case digit.Ends:
		g.shapeEnds()
	default: // the digits of a hand have no places
	}
	for i, sh := range g.shapes {
		g.shapes[i].pos = len(g.of[sh.count])
		g.of[sh.count] = append(g.of[sh.count], i)
	}
	return g
}

// readFinal reads the final orders: those that measure the remainder, and the one that decides
// after them.
func (g *game) readFinal() {
	var measures []digit.Order
	for _, o := range g.rules.Orders() {
		switch o {
		case digit.Higher:
			g.order = +1
		case digit.Lower:
			g.order = -1
		case digit.Later:
			g.later = true
		default:
			measures = append(measures, o)
		}
	}
	g.mod = 1
	if g.tried || len(measures) > 0 {
		g.mod = uint32(g.rules.Target)
	}
	g.rank = make([]uint32, g.mod)
	if len(measures) == 0 {
		return
	}
	// Combine the measures of each remainder into one number, and rank those numbers.
	sums := make([]uint64, g.mod)
	for rem := range sums {
		for _, o := range measures {
			sums[rem] = sums[rem]<<14 | uint64(g.rules.Measure(o, rem))
		}
	}
	sorted := slices.Clone(sums)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	for rem, sum := range sums {
		at, _ := slices.BinarySearch(sorted, sum)
		g.rank[rem] = uint32(at)
	}
}

// readKinds sorts digits into kinds by their remainders.
func (g *game) readKinds() {
	var residues []uint32
	for d := range uint32(16) {
		if g.pool>>d&1 == 0 {
			continue
		}
		at := slices.Index(residues, d%g.mod)
		if at < 0 {
			at = len(residues)
			residues = append(residues, d%g.mod)
		}
		g.kind[d] = uint8(at)
	}
	g.zero = g.kind[0]
	if g.special && len(residues) < 16 { // with 16 residues each digit is a kind of its own
		g.zero = uint8(len(residues))
	}
	for set := range 256 {
		for d := range 8 {
			if set>>d&1 == 1 {
				g.counts[set] += 1 << (4 * g.kind[d])
				g.counts[256+set] += 1 << (4 * g.kind[d+8])
			}
		}
	}
}

// mover returns the side, 0 or 1, that moves at a ply.
func mover(ply int) int { return ply & 1 }

// count returns the number of digits that side s has at a ply.
func count(ply, s int) int { return (ply + 1 - s) / 2 }
