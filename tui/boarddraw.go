package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// drawPool draws the digits as tiles: those that are left, those that are gone, and the one that is chosen.
func (t *table) drawPool(m *Model, c *canvas, pl plan) {
	p, _ := t.shown()
	r, at := t.rules(), t.step()
	left := r.Left(p)
	c.text(pl.main.x, pl.main.y, style{fg: quiet}, "POOL")
	if t.analysis && t.insight.known() {
		c.text(pl.main.x+6, pl.main.y, style{fg: quiet}, "W win, D draw, L loss, in so many turns")
	}
	for i, d := range t.pool() {
		tile := rect{pl.tile.x + i%pl.perRow*pl.tile.w, pl.tile.y + i/pl.perRow*pl.tile.h, pl.tile.w, pl.tile.h}
		if !left.Has(d) {
			c.centre(tile.x, tile.y+tile.h/2, tile.w, style{fg: faint}, "·")
			continue
		}
		f, edge, face, text := thin, style{}, style{bold: true}, d.String()
		switch {
		case at == idle:
			edge, face = style{fg: faint}, style{}
		case t.chosen.picked && t.chosen.digit == d:
			f, edge, face = double, style{fg: accent, bold: true}, bar
			if tile.w >= 5 {
				text = "[" + text + "]"
			}
		case at == pick && i == t.cursor:
			f, edge = thick, style{fg: accent, bold: true}
		}
		c.box(tile, f, edge)
		if tile.h >= 5 && !m.theme.ascii {
			if face == bar { // a big digit is hard to read in reverse
				face = edge
			}
			c.bigDigit(tile.x+(tile.w-3+1)/2, tile.y+1, 3, face, d)
		} else {
			c.centre(tile.x+1, tile.y+tile.h/2, tile.w-2, face, text)
		}
		if v, ok := t.insight.digitWorth(d); ok && t.analysis {
			c.centre(tile.x+1, tile.y+tile.h-1, tile.w-2, style{fg: verdictTone(v.Outcome), bold: true}, verdict(v, tile.w-2))
		}
		c.zone(tile, func() tea.Cmd { return t.pick(m, d) })
	}
}

// known reports whether values are known.
func (in *insight) known() bool { return in != nil && in.worth != nil }

// drawBoard draws the name of a seat and its number.
func (t *table) drawBoard(m *Model, c *canvas, pl plan, r rect, seat match.Seat) {
	p, ply := t.shown()
	side := t.state.Side(seat)
	turn := t.rules().Turn(p) == side && !t.rules().Result(p).Over() && t.state.Game > 0 && (t.state.Playing() || ply < len(t.state.Moves))
	mark, s := "  ", style{fg: seatTone(seat)}
	if turn {
		mark, s = "▶ ", style{fg: seatTone(seat), bold: true}
	}
	c.text(r.x, r.y, s, mark)
	right := spaced(t.rules().Number(p, side))
	if t.look == live {
		if winner, won := t.state.Winner(); won && winner == seat {
			right = "✓ " + right
		}
		if at, timed := t.state.Deadline(); timed && turn {
			right = clockText(at.Sub(m.now)) + "  " + right
		}
	}
	c.within(r.x+2, r.y, r.w-4-textWidth(right), s, t.name(seat))
	c.right(r.x+r.w, r.y, style{bold: true}, right)
	if t.rules().Place == digit.Ends {
		t.drawEnds(m, c, pl, r, seat)
		return
	}
	t.drawPlaces(m, c, pl, r, seat)
}

// last returns the move that led to what is shown, whose it was, and whether there was one.
func (t *table) last() (move digit.Move, side digit.Side, ok bool) {
	_, ply := t.shown()
	if ply == 0 {
		return digit.Move{}, 0, false
	}
	return t.state.Moves[ply-1], digit.Side((ply - 1) % 2), true
}

// drawPlaces draws a number with fixed places, or a hand.
func (t *table) drawPlaces(m *Model, c *canvas, pl plan, r rect, seat match.Seat) {
	p, _ := t.shown()
	rules, side := t.rules(), t.state.Side(seat)
	n := rules.Number(p, side)
	held := n.Pool().Len()
	names := m.world.Places(rules)
	last, lastSide, moved := t.last()
	for i := range int(rules.Width) {
		tile := rect{r.x + i*(pl.place.w+1), r.y + 1, pl.place.w, pl.place.h}
		var d digit.Digit
		filled := false
		spot := digit.InHand
		if rules.Place == digit.Slots {
			d, filled = n.At(i)
			spot = digit.SlotAt(i)
		} else if i < held {
			d, filled = n.At(i)
		}
		c.box(tile, thin, style{fg: faint})
		switch {
		case filled:
			edge := style{fg: seatTone(seat)}
			c.box(tile, thin, edge)
			t.drawDigit(m, c, tile, style{fg: seatTone(seat), bold: true}, d)
			if moved && lastSide == side && last.Digit == d {
				c.put(tile.x+tile.w-2, tile.y, style{fg: seatTone(seat), bold: true}, "●")
			}
		case rules.Place == digit.Slots || i == held:
			t.drawTarget(m, c, tile, seat, spot)
		}
		if rules.Place == digit.Slots {
			c.put(tile.x+1, tile.y, style{fg: quiet}, spot.String())
			if i < len(names) {
				c.centre(tile.x-1, tile.y+tile.h, tile.w+2, style{fg: quiet}, shorten(names[i], tile.w+1))
			}
		}
	}
	if rules.Place == digit.Hand {
		c.text(r.x, r.y+1+pl.place.h, style{fg: quiet}, "hand")
	}
}

// drawDigit draws a digit on a tile, large if there is room.
func (t *table) drawDigit(m *Model, c *canvas, tile rect, s style, d digit.Digit) {
	if tile.h >= 5 && tile.w >= 5 && !m.theme.ascii {
		c.bigDigit(tile.x+1, tile.y+(tile.h-3)/2, tile.w-2, s, d)
		return
	}
	c.centre(tile.x+1, tile.y+tile.h/2, tile.w-2, s, d.String())
}

// drawTarget draws an empty spot: where the chosen digit may go, where it is about to go, and what that is worth.
func (t *table) drawTarget(m *Model, c *canvas, tile rect, seat match.Seat, spot digit.Spot) {
	p, _ := t.shown()
	mine := t.rules().Turn(p) == t.state.Side(seat) && !t.rules().Result(p).Over()
	if !mine {
		return
	}
	at := t.step()
	legal := (at == settle || at == confirm) && t.legal(t.chosen.digit, spot)
	preview := false
	switch {
	case at == confirm && t.chosen.spot == spot:
		c.box(tile, double, style{fg: accent, bold: true})
		preview = true
	case at == settle && t.chosen.spot == spot:
		c.box(tile, thick, style{fg: accent, bold: true})
		preview = !t.analysis
	case legal:
		c.box(tile, dashed, style{fg: accent})
	}
	if preview {
		t.drawDigit(m, c, tile, style{fg: accent, bold: true}, t.chosen.digit)
	}
	if at != idle {
		c.zone(tile, func() tea.Cmd {
			if t.step() == confirm && t.chosen.spot == spot { // a second click plays it
				return t.send(m, digit.Number{})
			}
			return t.put(m, spot)
		})
	}
	if v, ok := t.insight.spotWorth(t.chosen.digit, t.chosen.picked && at != idle, spot); ok && t.analysis && t.insight.at == p {
		t.drawVerdict(c, tile, v, preview)
	}
}

// drawVerdict writes what a spot is worth on its tile, on the lower edge if a digit is drawn in it.
func (t *table) drawVerdict(c *canvas, tile rect, v solve.Value, low bool) {
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
func (t *table) drawEnds(m *Model, c *canvas, pl plan, r rect, seat match.Seat) {
	p, _ := t.shown()
	rules, side := t.rules(), t.state.Side(seat)
	n := rules.Number(p, side)
	open := rules.Turn(p) == side && !rules.Result(p).Over() && t.state.Game > 0
	end := rect{y: r.y + 1, w: min(pl.place.w, 9), h: pl.place.h}
	inner := r.w - 2*end.w
	if n.Len() == 0 {
		end.x = r.x + (r.w-end.w)/2
		c.box(end, thin, style{fg: faint})
		if open {
			t.drawTarget(m, c, end, seat, digit.Right)
		}
		c.centre(r.x, end.y+end.h, r.w, style{fg: quiet}, "first digit")
		return
	}
	if !open {
		inner = r.w
	}
	large := pl.place.h >= 5 && !m.theme.ascii && 4*n.Len()+3 <= inner
	w := 2*n.Len() + 3
	if large {
		w = 4*n.Len() + 3
	} else if w > inner {
		w = n.Len() + 2
	}
	box := rect{r.x + (r.w-w)/2, r.y + 1, w, pl.place.h}
	c.box(box, thin, style{fg: seatTone(seat)})
	last, lastSide, moved := t.last()
	for i := range n.Len() {
		d, _ := n.At(i)
		s := style{fg: seatTone(seat), bold: true}
		step := 2
		switch {
		case large:
			step = 4
			c.bigDigit(box.x+2+i*step, box.y+(box.h-3)/2, 3, s, d)
		case w == n.Len()+2:
			step = 1
			c.text(box.x+1+i, box.y+box.h/2, s, d.String())
		default:
			c.text(box.x+2+i*step, box.y+box.h/2, s, d.String())
		}
		if moved && lastSide == side && last.Digit == d {
			x := box.x + 2 + i*step
			if large {
				x++
			}
			c.put(min(x, box.x+w-2), box.y, s, "●")
		}
	}
	if !open {
		return
	}
	for i, spot := range []digit.Spot{digit.Left, digit.Right} {
		end.x = []int{box.x - end.w, box.x + box.w}[i]
		c.box(end, thin, style{fg: faint})
		t.drawTarget(m, c, end, seat, spot)
		c.put(end.x+1, end.y, style{fg: quiet}, spot.String())
		c.centre(end.x, end.y+end.h, end.w, style{fg: quiet}, []string{"left", "right"}[i])
	}
}

// A line is a line of the panel.
type line struct {
	text string
	style
	whole bool // it is of no use if it is cut
}
