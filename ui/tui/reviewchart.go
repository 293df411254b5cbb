package tui

import (
	"digitduel/digit"
	"digitduel/ui/tui/draw"
)

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
func (v *review) drawChart(c *canvas, r draw.Area) {
	rows := v.judged.Rows()
	labels := []string{v.wins(digit.First), "draw", v.wins(digit.Second), "move"}
	tones := []draw.Tone{v.pair.tone(digit.First), draw.Even, v.pair.tone(digit.Second), draw.Quiet}
	head := 0
	for i, l := range labels {
		head = max(head, draw.Width(l)+2)
		c.Text(r.X, r.Y+i, draw.Style{FG: tones[i]}, l)
	}
	col := min(9, max(5, (r.W-head)/len(rows)))
	room := (r.W - head) / col // points
	from := max(0, min(v.at+1-room/2, len(rows)-room))
	for i := from; i < min(len(rows), from+room); i++ {
		x, y, point := r.X+head+(i-from)*col, r.Y+rows[i], "●"
		if i+1 < len(rows) {
			c.Rule(x+2, y, col-3)
		}
		if i > 0 && !v.judged.Moves[i-1].Kept() {
			point = "◆"
		}
		c.Text(x, y, tones[rows[i]].Bold(), point)
		if i > 0 {
			v.drawMove(c, x, r.Y+3, i-1)
			c.zone(draw.Rect(x-col/2, r.Y, col, 4), func(*Model) { v.look(i - 1) })
		}
	}
}

// drawMove draws a move below the chart, with its grade.
func (v *review) drawMove(c *canvas, x, y, at int) {
	judged := v.judged.Moves[at]
	sign, tone := gradeMark(judged)
	s := tone.Style()
	if at == v.at {
		s = draw.Active
		c.Text(x-1, y, s, "▸")
	}
	c.Text(x, y, s, judged.Move.Uncalled().String()+sign)
}
