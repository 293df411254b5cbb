package tui

import "digitduel/digit"

// wins returns the label of a row of the chart.
func (v *review) wins(side digit.Side) string {
	if v.pair[side].you {
		return "You win"
	}
	const most = 12 // columns of a name
	return v.pair.short(side, most) + " wins"
}

// drawChart draws the likely winner before and after each move. If the game is too long for the
// width, it draws the part around the current move.
func (v *review) drawChart(c *canvas, r rect) {
	rows := v.judged.Rows()
	labels := []string{v.wins(digit.First), "draw", v.wins(digit.Second), "move"}
	tones := []tone{v.pair.tone(digit.First), even, v.pair.tone(digit.Second), quiet}
	head := 0
	for i, l := range labels {
		head = max(head, textWidth(l)+2)
		c.text(r.x, r.y+i, style{fg: tones[i]}, l)
	}
	col := min(9, max(5, (r.w-head)/len(rows)))
	room := (r.w - head) / col // points
	from := max(0, min(v.at+1-room/2, len(rows)-room))
	for i := from; i < min(len(rows), from+room); i++ {
		x, y, point := r.x+head+(i-from)*col, r.y+rows[i], "●"
		if i+1 < len(rows) {
			c.rule(x+2, y, col-3)
		}
		if i > 0 && !v.judged.Moves[i-1].Kept() {
			point = "◆"
		}
		c.text(x, y, tones[rows[i]].bold(), point)
		if i > 0 {
			v.drawMove(c, x, r.y+3, i-1)
			c.zone(rect{x - col/2, r.y, col, 4}, func(*Model) { v.look(i - 1) })
		}
	}
}

// drawMove draws a move below the chart, with its grade.
func (v *review) drawMove(c *canvas, x, y, at int) {
	judged := v.judged.Moves[at]
	sign, tone := gradeMark(judged)
	s := style{fg: tone}
	if at == v.at {
		s = active
		c.text(x-1, y, s, "▸")
	}
	c.text(x, y, s, judged.Move.Uncalled().String()+sign)
}
