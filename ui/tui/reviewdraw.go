package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// heading says which game is reviewed.
func (v *review) heading() string { return cmp.Or(v.which(), rulebook.Title(v.rec.Rules)) }

// which says which of some games it is, and how to go to the next; of one alone, nothing.
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
	text := rect{b.x, y, b.w, b.y + b.h - y}
	if len(v.judged.Moves) > 0 {
		text = v.drawBoard(c, text)
	}
	v.drawCard(c, text)
}

// drawCard writes what is told of the move. What is least important is left out where there is no room, and nothing is cut.
func (v *review) drawCard(c *canvas, r rect) {
	lines := v.card()
	rows := func() (n int) {
		for _, l := range lines {
			n += len(wrap(l.text, r.w))
		}
		return n
	}
	for len(lines) > 1 && rows() > r.h {
		lines = v.without(lines, r.h)
	}
	gap := 0
	if v.line == 0 && rows()+len(lines)-1 <= r.h {
		gap = 1
	}
	y := r.y
	for _, l := range lines {
		y += c.paragraph(r.x, y, r.w, r.y+r.h-y, l.style, l.text) + gap
	}
}

// without leaves out the least important line: the last one, or of a best line one that is far from where it is looked at.
func (v *review) without(lines []line, room int) []line {
	if v.line > room/2 {
		return slices.Delete(lines, 1, 2)
	}
	return lines[:len(lines)-1]
}

// left says which digits are left in the pool.
func (v *review) left(pic *picture) string {
	left := pic.rules.Left(pic.at).List(" ")
	if left == "" {
		return "No digits remain."
	}
	return "Remaining: " + left
}

// drawBoard draws the position and returns what it leaves for the text: beside it, or below it where it is told in one line.
func (v *review) drawBoard(c *canvas, r rect) rect {
	pic := v.picture()
	size := tileSize{5, 5}
	if c.class() == large {
		size = tileSize{10, 9}
	}
	wide := v.boardWidth(size)
	const least = 34 // columns that a text can be read in
	if c.class() == compact || r.h < 2*(size.h+1) || r.w-wide-3 < least {
		return v.drawRow(c, r, pic)
	}
	y := r.y
	for _, side := range v.pair.order(false) {
		v.drawLabel(c, rect{r.x, y, wide, 1}, pic, side)
		v.drawTiles(c, r.x, y+1, size, pic, side)
		if y += size.h + 1; c.class() == large {
			y++
		}
	}
	if rows := wrap(v.left(pic), wide); y+len(rows) <= r.y+r.h {
		c.paragraph(r.x, y, wide, len(rows), muted, v.left(pic))
	}
	return rect{r.x + wide + 3, r.y, r.w - wide - 3, r.h}
}

// A tileSize is how large a place is drawn.
type tileSize struct{ w, h int }

// boardWidth returns how many columns the numbers of the game take.
func (v *review) boardWidth(size tileSize) int {
	most := v.rec.Rules.Fills(digit.First)
	if v.rec.Rules.Place == digit.Ends {
		return max(17, v.pitch()*most+3)
	}
	return max(17, most*(size.w+1)-1)
}

// pitch returns how many columns there are from digit to digit of a number that grows: so many that large ones fit if it stays short.
func (v *review) pitch() int {
	const short = 5 // digits
	if v.rec.Rules.Fills(digit.First) <= short {
		return 4
	}
	return 2
}

// drawRow tells the position in one line, or two if it is long.
func (v *review) drawRow(c *canvas, r rect, pic *picture) rect {
	var parts []string
	for _, side := range v.pair.order(false) {
		parts = append(parts, together(v.pair.label(side)+": "+rowOf(pic.rules.Number(pic.at, side))))
	}
	parts = append(parts, together(v.left(pic)))
	n := c.paragraph(r.x, r.y, r.w, r.h, strong, strings.Join(parts, "   "))
	if c.class() == compact {
		n++
	}
	return rect{r.x, r.y + n, r.w, r.h - n}
}

// rowOf writes a number with blanks between its places, or that there is none yet.
func rowOf(n digit.Number) string {
	if n.Len() == 0 {
		return "nothing yet"
	}
	return spaced(n)
}

// drawLabel writes whose number it is.
func (v *review) drawLabel(c *canvas, r rect, pic *picture, side digit.Side) {
	s := v.pair.tone(side).bold()
	x := r.x
	if pic.turnOf(side) {
		x = c.text(x, r.y, s, "▶ ")
	}
	c.text(x, r.y, s, v.pair.short(side, r.x+r.w-x))
}

// drawTiles draws the number of a side; the digit of the last move has a heavy frame and a dot.
func (v *review) drawTiles(c *canvas, x, y int, size tileSize, pic *picture, side digit.Side) {
	n, s := pic.rules.Number(pic.at, side), v.pair.tone(side).bold()
	last, moved := pic.last()
	if pic.rules.Place == digit.Ends {
		v.drawGrown(c, x, y, pic, side)
		return
	}
	for i := range int(pic.rules.Width) {
		tile := rect{x + i*(size.w+1), y, size.w, size.h}
		d, filled := n.At(i)
		switch {
		case !filled:
			c.box(tile, dashed, outline)
		case moved && last.Digit == d:
			c.box(tile, thick, s)
			c.put(tile.x+tile.w/2, tile.y, s, "●")
		default:
			c.box(tile, thin, style{fg: s.fg})
		}
		if filled {
			c.tileDigit(tile, s, d)
		}
	}
}

// drawGrown draws a number that grows in one frame; the digit of the last move has a dot over it.
func (v *review) drawGrown(c *canvas, x, y int, pic *picture, side digit.Side) {
	n, s, pitch := pic.rules.Number(pic.at, side), v.pair.tone(side).bold(), v.pitch()
	z := c.sizeIn(pitch-1, 3)
	box := rect{x, y, max(7, pitch*n.Len()+3), z.tall() + 2}
	c.box(box, thin, style{fg: s.fg})
	last, moved := pic.last()
	for i := range n.Len() {
		d, _ := n.At(i)
		at := box.x + 2 + pitch*i
		if c.digit(at, y+1, z, s, d); moved && last.Digit == d {
			c.put(at+z.wide()/2, y, s, "●")
		}
	}
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

// wins says whose row of the chart it is.
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

// drawChart draws who was winning before and after each move; it returns the row below. If the game is too long for the width, the part
// around the move that is looked at is drawn.
func (v *review) drawChart(c *canvas, x, y, width int) int {
	rows := v.courseRows()
	labels := []string{v.wins(digit.First), "draw", v.wins(digit.Second), "move"}
	tones := []tone{v.pair.tone(digit.First), even, v.pair.tone(digit.Second), quiet}
	lines := []int{0, 1, 2, 3} // where each row is drawn
	if !slices.Contains(rows, 1) {
		lines = []int{0, 0, 1, 2} // nobody's row is left out
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
			c.zone(rect{px - col/2, y, col, lines[3] + 1}, func() tea.Cmd { v.look(i - 1); return nil })
		}
	}
	return y + lines[3] + 1
}

// drawMove writes a move under the chart, with what it was worth.
func (v *review) drawMove(c *canvas, x, y, at int) {
	judged := v.judged.Moves[at]
	s := style{fg: gradeTone(judged)}
	if at == v.at {
		s = active
		c.text(x-1, y, s, "▸")
	}
	c.text(x, y, s, judged.Move.Uncalled().String()+gradeSign(judged))
}

// connect draws a line between two points of a chart, from one column to another and from one row to another.
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
