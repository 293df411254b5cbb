// Package draw draws text, frames and large digits on a grid of cells, and returns them as text
// with the colours and characters that a terminal can show. It knows no pages.
package draw

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Canvas is a grid of cells on which a screen is drawn.
type Canvas struct {
	W, H  int
	ASCII bool     // only ASCII is shown, so nothing is drawn with blocks
	Lost  []string // text that did not fit on the canvas, for tests
	cells []cell
}

// A cell is one column of one row. The second column of a wide character has an empty text.
type cell struct {
	text  string
	style Style
}

// An Area is a part of a canvas: its first column and row, its width and its height.
type Area struct{ X, Y, W, H int }

// Rect returns an area.
func Rect(x, y, w, h int) Area { return Area{x, y, w, h} }

// Has reports whether a cell is in the area.
func (r Area) Has(x, y int) bool { return x >= r.X && x < r.Right() && y >= r.Y && y < r.Bottom() }

// Right returns the column after the area.
func (r Area) Right() int { return r.X + r.W }

// Bottom returns the row after the area.
func (r Area) Bottom() int { return r.Y + r.H }

// Inner returns the part inside a frame.
func (r Area) Inner() Area { return Area{r.X + 1, r.Y + 1, r.W - 2, r.H - 2} }

// New returns an empty canvas of a width and a height.
func New(w, h int, ascii bool) *Canvas {
	c := &Canvas{W: w, H: h, cells: make([]cell, w*h), ASCII: ascii}
	for i := range c.cells {
		c.cells[i].text = " "
	}
	return c
}

// Put sets one cell. It does nothing outside the canvas.
func (c *Canvas) Put(x, y int, s Style, text string) {
	if x >= 0 && x < c.W && y >= 0 && y < c.H {
		if was := c.cells[y*c.W+x].text; text != " " && text != was && isWord(was) {
			c.Lost = append(c.Lost, was+" under "+text)
		}
		c.cells[y*c.W+x] = cell{text, s}
	} else if text != " " {
		c.Lost = append(c.Lost, text)
	}
}

// isWord reports whether a cell is part of a word or a number.
func isWord(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// Text writes a line at a position and returns the column after it. It leaves out the part that
// does not fit on the canvas.
func (c *Canvas) Text(x, y int, s Style, text string) int {
	for char, w := range Characters(text) {
		switch {
		case w == 0: // it belongs to the character before it
			if at := x - 1; at >= 0 && at < c.W && y >= 0 && y < c.H {
				c.cells[y*c.W+at].text += char
			}
		case w == 2 && x == c.W-1, char == NBSP:
			c.Put(x, y, s, " ")
		default:
			c.Put(x, y, s, char)
			if w == 2 {
				c.Put(x+1, y, s, "")
			}
		}
		x += w
	}
	return x
}

// Within writes a line into a width, with an ellipsis if it is longer, and returns the column after
// it.
func (c *Canvas) Within(x, y, width int, s Style, text string) int {
	return c.Text(x, y, s, c.cut(text, width))
}

// cut shortens a line to a width.
func (c *Canvas) cut(text string, width int) string {
	short := shorten(text, width)
	if short != text {
		c.Lost = append(c.Lost, text)
	}
	return short
}

// Centre writes a line in the middle of a width.
func (c *Canvas) Centre(x, y, width int, s Style, text string) {
	text = c.cut(text, width)
	c.Text(x+(width-Width(text))/2, y, s, text)
}

// Right writes a line so that it ends before a column.
func (c *Canvas) Right(x, y int, s Style, text string) { c.Text(x-Width(text), y, s, text) }

// Paragraph writes text in lines of a width, at most as many as given, and returns their number.
func (c *Canvas) Paragraph(x, y, width, most int, s Style, text string) int {
	lines := Wrap(text, width)
	if len(lines) > most {
		c.Lost = append(c.Lost, text)
		lines = lines[:max(most, 0)]
		if most > 0 {
			lines[most-1] = shorten(lines[most-1]+" …", width)
		}
	}
	for i, line := range lines {
		c.Text(x, y+i, s, line)
	}
	return len(lines)
}

// Clear empties a part of the canvas.
func (c *Canvas) Clear(r Area, s Style) {
	for y := r.Y; y < r.Bottom(); y++ {
		for x := r.X; x < r.Right(); x++ {
			c.Put(x, y, s, " ")
		}
	}
}

// Rule draws a line across a width.
func (c *Canvas) Rule(x, y, width int) { c.Text(x, y, Outline, strings.Repeat("─", width)) }

// A Frame has the characters of a box.
type Frame struct{ h, v, tl, tr, bl, br string }

// The frames.
var (
	Thin   = Frame{"─", "│", "╭", "╮", "╰", "╯"}
	Thick  = Frame{"━", "┃", "┏", "┓", "┗", "┛"}
	Double = Frame{"═", "║", "╔", "╗", "╚", "╝"}
	Dashed = Frame{"╌", "╎", "╭", "╮", "╰", "╯"}
)

// Box draws a frame.
func (c *Canvas) Box(r Area, f Frame, s Style) {
	right, bottom := r.Right()-1, r.Bottom()-1
	edge := strings.Repeat(f.h, r.W-2)
	c.Text(r.X, r.Y, s, f.tl+edge+f.tr)
	for y := r.Y + 1; y < bottom; y++ {
		c.Put(r.X, y, s, f.v)
		c.Put(right, y, s, f.v)
	}
	c.Text(r.X, bottom, s, f.bl+edge+f.br)
}

// Render returns the canvas as text with the colours of a theme. It leaves out blanks at the ends
// of lines.
func (c *Canvas) Render(t *Theme) string {
	var b strings.Builder
	b.Grow(len(c.cells) * 2)
	for y := range c.H {
		if y > 0 {
			b.WriteByte('\n')
		}
		row := c.cells[y*c.W : (y+1)*c.W]
		end := len(row)
		for end > 0 && row[end-1].text == " " && !row[end-1].style.shows() {
			end--
		}
		for x := 0; x < end; {
			s, from := row[x].style, x
			for x < end &&
				(row[x].style == s || row[x].text == " " && !row[x].style.shows() && !s.shows()) {
				x++
			}
			before, after := t.codes(s)
			b.WriteString(before)
			for _, cell := range row[from:x] {
				t.write(&b, cell.text)
			}
			b.WriteString(after)
		}
	}
	return b.String()
}
