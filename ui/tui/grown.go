package tui

import (
	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
)

// drawGrown draws a number that grows, with its two ends under it where a digit is to be put.
func (p *picture) drawGrown(c *canvas, pl plan, r rect, side digit.Side) {
	n := p.rules.Number(p.at, side)
	s := p.pair.tone(side).bold()
	if p.lost(side) {
		s = muted
	}
	if n.Len() == 0 {
		tile := setTiles(r, 1, [...][]int{compact: {5}, standard: {7}, large: {10}}[pl.class], 1).at(0)
		c.box(tile, dashed, outline)
		p.drawSpot(c, tile, side, digit.Right)
		return
	}
	box := p.drawRow(c, r, n, thin, s)
	c.under(box, pl.caption, muted, p.sum(side, r.w))
	if !p.open(side) || p.picker.stage == idle {
		return
	}
	y := pl.caption
	for _, end := range []struct {
		spot digit.Spot
		x    int
		text string
	}{{digit.Left, r.x, "L left"}, {digit.Right, r.x + r.w - 7, "right R"}} {
		look := muted
		if p.picker.stage > pick {
			look = style{fg: accent}
			if p.picker.spot == end.spot {
				look = bar
			}
		}
		to := c.text(end.x, y, look, end.text)
		c.zone(rect{end.x, box.y, to - end.x, y - box.y + 1}, func() tea.Cmd { return p.put(end.spot) })
	}
}
