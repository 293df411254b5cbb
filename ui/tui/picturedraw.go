package tui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// draw draws the picture: the pool, the two numbers with the goal between them, the prompt, and the
// moves.
func (p *picture) draw(c *canvas) {
	pl := layoutOf(c)
	if textWidth(p.title+p.about+p.right)+2*c.margin()+4 > c.w { // the goal matters more
		p.right = strings.TrimPrefix(p.right, "against ")
	}
	c.header(p.title, p.about, p.right)
	if p.chart != nil {
		p.chart(c, pl.pool)
	} else {
		p.drawPool(c, pl)
	}
	p.drawGoal(c, pl.goal)
	for i, side := range p.pair.order(p.flip) {
		p.drawNumber(c, pl, i, side)
	}
	if pl.side.w > 0 {
		p.drawMoves(c, pl.side)
	}
	p.drawText(c, pl.text)
}

// drawPool draws the digits as tiles: free ones, taken ones, and the picked one.
func (p *picture) drawPool(c *canvas, pl layout) {
	left, at, pool := p.rules.Left(p.at), p.stage(), p.picker.pool()
	set := pl.digits(len(pool))
	for i, d := range pool {
		tile := set.at(i)
		if !left.Has(d) {
			c.centre(tile.x, tile.y+tile.h/2, tile.w, outline, "·")
			continue
		}
		f, edge, face := thin, style{}, strong
		picked := at > pick && p.picker.digit == d
		switch {
		case at == idle:
			edge, face = outline, style{}
		case picked || at == pick && i == p.picker.cursor:
			f, edge = thick, active
		}
		c.box(tile, f, edge)
		switch {
		case picked && tile.h >= 5:
			face = edge
			c.centre(tile.x, tile.bottom(), tile.w, edge, "▲")
		case picked:
			face = bar
			c.clear(tile.inner(), bar)
		}
		c.tileDigit(tile, face, d)
		if v, ok := p.worth.digit(d); ok {
			c.verdict(tile.x, pl.below, set.pitch-1, v)
		}
		c.zone(tile, p.click(d))
	}
}

// verdict writes a value in the middle of a width.
func (c *canvas) verdict(x, y, width int, v solve.Value) {
	s := style{fg: verdictTone(v.Outcome), bold: v.Outcome == solve.Win}
	c.centre(x, y, width, s, outcomeIn(v.Outcome, width))
}

// worthAt returns the value of a spot, for the picked digit if there is one; ok is false if it is
// not shown.
func (p *picture) worthAt(spot digit.Spot) (v solve.Value, ok bool) {
	return p.worth.best(func(m digit.Move) bool {
		return m.Spot == spot && (p.stage() <= pick || m.Digit == p.picker.digit)
	})
}

// drawGoal draws the goal between the two numbers, at their size.
func (p *picture) drawGoal(c *canvas, r rect) {
	e := p.aim().emblem
	c.centre(r.x, r.y, r.w, bar, " "+e.Above+" ")
	c.centre(r.x, r.bottom()-1, r.w, bar, " "+e.Below+" ")
	r.y, r.h = r.y+1, r.h-1
	if e.Target == 0 {
		rows := triangles[e.Order]
		for i, row := range rows {
			c.centre(r.x, r.y+(r.h-len(rows))/2+i, r.w, active, row)
		}
		return
	}
	target := strconv.Itoa(e.Target)
	z := c.sizeIn((r.w+1)/len(target)-1, r.h-2) // the last row is for words
	pitch := z.wide() + 1
	if z == plainSize {
		pitch = 1
	}
	x := r.x + (r.w-pitch*len(target)+pitch-z.wide())/2
	for i, digitOf := range target {
		c.digit(x+i*pitch, r.y+(r.h-z.tall())/2, z, active, digit.Digit(digitOf-'0'))
	}
}

// drawNumber draws the name of a side, its number and the caption below.
func (p *picture) drawNumber(c *canvas, pl layout, i int, side digit.Side) {
	r := pl.numbers[i]
	p.drawName(c, rect{r.x, pl.names, r.w, 1}, side)
	if p.framed(side) {
		p.drawWinner(c, pl, r, side)
		return
	}
	set := pl.places(p.rules, i)
	box := p.drawDigits(c, set, r, side)
	switch {
	case p.rules.Place == digit.Ends:
		p.drawEnds(c, pl.caption, r, box, side)
	case set.oneFrame:
		p.drawRail(c, box, side)
	default:
		p.drawCaption(c, pl.caption, set, r, side)
	}
}

// drawName draws the name of a side, whether it is to move, and its clock.
func (p *picture) drawName(c *canvas, r rect, side digit.Side) {
	mark, s := "  ", style{fg: p.pair.tone(side)}
	if p.turnOf(side) {
		mark, s.bold = "▶ ", true
	}
	c.text(r.x, r.y, s, mark)
	right, look := "", strong
	switch winner, won := p.result.Winner(); {
	case won && winner == side:
		right, look.fg = "✓ wins", s.fg
	case p.turnOf(side) && p.hurry > 0:
		right, look = " "+strconv.Itoa(p.hurry)+" s left ", badge(bad)
	case p.turnOf(side):
		right = p.clock
	}
	c.right(r.right(), r.y, look, right)
	c.text(r.x+2, r.y, s, p.pair.short(side, r.w-3-textWidth(right)))
}

// framed reports whether the number of a side is framed as the winner.
func (p *picture) framed(side digit.Side) bool {
	f := p.finish()
	return f.Won && f.Winner == side && (f.Result.Reason == digit.Multiple || f.Order != 0)
}

func (p *picture) finish() rulebook.Finish { return rulebook.Finished(p.rules, p.at, p.result) }

// drawWinner draws the winning number in one double frame, and the reason below it.
func (p *picture) drawWinner(c *canvas, pl layout, r rect, side digit.Side) {
	n := p.finish().Numbers[side]
	tone := good
	if p.pair[side.Other()].you {
		tone = p.pair.tone(side)
	}
	s := tone.bold()
	box := p.drawRow(c, r, n, double, s)
	c.under(box, pl.caption, s, p.sum(side, r.w))
}

// under writes a line below the middle of a box, within the window.
func (c *canvas) under(box rect, y int, s style, text string) {
	x := box.x + (box.w-textWidth(text))/2
	c.text(max(c.margin(), min(x, c.w-c.margin()-textWidth(text))), y, s, text)
}

// sum describes the final number of a side, if there is something to say and room for it.
func (p *picture) sum(side digit.Side, width int) string {
	if p.rules.Target == 0 || !p.result.Over() {
		return ""
	}
	f := p.finish()
	n := f.Numbers[side]
	called := f.Won && f.Winner == side && f.Result.Reason == digit.Multiple
	if n.Len() == 0 || !n.Full() ||
		p.rules.Place == digit.Hand && !p.rules.Full(p.at, side) && !called {
		return ""
	}
	text := p.voice().Worth(f, n)
	if textWidth(text) > width && f.Order != 0 {
		text, _, _ = strings.Cut(text, " = ")
	}
	if textWidth(text) > width {
		return ""
	}
	return text
}

// drawRow draws the digits of a number in one frame, as large as possible, and returns the frame.
func (p *picture) drawRow(c *canvas, r rect, n digit.Number, f frame, s style) rect {
	z, pitch, pad := plainSize, 2, 0
	for _, try := range []struct {
		size
		pitch, pad int
	}{{hugeSize, 8, 1}, {bigSize, 4, 1}, {bigSize, 4, 0}} {
		if !c.ascii && try.pitch*n.Len()+1+2*try.pad <= r.w && try.tall()+2 <= r.h {
			z, pitch, pad = try.size, try.pitch, try.pad
			break
		}
	}
	tall := z.tall() + 2
	if z == hugeSize {
		tall = r.h
	}
	box := rect{w: pitch*(n.Len()-1) + z.wide() + 2 + 2*pad, h: tall}
	box.x, box.y = r.x+(r.w-box.w)/2, r.y+(r.h-tall)/2
	c.box(box, f, style{fg: s.fg, bold: f == double})
	for i := range n.Len() {
		d, filled := n.At(i)
		x := box.x + 1 + pad + i*pitch
		if !filled || p.isNew(d) && p.travel != landed {
			c.text(x, box.y+box.h/2, outline, "_")
			continue
		}
		c.digit(x, box.y+(box.h-z.tall())/2, z, s, d)
		if p.isNew(d) {
			c.put(x+z.wide()/2, box.y, s, "●")
		}
	}
	return box
}

// drawDigits draws the number of a side: places or a hand as tiles, a growing number in one frame
// in the middle of r. It returns the part that they take.
func (p *picture) drawDigits(c *canvas, set tiles, r rect, side digit.Side) rect {
	n := p.rules.Number(p.at, side)
	s := p.pair.tone(side).bold()
	if winner, won := p.result.Winner(); won && winner != side {
		s = muted
	}
	if p.rules.Place == digit.Ends && n.Len() > 0 || set.oneFrame {
		return p.drawRow(c, r, n, thin, s)
	}
	list := spots(p.rules, p.at)
	for i := range set.n {
		tile, spot := set.at(i), list[min(i, len(list)-1)]
		d, filled := n.At(i)
		isNew := filled && p.isNew(d)
		switch {
		case !filled || isNew && p.travel == taken:
			c.box(tile, dashed, outline)
		case isNew:
			c.box(tile, thick, s)
		default:
			c.box(tile, thin, style{fg: s.fg})
		}
		switch {
		case !filled && (p.rules.Place == digit.Slots || i == n.Pool().Len()):
			p.drawSpot(c, tile, side, spot)
		case filled && (!isNew || p.travel == landed):
			c.tileDigit(tile, s, d)
			if isNew {
				c.put(tile.x+tile.w/2, tile.y, s, "●")
			}
		}
	}
	return set.span()
}

// drawCaption draws a row with the sum of a number, or the names of its places.
func (p *picture) drawCaption(c *canvas, y int, set tiles, r rect, side digit.Side) {
	text := p.sum(side, r.w)
	if p.rules.Place == digit.Hand {
		text = cmp.Or(text, "hand, any order")
	}
	if text != "" {
		c.centre(r.x, y, r.w, muted, text)
		return
	}
	next := c.w // the first column of the name at the right
	for i := int(p.rules.Width) - 1; i >= 0; i-- {
		tile, spot := set.at(i), digit.SlotAt(i)
		if v, ok := p.worthAt(spot); ok && p.open(side) {
			c.verdict(tile.x, y, set.pitch-1, v)
			next = tile.x
			continue
		}
		name := placeIn(p.rules, spot, min(set.pitch, next-1-tile.x))
		next = tile.x + max(0, (tile.w-textWidth(name))/2)
		c.text(next, y, muted, name)
	}
}

// drawEnds draws the sum of a growing number below it and, if a digit can be added, its two ends.
func (p *picture) drawEnds(c *canvas, y int, r, box rect, side digit.Side) {
	c.under(box, y, muted, p.sum(side, r.w))
	if !p.choosing(side) || p.rules.Number(p.at, side).Len() == 0 {
		return
	}
	for i, spot := range []digit.Spot{digit.Left, digit.Right} {
		look, text := muted, []string{"L left", "right R"}[i]
		if p.stage() > pick {
			look = style{fg: accent}
			if p.picker.spot == spot {
				look = bar
			}
			if made := p.picker.with(spot).String(); len(made)+2 <= r.w/2 {
				text = []string{"L " + made, made + " R"}[i]
			}
		}
		start := func(text string) int { return r.x + i*(r.w-textWidth(text)) }
		c.text(start(text), y, look, text)
		c.zone(rect{start(text), box.y, textWidth(text), y - box.y + 1}, p.put(spot))
		if v, ok := p.worthAt(spot); ok {
			word := outcomeIn(v.Outcome, 5)
			c.text(start(word), y+1, style{fg: verdictTone(v.Outcome)}, word)
		}
	}
}

// placeIn returns the name of a place within a width: "hundreds", "100s", "a".
func placeIn(r digit.Rules, spot digit.Spot, width int) string {
	name := strings.ToLower(placeName(r, spot))
	short := map[string]string{
		"middle": "mid", "hundreds": "100s", "tens": "10s", "units": "1s", "ones": "1s",
		"thousands": "1000s", "ten-thousands": "10k",
	}
	for _, text := range []string{name, short[name]} {
		if text != "" && textWidth(text) <= width {
			return text
		}
	}
	return spot.String()
}

// drawRail draws the picked digit in the open places of a number that is in one frame, with their
// letters below.
func (p *picture) drawRail(c *canvas, box rect, side digit.Side) {
	n, k := p.rules.Number(p.at, side), &p.picker
	for i := range int(p.rules.Width) {
		x, spot := box.x+1+2*i, digit.SlotAt(i)
		if _, filled := n.At(i); filled || !p.choosing(side) {
			continue
		}
		if look := muted; p.stage() > pick && slices.Contains(k.spots, spot) {
			if k.spot == spot {
				look = bar
			}
			c.text(x, box.y+1, look, k.digit.String())
		}
		c.text(x, box.y+3, style{fg: accent}, spot.String())
		c.zone(rect{x, box.y, 1, 4}, p.put(spot))
	}
}

// open reports whether a side is to put a digit somewhere.
func (p *picture) open(side digit.Side) bool {
	return p.rules.Turn(p.at) == side && !p.rules.Result(p.at).Over()
}

// choosing reports whether the digit of a side is picked here.
func (p *picture) choosing(side digit.Side) bool { return p.open(side) && p.stage() != idle }

// drawSpot draws an empty spot. If the picked digit may go there, it draws the digit and the key of
// the spot.
func (p *picture) drawSpot(c *canvas, tile rect, side digit.Side, spot digit.Spot) {
	k := &p.picker
	if !p.choosing(side) {
		return
	}
	c.zone(tile, p.put(spot))
	if p.stage() == pick || !slices.Contains(k.spots, spot) {
		return
	}
	f, edge, face := dashed, style{fg: accent}, muted
	if k.spot == spot {
		f, edge, face = thick, active, active
	}
	c.box(tile, f, edge)
	c.tileDigit(tile, face, k.digit)
	if p.rules.Place == digit.Slots {
		c.put(tile.x+tile.w/2, tile.y, edge, spot.String())
	}
}
