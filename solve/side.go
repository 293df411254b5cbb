package solve

import "digitduel/digit"

// A side describes one of the two numbers of a position.
type side struct {
	set   uint16
	shape int
	rem   uint32
	lead  lead
}

// put adds a digit in place i, counted from the left, to a number whose places further left are
// done. It does not reduce the remainder.
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

// none marks a place without a digit.
const none = 16

// A lead describes how a number begins: the digit that its order depends on, if any, and whether
// it begins with 0. That digit is the leading one or, if one number grows longer than the other,
// the first one other than 0.
type lead struct {
	mark uint8
	zero bool
}

// noLead is the lead of a number without digits.
var noLead = lead{mark: none}

// extend returns the lead of a number after another digit, which may lead it.
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

// wins reports whether a number wins if it is tested for a multiple.
func (g *game) wins(rem uint32, l lead) bool {
	return g.tried && rem == 0 && !(l.zero && g.deadZero)
}

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
