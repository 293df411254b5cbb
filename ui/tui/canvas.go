package tui

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// A canvas is a grid of cells on which a screen is drawn, with the zones that react to the mouse.
type canvas struct {
	w, h  int
	cells []cell
	zones []zone
	ascii bool // only ASCII is shown, so nothing is drawn with blocks

	clock   string // of a game under the page
	covered bool   // a drawer is drawn over the page

	lost []string // text that did not fit on the canvas, for tests
}

// A cell is one column of one row. The second column of a wide character has an empty text.
type cell struct {
	text  string
	style style
}

// A rect is a part of the canvas.
type rect struct{ x, y, w, h int }

func (r rect) has(x, y int) bool { return x >= r.x && x < r.right() && y >= r.y && y < r.bottom() }

// right returns the column after the rect, and bottom the row after it.
func (r rect) right() int  { return r.x + r.w }
func (r rect) bottom() int { return r.y + r.h }

// inner returns the part inside a frame.
func (r rect) inner() rect { return rect{r.x + 1, r.y + 1, r.w - 2, r.h - 2} }

// A zone is a part of the canvas that reacts to a click.
type zone struct {
	rect
	do act
}

// An act changes the screen. It may start work in the background.
type act func(*Model)

func newCanvas(w, h int) *canvas {
	c := &canvas{w: w, h: h, cells: make([]cell, w*h)}
	for i := range c.cells {
		c.cells[i].text = " "
	}
	return c
}

// zone makes a part of the canvas react to the mouse. Of overlapping zones, the last one counts.
func (c *canvas) zone(r rect, do act) {
	if do != nil {
		c.zones = append(c.zones, zone{r, do})
	}
}

// hit returns the act of a click; nil: there is none.
func (c *canvas) hit(x, y int) act {
	for _, z := range slices.Backward(c.zones) {
		if z.has(x, y) {
			return z.do
		}
	}
	return nil
}

// put sets one cell. It does nothing outside the canvas.
func (c *canvas) put(x, y int, s style, text string) {
	if x >= 0 && x < c.w && y >= 0 && y < c.h {
		if was := c.cells[y*c.w+x].text; text != " " && text != was && isWord(was) {
			c.lost = append(c.lost, was+" under "+text)
		}
		c.cells[y*c.w+x] = cell{text, s}
	} else if text != " " {
		c.lost = append(c.lost, text)
	}
}

// isWord reports whether a cell is part of a word or a number.
func isWord(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// text writes a line at a position and returns the column after it. It leaves out the part that
// does not fit on the canvas.
func (c *canvas) text(x, y int, s style, text string) int {
	for char, w := range characters(text) {
		switch {
		case w == 0: // it belongs to the character before it
			if at := x - 1; at >= 0 && at < c.w && y >= 0 && y < c.h {
				c.cells[y*c.w+at].text += char
			}
		case w == 2 && x == c.w-1, char == nbsp:
			c.put(x, y, s, " ")
		default:
			c.put(x, y, s, char)
			if w == 2 {
				c.put(x+1, y, s, "")
			}
		}
		x += w
	}
	return x
}

// within writes a line into a width, with an ellipsis if it is longer, and returns the column after
// it.
func (c *canvas) within(x, y, width int, s style, text string) int {
	return c.text(x, y, s, c.cut(text, width))
}

// cut shortens a line to a width.
func (c *canvas) cut(text string, width int) string {
	short := shorten(text, width)
	if short != text {
		c.lost = append(c.lost, text)
	}
	return short
}

// centre writes a line in the middle of a width.
func (c *canvas) centre(x, y, width int, s style, text string) {
	text = c.cut(text, width)
	c.text(x+(width-textWidth(text))/2, y, s, text)
}

// right writes a line so that it ends before a column.
func (c *canvas) right(x, y int, s style, text string) { c.text(x-textWidth(text), y, s, text) }

// paragraph writes text in lines of a width, at most as many as given, and returns their number.
func (c *canvas) paragraph(x, y, width, most int, s style, text string) int {
	lines := wrap(text, width)
	if len(lines) > most {
		c.lost = append(c.lost, text)
		lines = lines[:max(most, 0)]
		if most > 0 {
			lines[most-1] = shorten(lines[most-1]+" …", width)
		}
	}
	for i, line := range lines {
		c.text(x, y+i, s, line)
	}
	return len(lines)
}

// clear empties a part of the canvas.
func (c *canvas) clear(r rect, s style) {
	for y := r.y; y < r.bottom(); y++ {
		for x := r.x; x < r.right(); x++ {
			c.put(x, y, s, " ")
		}
	}
}

// rule draws a line across a width.
func (c *canvas) rule(x, y, width int) { c.text(x, y, outline, strings.Repeat("─", width)) }

// A frame has the characters of a box.
type frame struct{ h, v, tl, tr, bl, br string }

var (
	thin   = frame{"─", "│", "╭", "╮", "╰", "╯"}
	thick  = frame{"━", "┃", "┏", "┓", "┗", "┛"}
	double = frame{"═", "║", "╔", "╗", "╚", "╝"}
	dashed = frame{"╌", "╎", "╭", "╮", "╰", "╯"}
)

// box draws a frame.
func (c *canvas) box(r rect, f frame, s style) {
	right, bottom := r.right()-1, r.bottom()-1
	edge := strings.Repeat(f.h, r.w-2)
	c.text(r.x, r.y, s, f.tl+edge+f.tr)
	for y := r.y + 1; y < bottom; y++ {
		c.put(r.x, y, s, f.v)
		c.put(right, y, s, f.v)
	}
	c.text(r.x, bottom, s, f.bl+edge+f.br)
}

// render returns the canvas as text with the colours of a theme. It leaves out blanks at the ends
// of lines.
func (c *canvas) render(t *theme) string {
	var b strings.Builder
	b.Grow(len(c.cells) * 2)
	for y := range c.h {
		if y > 0 {
			b.WriteByte('\n')
		}
		row := c.cells[y*c.w : (y+1)*c.w]
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

const nbsp = "\u00a0"

// characters yields each visible character, with everything that is joined to it, and its width in
// columns.
func characters(text string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for text != "" {
			char, w := firstCharacter(text)
			if !yield(char, w) {
				return
			}
			text = text[len(char):]
		}
	}
}

func firstCharacter(text string) (char string, width int) {
	r, size := utf8.DecodeRuneInString(text)
	// nearly all characters
	if next, _ := utf8.DecodeRuneInString(text[size:]); narrow(r) &&
		(size == len(text) || narrow(next)) {
		return text[:size], 1
	}
	char, _, width, _ = uniseg.FirstGraphemeClusterInString(text, -1)
	return char, width
}

// narrow reports whether a character certainly takes one column and joins nothing.
func narrow(r rune) bool {
	return r >= 0x20 && r < 0x7f || r >= 0x2500 && r < 0x25fb
}

// textWidth returns the number of columns that a line takes.
func textWidth(text string) int {
	n := 0
	for _, w := range characters(text) {
		n += w
	}
	return n
}

// shorten cuts a line to a width, with an ellipsis if it is longer.
func shorten(text string, width int) string {
	if textWidth(text) <= width {
		return text
	}
	if width < 1 {
		return ""
	}
	return strings.TrimRight(cutTo(text, width-1), " ") + "…"
}

// cutTo cuts a name to a width.
func cutTo(text string, width int) string {
	n, end := 0, 0
	for char, w := range characters(text) {
		if n += w; n > width {
			return text[:end]
		}
		end += len(char)
	}
	return text
}

// wrap breaks text into lines of a width, between words if possible. A line that fits is not
// changed; the parts of a longer one keep its indent.
func wrap(text string, width int) []string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		if len(indent) > width/2 {
			indent = ""
		}
		for textWidth(line) > width {
			head, rest := cutLine(line, len(indent), max(width, len(indent)+2))
			lines = append(lines, head)
			line = indent + rest
		}
		lines = append(lines, line)
	}
	return lines
}

// cutLine cuts a line that is too long at the last blank after its indent, or within a word.
func cutLine(line string, indent, width int) (head, rest string) {
	n, at, blank := 0, 0, -1
	for char, w := range characters(line) {
		if char == " " && at > indent {
			blank = at
		}
		if n += w; n > width {
			if blank >= 0 {
				at = blank
			}
			return strings.TrimRight(line[:at], " "), strings.TrimLeft(line[at:], " ")
		}
		at += len(char)
	}
	return line, ""
}
