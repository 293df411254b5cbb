package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// heading names the reviewed game.
func (v *review) heading() string { return cmp.Or(v.which(), rulebook.Title(v.rec.Rules)) }

// which returns the number of the game among several, and how to open the next; it is empty for a
// single game.
func (v *review) which() string {
	if len(v.games) < 2 {
		return ""
	}
	return fmt.Sprintf("game %d of %d, Tab for the next", v.game+1, len(v.games))
}

func (v *review) draw(m *Model, c *canvas) {
	c.header("Review", v.heading(), v.result())
	b := c.body()
	if v.judged == nil {
		y := b.y + c.paragraph(b.x, b.y, b.w, 3, style{fg: even}, v.status(m))
		c.paragraph(b.x, y+1, b.w, b.h-4, style{}, "Moves: "+movesText(v.rec.Moves))
		return
	}
	y := v.drawChart(c, b.x, b.y, b.w)
	if c.class() != compact {
		c.rule(b.x-1, y, b.w+2, outline)
		y++
	}
	text := rect{b.x, y, b.w, b.bottom() - y}
	if len(v.judged.Moves) > 0 {
		text = v.drawBoard(c, text)
	}
	v.drawCard(c, text)
}

// drawCard draws the lines about the move. It leaves out the least important ones if there is no
// room, and cuts none.
func (v *review) drawCard(c *canvas, r rect) {
	lines := v.card()
	for len(lines) > 1 && rowsOf(lines, r.w) > r.h {
		if v.line > r.h/2 { // of a best line, far from the current move
			lines = slices.Delete(lines, 1, 2)
		} else {
			lines = lines[:len(lines)-1]
		}
	}
	gap := 0
	if v.line == 0 && rowsOf(lines, r.w)+len(lines)-1 <= r.h {
		gap = 1
	}
	c.lines(r, gap, lines...)
}

// left lists the digits that are left in the pool.
func (v *review) left(pic *picture) string {
	left := pic.rules.Left(pic.at).List(" ")
	if left == "" {
		return "No digits remain."
	}
	return "Remaining: " + left
}

// drawBoard draws the position and returns the part for the text: next to it, or below it if it
// takes one line.
func (v *review) drawBoard(c *canvas, r rect) rect {
	pic := v.picture()
	tile, n := rect{r.x, r.y, 5, 5}, pic.rules.Fills(digit.First)
	if c.class() == large {
		tile.w, tile.h = 10, 9
	}
	pitch := 4 // the distance of digits of a growing number: for large digits, if it stays short
	if n > 5 || c.ascii {
		pitch = 2
	}
	wide := n*(tile.w+1) - 1
	if pic.rules.Place == digit.Ends {
		wide, n = pitch*n+3, 1
	}
	wide = max(17, wide)
	const least = 34 // columns for readable text
	if c.class() == compact || r.h < 2*(tile.h+1) || r.w-wide-3 < least {
		return v.drawRow(c, r, pic)
	}
	for _, side := range v.pair.order(false) {
		v.drawLabel(c, rect{r.x, tile.y, wide, 1}, pic, side)
		tile.y++
		row := rect{r.x, tile.y, pitch*pic.rules.Number(pic.at, side).Len() + 3, pitch + 1}
		pic.drawDigits(c, tiles{rect: tile, n: n, pitch: tile.w + 1}, row, side)
		if tile.y += tile.h; c.class() == large {
			tile.y++
		}
	}
	c.lines(rect{r.x, tile.y, wide, r.bottom() - tile.y}, 0, muted.line(v.left(pic)))
	return rect{r.x + wide + 3, r.y, r.w - wide - 3, r.h}
}

// drawRow draws the position in one line, or two if it is long.
func (v *review) drawRow(c *canvas, r rect, pic *picture) rect {
	var parts []string
	for _, side := range v.pair.order(false) {
		parts = append(
			parts, together(v.pair.label(side)+": "+rowOf(pic.rules.Number(pic.at, side))))
	}
	parts = append(parts, together(v.left(pic)))
	n := c.paragraph(r.x, r.y, r.w, r.h, strong, strings.Join(parts, "   "))
	if c.class() == compact {
		n++
	}
	return rect{r.x, r.y + n, r.w, r.h - n}
}

// rowOf returns a number with blanks between its places, or a text that there is none yet.
func rowOf(n digit.Number) string {
	if n.Len() == 0 {
		return "nothing yet"
	}
	return spaced(n)
}

// drawLabel draws the name of a side.
func (v *review) drawLabel(c *canvas, r rect, pic *picture, side digit.Side) {
	s := v.pair.tone(side).bold()
	x := r.x
	if pic.turnOf(side) {
		x = c.text(x, r.y, s, "▶ ")
	}
	c.text(x, r.y, s, v.pair.short(side, r.right()-x))
}

// chartRow returns the row of a value: the first side wins, a draw, the second side wins.
func chartRow(value solve.Value, turn digit.Side) int {
	winner, won := value.Winner(turn)
	switch {
	case !won:
		return 1
	case winner == digit.First:
		return 0
	default:
		return 2
	}
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

// drawChart draws the likely winner before and after each move, and returns the row below. If the
// game is too long for the width, it draws the part around the current move.
func (v *review) drawChart(c *canvas, x, y, width int) int {
	rows := v.courseRows()
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
		if i > from {
			c.connect(px-col+2, px-2, y+lines[rows[i-1]], y+lines[rows[i]], outline)
		}
		point := "●"
		if i > 0 && !v.judged.Moves[i-1].Kept() {
			point = "◆"
		}
		c.text(px, y+lines[rows[i]], tones[rows[i]].bold(), point)
		if i > 0 {
			v.drawMove(c, px, y+lines[3], i-1)
			c.zone(rect{px - col/2, y, col, lines[3] + 1}, set(func() { v.look(i - 1) }))
		}
	}
	return y + lines[3] + 1
}

// drawMove draws a move below the chart, with its grade.
func (v *review) drawMove(c *canvas, x, y, at int) {
	judged := v.judged.Moves[at]
	s := style{fg: gradeTone(judged)}
	if at == v.at {
		s = active
		c.text(x-1, y, s, "▸")
	}
	c.text(x, y, s, judged.Move.Uncalled().String()+gradeSign(judged))
}

// connect draws a line between two points of a chart.
func (c *canvas) connect(start, end, from, to int, s style) {
	for x := start; x <= end; x++ {
		c.put(x, from, s, "─")
	}
	if from == to {
		return
	}
	top, bottom := min(from, to), max(from, to)
	for row := top + 1; row < bottom; row++ {
		c.put(end, row, s, "│")
	}
	if to > from {
		c.put(end, top, s, "╮")
		c.put(end, bottom, s, "╰")
	} else {
		c.put(end, bottom, s, "╯")
		c.put(end, top, s, "╭")
	}
}
