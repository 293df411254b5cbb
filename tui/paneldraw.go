package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
)

// needText says what the number of a side needs: "Ada 7 _ 1:  2 → 721 = 7·103   0 → 701 = 7·100 + 1".
func needText(in *insight, side digit.Side, name string) string {
	r := in.rules
	n := r.Number(in.at, side)
	if r.Full(in.at, side) {
		return ""
	}
	head := name
	if n.Len() > 0 {
		head += "  " + spaced(n)
	}
	if best, ok := bestFill(r, in.at, side); ok {
		return head + ":  " + best + " at best"
	}
	needs := slices.Clone(in.needs[side])
	missing := r.Fills(side) - n.Pool().Len()
	switch {
	case r.Win == digit.Never:
		return ""
	case len(needs) == 0 && missing > 1 && r.Win != digit.EachTurn:
		return fmt.Sprintf("%s:  %d digits to go", head, missing)
	case len(needs) == 0:
		return fmt.Sprintf("%s:  no digit makes a multiple of %d now", head, r.Target)
	}
	for i, need := range needs {
		needs[i] = together(need)
	}
	return head + ":  " + strings.Join(needs, "   ")
}

// drawLines writes what is known. Lines that must be read as a whole get the room they need, the others share what is left.
// With room for it, what every move is worth is drawn as a whole.
func (p *picture) drawLines(c *canvas, r rect) {
	y, end := r.y, r.y+r.h
	lines := p.lines
	if !p.prompt.fits(r.w) {
		lines = append([]line{{p.prompt.Long, style{}, true}}, lines...)
	}
	for i, l := range lines {
		if y >= end {
			return
		}
		most, after := end-y, len(lines)-i
		if !l.whole {
			most = (most + after - 1) / after
		}
		y += c.paragraph(r.x, y, r.w, most, l.style, l.text)
	}
	columns, left := spots(p.rules, p.at), p.rules.Left(p.at)
	if p.worth == nil || len(p.worth.choices) == 0 || len(columns) == 1 || end-y < left.Len()+2 {
		return
	}
	y++
	wide := min(16, (r.w-8)/len(columns))
	for i, spot := range columns {
		c.within(r.x+8+i*wide, y, wide-1, style{fg: quiet}, placeName(p.rules, spot))
	}
	for d := range left.All() {
		y++
		c.text(r.x+3, y, style{bold: true}, d.String())
		for i, spot := range columns {
			text, s := "–", style{fg: faint}
			if v, ok := p.worth.move(d, spot); ok {
				text, s = verdict(v, wide-1), style{fg: verdictTone(v.Outcome)}
				if v.Compare(p.worth.value) == 0 {
					text, s.bold = text+" ✓", true
				}
			}
			c.within(r.x+8+i*wide, y, wide-1, s, text)
		}
	}
}

// fits reports whether a prompt can be told in full in two lines of a width.
func (p prompt) fits(width int) bool { return len(wrap(p.Long, width)) <= 2 }

// drawPrompt writes what is asked and, if a move is to be confirmed, two buttons.
func (p *picture) drawPrompt(c *canvas, r rect) {
	text := p.prompt.Long
	if !p.prompt.fits(r.w) {
		text = p.prompt.Short
	}
	lines := c.paragraph(r.x, r.y, r.w, 2, p.prompt.style, text)
	y := r.y + lines
	switch {
	case p.note != "":
		c.paragraph(r.x, y, r.w, 3-lines, style{fg: bad, bold: true}, "✗ "+p.note)
	case p.news != "" && p.picker.stage <= pick:
		c.paragraph(r.x, y, r.w, 3-lines, style{fg: even, bold: true}, p.news)
	case p.picker.stage == confirm:
		x := c.button(r.x, y, "Enter: play", true, p.send)
		c.button(x+2, y, "Esc: take back", false, p.back)
	default:
		c.paragraph(r.x, y, r.w, 3-lines, style{fg: quiet}, p.prompt.how)
	}
}

// drawMoves draws the list of moves and, below it, what else there is to know.
func (p *picture) drawMoves(c *canvas, r rect) {
	c.text(r.x, r.y, style{fg: quiet}, "MOVES")
	col := (r.w - 3) / 2
	c.within(r.x+3, r.y+1, col-1, style{fg: p.pair.tone(digit.First)}, p.pair.label(digit.First))
	c.within(r.x+3+col, r.y+1, r.w-3-col, style{fg: p.pair.tone(digit.Second)}, p.pair.label(digit.Second))
	room := max(1, r.h-3-len(p.facts))
	pairs := (len(p.moves) + 1) / 2
	from := max(0, pairs-room)
	if now := (p.ply - 1) / 2; p.past && now < from {
		from = max(0, now)
	}
	for n := 2 * from; n < min(len(p.moves), 2*(from+room)); n++ {
		side, y := digit.Side(n%2), r.y+2+n/2-from
		if side == digit.First {
			c.text(r.x, y, style{fg: quiet}, fmt.Sprintf("%2d", n/2+1))
		}
		s, mark := style{fg: p.pair.tone(side)}, ""
		if n == p.ply-1 {
			s.bold, mark = true, " ●"
		} else if n >= p.ply {
			s = style{fg: faint}
		}
		x := r.x + 3 + n%2*col
		c.within(x, y, col-1, s, p.moves[n].String()+mark)
		c.zone(rect{x, y, col, 1}, func() tea.Cmd { p.look(n + 1); return nil })
	}
	for i, f := range p.facts {
		y := r.y + r.h - len(p.facts) + i
		x := c.text(r.x, y, style{fg: quiet}, f.name+" ")
		c.within(x, y, r.x+r.w-x, style{}, f.tells)
	}
}
