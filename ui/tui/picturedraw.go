package tui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
	"digitduel/ui/tui/draw"
)

// draw draws the picture: the pool, the two numbers with the goal between them, the prompt, and the
// moves.
func (p *picture) draw(c *canvas) {
	pl := layoutOf(c)
	if draw.Width(p.title+p.about+p.right)+2*c.margin()+4 > c.W { // the goal matters more
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
	if pl.side.W > 0 {
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
			c.Centre(tile.X, tile.Y+tile.H/2, tile.W, draw.Outline, "·")
			continue
		}
		f, edge, face := draw.Thin, draw.Style{}, draw.Strong
		picked := at > pick && p.picker.digit == d
		switch {
		case at == idle:
			edge, face = draw.Outline, draw.Style{}
		case picked || at == pick && i == p.picker.cursor:
			f, edge = draw.Thick, draw.Active
		}
		c.Box(tile, f, edge)
		switch {
		case picked && tile.H >= 5:
			face = edge
			c.Centre(tile.X, tile.Bottom(), tile.W, edge, "▲")
		case picked:
			face = draw.Bar
			c.Clear(tile.Inner(), draw.Bar)
		}
		c.TileDigit(tile, face, d)
		if v, ok := p.worth.digit(d); ok {
			c.verdict(tile.X, pl.below, set.pitch-1, v)
		}
		c.zone(tile, p.click(d))
	}
}

// verdict writes a value in the middle of a width.
func (c *canvas) verdict(x, y, width int, v solve.Value) {
	s := draw.Style{FG: verdictTone(v.Outcome), Bold: v.Outcome == solve.Win}
	c.Centre(x, y, width, s, outcomeIn(v.Outcome, width))
}

// worthAt returns the value of a spot, for the picked digit if there is one; ok is false if it is
// not shown.
func (p *picture) worthAt(spot digit.Spot) (v solve.Value, ok bool) {
	return p.worth.best(func(m digit.Move) bool {
		return m.Spot == spot && (p.stage() <= pick || m.Digit == p.picker.digit)
	})
}

// The triangles of the higher and of the lower number.
var triangles = map[digit.Order][3]string{
	digit.Higher: {"   ▄   ", " ▄███▄ ", "▀▀▀▀▀▀▀"}, digit.Lower: {"▄▄▄▄▄▄▄", " ▀███▀ ", "   ▀   "},
}

// drawGoal draws the goal between the two numbers, at their size.
func (p *picture) drawGoal(c *canvas, r draw.Area) {
	e := p.aim().emblem
	c.Centre(r.X, r.Y, r.W, draw.Bar, " "+e.Above+" ")
	c.Centre(r.X, r.Bottom()-1, r.W, draw.Bar, " "+e.Below+" ")
	r.Y, r.H = r.Y+1, r.H-1
	if e.Target == 0 {
		rows := triangles[e.Order]
		for i, row := range rows {
			c.Centre(r.X, r.Y+(r.H-len(rows))/2+i, r.W, draw.Active, row)
		}
		return
	}
	target := strconv.Itoa(e.Target)
	z := c.SizeIn((r.W+1)/len(target)-1, r.H-2) // the last row is for words
	pitch := z.Wide() + 1
	if z == draw.Plain {
		pitch = 1
	}
	x := r.X + (r.W-pitch*len(target)+pitch-z.Wide())/2
	for i, digitOf := range target {
		c.Digit(x+i*pitch, r.Y+(r.H-z.Tall())/2, z, draw.Active, digit.Digit(digitOf-'0'))
	}
}

// drawNumber draws the name of a side, its number and the caption below.
func (p *picture) drawNumber(c *canvas, pl layout, i int, side digit.Side) {
	r := pl.numbers[i]
	p.drawName(c, draw.Rect(r.X, pl.names, r.W, 1), side)
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
func (p *picture) drawName(c *canvas, r draw.Area, side digit.Side) {
	mark, s := "  ", p.pair.tone(side).Style()
	if p.turnOf(side) {
		mark, s.Bold = "▶ ", true
	}
	c.Text(r.X, r.Y, s, mark)
	right, look := "", draw.Strong
	switch winner, won := p.result.Winner(); {
	case won && winner == side:
		right, look.FG = "✓ wins", s.FG
	case p.turnOf(side) && p.hurry > 0:
		right, look = " "+strconv.Itoa(p.hurry)+" s left ", draw.Badge(draw.Bad)
	case p.turnOf(side):
		right = p.clock
	}
	c.Right(r.Right(), r.Y, look, right)
	c.Text(r.X+2, r.Y, s, p.pair.short(side, r.W-3-draw.Width(right)))
}

// framed reports whether the number of a side is framed as the winner.
func (p *picture) framed(side digit.Side) bool {
	f := p.finish()
	return f.Won && f.Winner == side && (f.Result.Reason == digit.Multiple || f.Order != 0)
}

func (p *picture) finish() rulebook.Finish { return rulebook.Finished(p.rules, p.at, p.result) }

// drawWinner draws the winning number in one double frame, and the reason below it.
func (p *picture) drawWinner(c *canvas, pl layout, r draw.Area, side digit.Side) {
	n := p.finish().Numbers[side]
	tone := draw.Good
	if p.pair[side.Other()].you {
		tone = p.pair.tone(side)
	}
	s := tone.Bold()
	box := p.drawRow(c, r, n, draw.Double, s)
	c.under(box, pl.caption, s, p.sum(side, r.W))
}

// under writes a line below the middle of a box, within the window.
func (c *canvas) under(box draw.Area, y int, s draw.Style, text string) {
	x := box.X + (box.W-draw.Width(text))/2
	c.Text(max(c.margin(), min(x, c.W-c.margin()-draw.Width(text))), y, s, text)
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
	if draw.Width(text) > width && f.Order != 0 {
		text, _, _ = strings.Cut(text, " = ")
	}
	if draw.Width(text) > width {
		return ""
	}
	return text
}

// drawRow draws the digits of a number in one frame, as large as possible, and returns the frame.
func (p *picture) drawRow(
	c *canvas, r draw.Area, n digit.Number, f draw.Frame, s draw.Style,
) draw.Area {
	z, pitch, pad := draw.Plain, 2, 0
	for _, try := range []struct {
		draw.Size
		pitch, pad int
	}{{draw.Huge, 8, 1}, {draw.Big, 4, 1}, {draw.Big, 4, 0}} {
		if !c.ASCII && try.pitch*n.Len()+1+2*try.pad <= r.W && try.Tall()+2 <= r.H {
			z, pitch, pad = try.Size, try.pitch, try.pad
			break
		}
	}
	tall := z.Tall() + 2
	if z == draw.Huge {
		tall = r.H
	}
	box := draw.Area{W: pitch*(n.Len()-1) + z.Wide() + 2 + 2*pad, H: tall}
	box.X, box.Y = r.X+(r.W-box.W)/2, r.Y+(r.H-tall)/2
	c.Box(box, f, draw.Style{FG: s.FG, Bold: f == draw.Double})
	for i := range n.Len() {
		d, filled := n.At(i)
		x := box.X + 1 + pad + i*pitch
		if !filled || p.isNew(d) && p.travel != landed {
			c.Text(x, box.Y+box.H/2, draw.Outline, "_")
			continue
		}
		c.Digit(x, box.Y+(box.H-z.Tall())/2, z, s, d)
		if p.isNew(d) {
			c.Put(x+z.Wide()/2, box.Y, s, "●")
		}
	}
	return box
}

// drawDigits draws the number of a side: places or a hand as tiles, a growing number in one frame
// in the middle of r. It returns the part that they take.
func (p *picture) drawDigits(c *canvas, set tiles, r draw.Area, side digit.Side) draw.Area {
	n := p.rules.Number(p.at, side)
	s := p.pair.tone(side).Bold()
	if winner, won := p.result.Winner(); won && winner != side {
		s = draw.Muted
	}
	if p.rules.Place == digit.Ends && n.Len() > 0 || set.oneFrame {
		return p.drawRow(c, r, n, draw.Thin, s)
	}
	list := spots(p.rules, p.at)
	for i := range set.n {
		tile, spot := set.at(i), list[min(i, len(list)-1)]
		d, filled := n.At(i)
		isNew := filled && p.isNew(d)
		switch {
		case !filled || isNew && p.travel == taken:
			c.Box(tile, draw.Dashed, draw.Outline)
		case isNew:
			c.Box(tile, draw.Thick, s)
		default:
			c.Box(tile, draw.Thin, s.FG.Style())
		}
		switch {
		case !filled && (p.rules.Place == digit.Slots || i == n.Pool().Len()):
			p.drawSpot(c, tile, side, spot)
		case filled && (!isNew || p.travel == landed):
			c.TileDigit(tile, s, d)
			if isNew {
				c.Put(tile.X+tile.W/2, tile.Y, s, "●")
			}
		}
	}
	return set.span()
}

// drawCaption draws a row with the sum of a number, or the names of its places.
func (p *picture) drawCaption(c *canvas, y int, set tiles, r draw.Area, side digit.Side) {
	text := p.sum(side, r.W)
	if p.rules.Place == digit.Hand {
		text = cmp.Or(text, "hand, any order")
	}
	if text != "" {
		c.Centre(r.X, y, r.W, draw.Muted, text)
		return
	}
	next := c.W // the first column of the name at the right
	for i := int(p.rules.Width) - 1; i >= 0; i-- {
		tile, spot := set.at(i), digit.SlotAt(i)
		if v, ok := p.worthAt(spot); ok && p.open(side) {
			c.verdict(tile.X, y, set.pitch-1, v)
			next = tile.X
			continue
		}
		name := placeIn(p.rules, spot, min(set.pitch, next-1-tile.X))
		next = tile.X + max(0, (tile.W-draw.Width(name))/2)
		c.Text(next, y, draw.Muted, name)
	}
}

// drawEnds draws the sum of a growing number below it and, if a digit can be added, its two ends.
func (p *picture) drawEnds(c *canvas, y int, r, box draw.Area, side digit.Side) {
	c.under(box, y, draw.Muted, p.sum(side, r.W))
	if !p.choosing(side) || p.rules.Number(p.at, side).Len() == 0 {
		return
	}
	for i, spot := range []digit.Spot{digit.Left, digit.Right} {
		look, text := draw.Muted, []string{"L left", "right R"}[i]
		if p.stage() > pick {
			look = draw.Accent.Style()
			if p.picker.spot == spot {
				look = draw.Bar
			}
			if made := p.picker.with(spot).String(); len(made)+2 <= r.W/2 {
				text = []string{"L " + made, made + " R"}[i]
			}
		}
		start := func(text string) int { return r.X + i*(r.W-draw.Width(text)) }
		c.Text(start(text), y, look, text)
		c.zone(draw.Rect(start(text), box.Y, draw.Width(text), y-box.Y+1), p.put(spot))
		if v, ok := p.worthAt(spot); ok {
			word := outcomeIn(v.Outcome, 5)
			c.Text(start(word), y+1, verdictTone(v.Outcome).Style(), word)
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
		if text != "" && draw.Width(text) <= width {
			return text
		}
	}
	return spot.String()
}

// drawRail draws the picked digit in the open places of a number that is in one frame, with their
// letters below.
func (p *picture) drawRail(c *canvas, box draw.Area, side digit.Side) {
	n, k := p.rules.Number(p.at, side), &p.picker
	for i := range int(p.rules.Width) {
		x, spot := box.X+1+2*i, digit.SlotAt(i)
		if _, filled := n.At(i); filled || !p.choosing(side) {
			continue
		}
		if look := draw.Muted; p.stage() > pick && slices.Contains(k.spots, spot) {
			if k.spot == spot {
				look = draw.Bar
			}
			c.Text(x, box.Y+1, look, k.digit.String())
		}
		c.Text(x, box.Y+3, draw.Accent.Style(), spot.String())
		c.zone(draw.Rect(x, box.Y, 1, 4), p.put(spot))
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
func (p *picture) drawSpot(c *canvas, tile draw.Area, side digit.Side, spot digit.Spot) {
	k := &p.picker
	if !p.choosing(side) {
		return
	}
	c.zone(tile, p.put(spot))
	if p.stage() == pick || !slices.Contains(k.spots, spot) {
		return
	}
	f, edge, face := draw.Dashed, draw.Accent.Style(), draw.Muted
	if k.spot == spot {
		f, edge, face = draw.Thick, draw.Active, draw.Active
	}
	c.Box(tile, f, edge)
	c.TileDigit(tile, face, k.digit)
	if p.rules.Place == digit.Slots {
		c.Put(tile.X+tile.W/2, tile.Y, edge, spot.String())
	}
}
