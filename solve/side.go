package solve

import "digitduel/digit"

// A side is what a position says of one of its numbers.
type side struct {
	set   uint16
	shape int
	rem   uint32
	lead  lead
}

// put adds a digit in place i, counted from the left, to a number whose places further left have theirs.
// The remainder is left to be reduced.
func (g *game) put(at *side, i int, d digit.Digit) {
	at.set |= 1 << d
	if g.place == digit.Ends {
		at.rem = at.rem*g.base + uint32(d)
		at.shape++
	} else {
		at.rem += g.weight[i] * uint32(d)
		at.shape += g.unit[i]
	}
	at.lead = g.extend(at.lead, int(d), i == 0)
}

// read returns a side of a position.
func (g *game) read(p digit.Position, s digit.Side) side {
	if g.place == digit.Hand {
		return side{set: uint16(g.rules.Held(p, s))}
	}
	at := side{lead: noLead}
	n := g.rules.Number(p, s)
	for i := range n.Len() {
		if d, ok := n.At(i); ok {
			g.put(&at, i, d)
		}
	}
	at.rem %= g.mod
	return at
}

// none stands for the digit of a place that has none.
const none = 16

// A lead is how a number begins: the digit that its order depends on, if it has one, and whether it begins with 0.
// The digit is the leading one or, where one number grows longer than the other, the leading one that is not 0.
type lead struct {
	mark uint8
	zero bool
}

// noLead is how a number without digits begins.
var noLead = lead{mark: none}

// extend returns how a number begins after another digit, which may lead it.
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

// wins reports whether a number that is tried wins.
func (g *game) wins(rem uint32, l lead) bool { return g.tried && rem == 0 && !(l.zero && g.deadZero) }

// hasWon reports whether the number of a side has won as a multiple without being called.
func (g *game) hasWon(at *side, full bool) bool {
	switch {
	case !g.tried || !full && !g.each || at.set == 0:
		return false
	case g.place == digit.Hand:
		return g.rules.Win != digit.OnCall && g.hands.wins[at.set]
	default:
		return g.wins(at.rem, at.lead)
	}
}
