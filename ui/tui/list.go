package tui

import (
	"cmp"
	"slices"

	"digitduel/ui/tui/draw"
)

// A list is the items of a page and the cursor among them. The page makes one whenever it needs it.
type list struct {
	at    *int
	n     int    // the number of items
	items []item // nil: the page draws them
	open  func(m *Model, i int)
	moved func(i int) // is called when the cursor has moved; may be nil
	stops bool        // the cursor stops at the ends; otherwise it wraps around
}

// An item is an entry of a list.
type item struct {
	key, name string
	about     []string // forms of the text next to the name, the longest first
	below     string   // the lines below the name
	apart     bool     // a blank line follows, if there is room
}

// listOf returns a list of items.
func listOf(at *int, items []item, open func(m *Model, i int)) list {
	return list{at: at, n: len(items), items: items, open: open}
}

// choose moves the cursor to an item.
func (l list) choose(i int) {
	if *l.at = i; l.moved != nil {
		l.moved(i)
	}
}

// move returns the act that moves the cursor by some items.
func (l list) move(by int) act {
	return func(*Model) {
		at := (*l.at + by + l.n) % max(1, l.n)
		if l.stops {
			at = max(0, min(*l.at+by, l.n-1))
		}
		l.choose(at)
	}
}

// opens returns the act that opens an item.
func (l list) opens(i int) act {
	return func(m *Model) {
		l.choose(i)
		l.open(m, i)
	}
}

// click returns the act of a click on an item: the first one chooses it, the second one opens it.
func (l list) click(i int) act {
	if i == *l.at {
		return l.opens(i)
	}
	return func(*Model) { l.choose(i) }
}

// keys returns the keys of a list: Enter, which verb describes, those that move the cursor, and
// those of the items.
func (l list) keys(verb string) []binding {
	keys := []binding{
		on(l.opens(*l.at), verb, "enter"), on(l.move(1), "choose", "↑↓"),
		also(l.move(-1), "up", "k", "shift+tab", "left"),
		also(l.move(1), "down", "j", "tab", "right"),
	}
	for i, it := range l.items {
		keys = append(keys, also(l.opens(i), it.key))
	}
	return keys
}

// window returns the range of items to show in some rows, with the cursor in the middle.
func (l list) window(room int) (from, to int) {
	from = max(0, min(*l.at-room/2, l.n-room))
	return from, min(l.n, from+room)
}

const (
	indent   = 4  // the width of the cursor and the key of an item
	longName = 24 // the text next to a longer name is not in the column of the others
)

// rows returns the number of rows of an item.
func (it item) rows(width int) int {
	n := len(draw.Wrap(it.name, width-indent))
	if it.below != "" {
		n += len(draw.Wrap(it.below, width-indent))
	}
	return n
}

// rows returns the number of rows of the items from one on.
func (l list) rows(from, width int) (n int) {
	for _, it := range l.items[from:] {
		n += it.rows(width)
	}
	return n
}

// draw draws the items so that the chosen one is visible. The texts next to the names start in the
// same column, if one fits there.
func (l list) draw(c *canvas, r draw.Area) {
	wide, from := 0, 0
	for _, it := range l.items {
		if w := draw.Width(it.name); w <= longName {
			wide = max(wide, w)
		}
	}
	for from < *l.at && l.rows(from, r.W)-l.rows(*l.at+1, r.W) > r.H {
		from++
	}
	y, left, i := r.Y, l.rows(from, r.W), from
	for ; i < l.n && y+l.items[i].rows(r.W) <= r.Bottom(); i++ {
		it := l.items[i]
		left -= it.rows(r.W)
		rows := c.item(draw.Rect(r.X, y, r.W, r.Bottom()-y), it, i == *l.at, wide)
		c.zone(draw.Rect(r.X, y, r.W, rows), l.click(i))
		if y += rows; it.apart && r.Bottom()-y > left+1 {
			y++
		}
	}
	c.more(r, from > 0, i < l.n)
}

// item draws an item and returns the number of its rows. A text that does not fit next to the name
// comes below it.
func (c *canvas) item(r draw.Area, it item, chosen bool, wide int) int {
	x, look := c.mark(r.X, r.Y, chosen, draw.Strong)
	if it.key != "" {
		x = c.Text(x, r.Y, draw.Muted, it.key) + 1
	}
	rows := c.Paragraph(x, r.Y, r.W-indent, r.H, look, it.name)
	at := x + 2 + max(wide, draw.Width(it.name))
	fits := func(text string) bool { return at+draw.Width(text) <= r.Right()+c.margin() }
	if i := slices.IndexFunc(it.about, fits); i >= 0 {
		c.Text(at, r.Y, draw.Muted, it.about[i])
	} else if it.about != nil {
		it.below = cmp.Or(it.below, it.about[0])
	}
	if it.below != "" {
		rows += c.Paragraph(x, r.Y+rows, r.W-indent, r.H-rows, draw.Muted, it.below)
	}
	return rows
}

// more draws signs at the right of some lines if there are others above or below them.
func (c *canvas) more(r draw.Area, above, below bool) {
	if above {
		c.Text(r.Right(), r.Y, draw.Active, "▴")
	}
	if below {
		c.Text(r.Right(), r.Bottom()-1, draw.Active, "▾")
	}
}
