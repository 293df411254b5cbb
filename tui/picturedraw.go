package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// draw draws the picture.
func (p *picture) draw(c *canvas) {
	pl := planOf(p.rules, c.stage())
	right := p.right
	if room := pl.stage.w - 8 - textWidth(p.title+p.tells); textWidth(right) > room { // the goal is shown whole
		right = ""
	}
	c.header(p.title, p.tells, right)
	for y := pl.main.y; y < pl.main.y+pl.main.h; y++ {
		c.put(pl.side.x-2, y, style{fg: faint}, "│")
	}
	p.drawPool(c, pl)
	for i, side := range p.pair.order(p.flip) {
		p.drawNumber(c, pl.boards[i], pl.place, side)
	}
	p.drawLines(c, pl.panel)
	p.drawPrompt(c, pl.prompt)
	p.drawMoves(c, pl.side)
}

func seatTone(seat match.Seat) tone {
	if seat == match.One {
		return one
	}
	return two
}

// drawPool draws the digits as tiles: those that are left, those that are gone, and the one that is picked.
func (p *picture) drawPool(c *canvas, pl plan) {
	left, at := p.rules.Left(p.at), p.picker.stage
	c.text(pl.main.x, pl.main.y, style{fg: quiet}, "POOL")
	if p.worth != nil {
		c.text(pl.main.x+6, pl.main.y, style{fg: quiet}, "W win, D draw, L loss, in so many turns")
	}
	for i, d := range p.picker.pool() {
		tile := rect{pl.tile.x + i%pl.perRow*pl.tile.w, pl.tile.y + i/pl.perRow*pl.tile.h, pl.tile.w, pl.tile.h}
		if !left.Has(d) {
			c.centre(tile.x, tile.y+tile.h/2, tile.w, style{fg: faint}, "·")
			continue
		}
		f, edge, face, text := thin, style{}, style{bold: true}, d.String()
		switch {
		case at == idle:
			edge, face = style{fg: faint}, style{}
		case at > pick && p.picker.digit == d:
			f, edge, face = double, style{fg: accent, bold: true}, bar
			if tile.w >= 5 {
				text = "[" + text + "]"
			}
		case at == pick && i == p.picker.cursor:
			f, edge = thick, style{fg: accent, bold: true}
		}
		c.box(tile, f, edge)
		if tile.h >= 5 && !c.ascii {
			if face == bar { // a big digit is hard to read in reverse
				face = edge
			}
			c.bigDigit(tile.x+(tile.w-3+1)/2, tile.y+1, 3, face, d)
		} else {
			c.centre(tile.x+1, tile.y+tile.h/2, tile.w-2, face, text)
		}
		if v, ok := p.worth.digit(d); ok {
			c.centre(tile.x+1, tile.y+tile.h-1, tile.w-2, style{fg: verdictTone(v.Outcome), bold: true}, verdict(v, tile.w-2))
		}
		c.zone(tile, func() tea.Cmd { return p.take(d) })
	}
}

// drawNumber draws the name of a side and its number, in places of a size.
func (p *picture) drawNumber(c *canvas, r, size rect, side digit.Side) {
	mark, s := "  ", style{fg: p.pair.tone(side)}
	if p.turnOf(side) {
		mark, s.bold = "▶ ", true
	}
	c.text(r.x, r.y, s, mark)
	right := spaced(p.rules.Number(p.at, side))
	if winner, won := p.result.Winner(); won && winner == side {
		right = "✓ " + right
	}
	if p.turnOf(side) && p.clock != "" {
		right = p.clock + "  " + right
	}
	c.within(r.x+2, r.y, r.w-4-textWidth(right), s, p.pair.label(side))
	c.right(r.x+r.w, r.y, style{bold: true}, right)
	if p.rules.Place == digit.Ends {
		p.drawEnds(c, r, size, side)
		return
	}
	p.drawPlaces(c, r, size, side)
}

// drawPlaces draws a number with fixed places, or a hand.
func (p *picture) drawPlaces(c *canvas, r, size rect, side digit.Side) {
	slots := p.rules.Place == digit.Slots
	n := p.rules.Number(p.at, side)
	held := n.Pool().Len()
	last, moved := p.last()
	for i := range int(p.rules.Width) {
		tile := rect{r.x + i*(size.w+1), r.y + 1, size.w, size.h}
		spot := digit.InHand
		if slots {
			spot = digit.SlotAt(i)
		}
		d, filled := n.At(i)
		c.box(tile, thin, style{fg: faint})
		switch {
		case filled:
			s := style{fg: p.pair.tone(side), bold: true}
			c.box(tile, thin, style{fg: s.fg})
			c.tileDigit(tile, s, d)
			if moved && last.Digit == d {
				c.put(tile.x+tile.w-2, tile.y, s, "●")
			}
		case slots || i == held:
			p.drawSpot(c, tile, side, spot)
		}
		if slots {
			c.put(tile.x+1, tile.y, style{fg: quiet}, spot.String())
			c.centre(tile.x-1, tile.y+tile.h, tile.w+2, style{fg: quiet}, shorten(placeName(p.rules, spot), tile.w+1))
		}
	}
	if !slots {
		c.text(r.x, r.y+1+size.h, style{fg: quiet}, "hand")
	}
}

// tileDigit draws a digit on a tile, large if there is room.
func (c *canvas) tileDigit(tile rect, s style, d digit.Digit) {
	if tile.h >= 5 && tile.w >= 5 && !c.ascii {
		c.bigDigit(tile.x+1, tile.y+(tile.h-3)/2, tile.w-2, s, d)
		return
	}
	c.centre(tile.x+1, tile.y+tile.h/2, tile.w-2, s, d.String())
}

// open reports whether a side is to put a digit somewhere.
func (p *picture) open(side digit.Side) bool {
	return p.rules.Turn(p.at) == side && !p.rules.Result(p.at).Over()
}

// drawSpot draws an empty spot: where the picked digit may go, where it is about to go, and what that is worth.
func (p *picture) drawSpot(c *canvas, tile rect, side digit.Side, spot digit.Spot) {
	if !p.open(side) {
		return
	}
	at, k := p.picker.stage, &p.picker
	preview := false
	switch {
	case at == confirm && k.spot == spot:
		c.box(tile, double, style{fg: accent, bold: true})
		preview = true
	case at == place && k.spot == spot:
		c.box(tile, thick, style{fg: accent, bold: true})
		preview = p.worth == nil
	case at > pick && slices.Contains(k.spots, spot):
		c.box(tile, dashed, style{fg: accent})
	}
	if preview {
		c.tileDigit(tile, style{fg: accent, bold: true}, k.digit)
	}
	if at != idle {
		c.zone(tile, func() tea.Cmd { return p.put(spot) })
	}
	if v, ok := p.worth.best(func(m digit.Move) bool { return m.Spot == spot && (at <= pick || m.Digit == k.digit) }); ok {
		c.tileVerdict(tile, v, preview)
	}
}

// tileVerdict writes what a spot is worth on its tile, on the lower edge if a digit is drawn in it.
func (c *canvas) tileVerdict(tile rect, v solve.Value, low bool) {
	s := style{fg: verdictTone(v.Outcome), bold: true}
	in := tile.w - 2
	if !low && tile.h >= 5 && in >= 5 && in < 10 {
		for i, text := range []string{outcomeWords[v.Outcome], fmt.Sprintf("in %d", v.Plies)} {
			c.text(tile.x+1+(in-len(text)+1)/2, tile.y+tile.h/2-1+i, s, text)
		}
		return
	}
	y := tile.y + tile.h/2
	if low {
		y = tile.y + tile.h - 1
	}
	text := verdict(v, in)
	c.text(tile.x+1+(in-len(text)+1)/2, y, s, text)
}

// drawEnds draws a number that grows, with its two ends to the sides of it.
func (p *picture) drawEnds(c *canvas, r, size rect, side digit.Side) {
	n, open := p.rules.Number(p.at, side), p.open(side)
	end := rect{y: r.y + 1, w: min(size.w, 9), h: size.h}
	inner := r.w - 2*end.w
	if n.Len() == 0 {
		end.x = r.x + (r.w-end.w)/2
		c.box(end, thin, style{fg: faint})
		p.drawSpot(c, end, side, digit.Right)
		c.centre(r.x, end.y+end.h, r.w, style{fg: quiet}, "first digit")
		return
	}
	if !open {
		inner = r.w
	}
	gap, left := 2, 2 // from digit to digit, and before the first
	large := size.h >= 5 && !c.ascii && 4*n.Len()+3 <= inner
	switch {
	case large:
		gap = 4
	case 2*n.Len()+3 > inner:
		gap, left = 1, 1
	}
	box := rect{y: r.y + 1, w: gap*n.Len() + left + 1, h: size.h}
	box.x = r.x + (r.w-box.w)/2
	s := style{fg: p.pair.tone(side), bold: true}
	c.box(box, thin, style{fg: s.fg})
	last, moved := p.last()
	for i := range n.Len() {
		d, _ := n.At(i)
		x := box.x + left + i*gap
		if large {
			c.bigDigit(x, box.y+(box.h-3)/2, 3, s, d)
			x++
		} else {
			c.text(x, box.y+box.h/2, s, d.String())
		}
		if moved && last.Digit == d {
			c.put(x, box.y, s, "●")
		}
	}
	if !open {
		return
	}
	for i, spot := range []digit.Spot{digit.Left, digit.Right} {
		end.x = []int{box.x - end.w, box.x + box.w}[i]
		c.box(end, thin, style{fg: faint})
		p.drawSpot(c, end, side, spot)
		c.put(end.x+1, end.y, style{fg: quiet}, spot.String())
		c.centre(end.x, end.y+end.h, end.w, style{fg: quiet}, strings.TrimSuffix(placeName(p.rules, spot), " end"))
	}
}
