package tui

import (
	"fmt"
	"slices"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// heading names the reviewed game: by its number among several, with the key of the next.
func (v *review) heading() string {
	if len(v.games) < 2 {
		return rulebook.Title(v.rec.Rules)
	}
	return fmt.Sprintf("game %d of %d, Tab for the next", v.game+1, len(v.games))
}

func (v *review) draw(m *Model, c *canvas) { v.picture(m).draw(c) }

// chartRow returns the row of a value: the first side wins, a draw, the second side wins.
func chartRow(value solve.Value, turn digit.Side) int {
	winner, won := value.Winner(turn)
	if !won {
		return 1
	}
	return 2 * int(winner)
}

// wins returns the label of a row of the chart.
func (v *review) wins(side digit.Side) string {
	if v.pair[side].you {
		return "You win"
	}
	const most = 12 // columns of a name
	return v.pair.short(side, most) + " wins"
}

// courseRows returns the rows of the chart before the first move and after each one.
func (v *review) courseRows() []int {
	var rows []int
	for _, judged := range v.judged.Moves {
		rows = append(rows, chartRow(judged.Best, judged.Side))
	}
	return append(rows, chartRow(v.judged.Value, digit.Side(len(v.judged.Moves)%2)))
}

// drawChart draws the likely winner before and after each move. If the game is too long for the
// width, it draws the part around the current move.
func (v *review) drawChart(c *canvas, r rect) {
	x, y, width, rows := r.x, r.y, r.w, v.courseRows()
	labels := []string{v.wins(digit.First), "draw", v.wins(digit.Second), "move"}
	tones := []tone{v.pair.tone(digit.First), even, v.pair.tone(digit.Second), quiet}
	lines := []int{0, 1, 2, 3} // the screen row of each chart row
	if !slices.Contains(rows, 1) {
		lines = []int{0, 0, 1, 2} // the row of draws is left out
	}
	head := 0
	for _, l := range labels {
		head = max(head, textWidth(l))
	}
	for i, l := range labels {
		if i != 1 || lines[1] > 0 {
			c.text(x, y+lines[i], style{fg: tones[i]}, l)
		}
	}
	col := min(9, max(5, (width-head-2)/len(rows)))
	room := (width - head - 2) / col // points
	from := max(0, min(v.at+1-room/2, len(rows)-room))
	for i := from; i < min(len(rows), from+room); i++ {
		px := x + head + 2 + (i-from)*col
		point := "●"
		if i > 0 && !v.judged.Moves[i-1].Kept() {
			point = "◆"
		}
		if i+1 < len(rows) {
			c.rule(px+2, y+lines[rows[i]], col-3)
		}
		c.text(px, y+lines[rows[i]], tones[rows[i]].bold(), point)
		if i > 0 {
			v.drawMove(c, px, y+lines[3], i-1)
			c.zone(rect{px - col/2, y, col, lines[3] + 1}, func(*Model) { v.look(i - 1) })
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
