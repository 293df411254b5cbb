package tui

import (
	"slices"
	"strings"
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
	case c.w >= 120 && c.h >= 40:
		return large
	case c.w >= 80 && c.h >= 23:
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
func (c *canvas) stage() rect {
	w, h := min(c.w, mostWidth), min(c.h, mostHeight)
	return rect{(c.w - w) / 2, (c.h - h) / 2, w, h}
}

// body returns the stage without the header, the footer and the margins.
func (c *canvas) body() rect {
	s, at := c.stage(), c.margin()
	top, bottom := 1, 1
	if c.headRule() {
		top = 2
	}
	if c.footRule() {
		bottom = 2
	}
	return rect{s.x + at, s.y + top, s.w - 2*at, s.h - top - bottom}
}

// body returns the body of a page in the terminal.
func (m *Model) body() rect { return (&canvas{w: m.width, h: m.height}).body() }

// headRule and footRule report whether there is room for a rule below the title and above the keys.
func (c *canvas) headRule() bool { return c.h >= 19 }
func (c *canvas) footRule() bool { return c.h >= 20 }

// header draws the top line of the window: the title, its description, and at the right another
// text or, if a game is timed, the clock.
func (c *canvas) header(title, about, right string) {
	at := c.margin()
	end := c.w - at
	x := c.text(at, 0, active, title)
	look := muted
	if c.clock != "" {
		right, look = c.clock, strong
	}
	if right != "" && x+2+textWidth(right) <= end {
		end -= textWidth(right) + 2
		c.text(end+2, 0, look, right)
	}
	if about != "" && x+2+textWidth(about) <= end { // all of it, or nothing
		c.text(x+2, 0, muted, about)
	}
	if c.headRule() {
		c.rule(at-1, 1, c.w-2*at+2)
	}
}

// footer draws the keys of a page in the last line of the window, and above them an error, or that
// a table is being opened.
func (m *Model) footer(c *canvas, keys []binding) {
	at := c.margin()
	c.clear(rect{0, c.h - 1, c.w, 1}, style{})
	if c.footRule() && !c.covered {
		c.rule(at-1, c.h-2, c.w-2*at+2)
	}
	if m.problem != "" || m.opening {
		text, look := m.spin()+" opening the table", muted
		if m.problem != "" {
			text, look = "✗ "+m.problem, failure
		}
		c.clear(rect{0, c.h - 2, c.w, 1}, style{})
		c.within(at, c.h-2, c.w-2*at, look, text+" ")
	}
	c.keyLine(at, c.h-1, c.w-2*at, keys)
}

// keyLine draws keys that can be clicked. If there is no room for all, it leaves out those with the
// highest rank.
func (c *canvas) keyLine(x, y, width int, keys []binding) {
	gap := 3
	if c.w < 80 {
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
		x = c.text(x, y, active, b.name)
		x = c.text(x+1, y, muted, b.about)
		c.zone(rect{from, y, x - from, 1}, b.do)
	}
}

func keysWidth(keys []binding, gap int) int {
	n := -gap
	for _, b := range keys {
		n += textWidth(b.name) + 1 + textWidth(b.about) + gap
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
func (c *canvas) drawer(rows int, title string) rect {
	least := [...]int{compact: 4, standard: 7, large: 10}[c.class()]
	rows = min(max(rows, least), c.h-3)
	top := c.h - 2 - rows
	c.clear(rect{0, top, c.w, c.h - top}, style{})
	c.covered = true
	c.text(0, top, active, strings.Repeat("━", c.w))
	at := c.margin()
	c.text(at+1, top, active, " "+title+" ")
	return rect{at + 1, top + 1, c.w - 2*at - 2, rows}
}

// mark marks the chosen item of a list, and returns the column after the mark and the style of the
// item.
func (c *canvas) mark(x, y int, chosen bool, other style) (int, style) {
	if !chosen {
		return x + 2, other
	}
	return c.text(x, y, active, "▸ "), active
}

// button draws a button, which is also a key.
func (c *canvas) button(x, y int, label string, focused bool, do act) int {
	s := active
	if focused {
		s = bar
		label = "▸" + label + "◂"
	} else {
		label = " " + label + " "
	}
	end := c.text(x, y, s, "["+label+"]")
	c.zone(rect{x, y, end - x, 1}, do)
	return end
}

// middle returns the body of a page up to a width, in the middle.
func (c *canvas) middle(most int) rect {
	b := c.body()
	w := min(b.w, most)
	return rect{b.x + (b.w-w)/2, b.y, w, b.h}
}
