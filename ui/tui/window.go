package tui

import (
	"slices"
	"strings"

	"digitduel/ui/tui/draw"
)

// A class is a size of window. Larger ones have more room around and between the same things.
type class uint8

const (
	compact  class = iota // from MinWidth by MinHeight
	standard              // from 80 by 23
	large                 // from 120 by 40
)

// class returns the class of the window.
func (c *canvas) class() class {
	switch {
	case c.W >= 120 && c.H >= 40:
		return large
	case c.W >= 80 && c.H >= 23:
		return standard
	default:
		return compact
	}
}

// margin returns the number of empty columns at the sides of a page.
func (c *canvas) margin() int {
	if c.class() == compact {
		return 1
	}
	return 2
}

// A page is drawn in the middle of the window, up to this size.
const (
	mostWidth  = 128
	mostHeight = 42
)

// stage returns the part of the canvas for pages, with their header and footer.
func (c *canvas) stage() draw.Area {
	w, h := min(c.W, mostWidth), min(c.H, mostHeight)
	return draw.Rect((c.W-w)/2, (c.H-h)/2, w, h)
}

// body returns the stage without the header, the footer and the margins.
func (c *canvas) body() draw.Area {
	s, at := c.stage(), c.margin()
	top, bottom := 1, 1
	if c.headRule() {
		top = 2
	}
	if c.footRule() {
		bottom = 2
	}
	return draw.Rect(s.X+at, s.Y+top, s.W-2*at, s.H-top-bottom)
}

// body returns the body of a page in the terminal.
func (m *Model) body() draw.Area {
	return (&canvas{Canvas: &draw.Canvas{W: m.width, H: m.height}}).body()
}

// headRule and footRule report whether there is room for a rule below the title and above the keys.
func (c *canvas) headRule() bool { return c.H >= 19 }
func (c *canvas) footRule() bool { return c.H >= 20 }

// header draws the top line of the window: the title, its description, and at the right another
// text or, if a game is timed, the clock.
func (c *canvas) header(title, about, right string) {
	at := c.margin()
	end := c.W - at
	x := c.Text(at, 0, draw.Active, title)
	look := draw.Muted
	if c.clock != "" {
		right, look = c.clock, draw.Strong
	}
	if right != "" && x+2+draw.Width(right) <= end {
		end -= draw.Width(right) + 2
		c.Text(end+2, 0, look, right)
	}
	if about != "" && x+2+draw.Width(about) <= end { // all of it, or nothing
		c.Text(x+2, 0, draw.Muted, about)
	}
	if c.headRule() {
		c.Rule(at-1, 1, c.W-2*at+2)
	}
}

// footer draws the keys of a page in the last line of the window, and above them an error, or that
// a table is being opened.
func (m *Model) footer(c *canvas, keys []binding) {
	at := c.margin()
	c.Clear(draw.Rect(0, c.H-1, c.W, 1), draw.Style{})
	if c.footRule() && !c.covered {
		c.Rule(at-1, c.H-2, c.W-2*at+2)
	}
	if m.problem != "" || m.opening {
		text, look := m.spin()+" opening the table", draw.Muted
		if m.problem != "" {
			text, look = "✗ "+m.problem, draw.Failure
		}
		c.Clear(draw.Rect(0, c.H-2, c.W, 1), draw.Style{})
		c.Within(at, c.H-2, c.W-2*at, look, text+" ")
	}
	c.keyLine(at, c.H-1, c.W-2*at, keys)
}

// keyLine draws keys that can be clicked. If there is no room for all, it leaves out those with the
// highest rank.
func (c *canvas) keyLine(x, y, width int, keys []binding) {
	gap := 3
	if c.W < 80 {
		gap = 2
	}
	shown := shownKeys(keys)
	for len(shown) > 1 && keysWidth(shown, gap) > width {
		shown = withoutLast(shown)
	}
	for i, b := range shown {
		if i > 0 {
			x += gap
		}
		from := x
		x = c.Text(x, y, draw.Active, b.name)
		x = c.Text(x+1, y, draw.Muted, b.about)
		c.zone(draw.Rect(from, y, x-from, 1), b.do)
	}
}

func keysWidth(keys []binding, gap int) int {
	n := -gap
	for _, b := range keys {
		n += draw.Width(b.name) + 1 + draw.Width(b.about) + gap
	}
	return n
}

// withoutLast removes one key where room is short: the last one with the highest rank.
func withoutLast(keys []binding) []binding {
	worst := 0
	for i, b := range keys {
		if b.rank >= keys[worst].rank {
			worst = i
		}
	}
	return slices.Delete(keys, worst, worst+1)
}

// drawer draws a panel that covers the bottom of the window, and returns its inside. It has the
// given number of rows, and at least those of a table's prompt.
func (c *canvas) drawer(rows int, title string) draw.Area {
	least := [...]int{compact: 4, standard: 7, large: 10}[c.class()]
	rows = min(max(rows, least), c.H-3)
	top := c.H - 2 - rows
	c.Clear(draw.Rect(0, top, c.W, c.H-top), draw.Style{})
	c.covered = true
	c.Text(0, top, draw.Active, strings.Repeat("━", c.W))
	at := c.margin()
	c.Text(at+1, top, draw.Active, " "+title+" ")
	return draw.Rect(at+1, top+1, c.W-2*at-2, rows)
}

// mark marks the chosen item of a list, and returns the column after the mark and the style of the
// item.
func (c *canvas) mark(x, y int, chosen bool, other draw.Style) (int, draw.Style) {
	if !chosen {
		return x + 2, other
	}
	return c.Text(x, y, draw.Active, "▸ "), draw.Active
}

// button draws a button, which is also a key.
func (c *canvas) button(x, y int, label string, focused bool, do act) int {
	s := draw.Active
	if focused {
		s = draw.Bar
		label = "▸" + label + "◂"
	} else {
		label = " " + label + " "
	}
	end := c.Text(x, y, s, "["+label+"]")
	c.zone(draw.Rect(x, y, end-x, 1), do)
	return end
}

// middle returns the body of a page up to a width, in the middle.
func (c *canvas) middle(most int) draw.Area {
	b := c.body()
	w := min(b.W, most)
	return draw.Rect(b.X+(b.W-w)/2, b.Y, w, b.H)
}
