package tui

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// A row is one thing to choose, of a list or by typing, or a page to open.
type row struct {
	name   string
	value  string
	tells  string
	change func(by int)              // to the next or the last of its values; nil: it is typed only
	field  *field                    // what may be typed; nil: nothing
	set    func(typed string)        // takes what was typed
	wrong  func(typed string) string // says why what was typed is not taken; nil: it always is, or that is plain to see
	open   act                       // opens a page; nil: there is none
}

// rows is a list of rows of which one has the focus.
type rows struct {
	at    int
	field *field // the text of the row with the focus
	was   string // what the text was before it was typed
}

// focus moves the focus.
func (f *rows) focus(list []row, at int) {
	n := len(list)
	f.at = (at + n) % n
	if f.field = list[f.at].field; f.field != nil {
		f.was = f.field.text
	}
}

// current returns the row with the focus. It tells what is wrong with what is typed.
func (f *rows) current(list []row) row {
	f.at = min(f.at, len(list)-1)
	r := list[f.at]
	if f.field != nil && r.wrong != nil {
		r.tells = cmp.Or(r.wrong(f.field.text), r.tells)
	}
	return r
}

// change changes the value of the row with the focus.
func (f *rows) change(m *Model, rowsOf func(*Model) []row, by int) tea.Cmd {
	r := f.current(rowsOf(m))
	switch {
	case r.change != nil:
		r.change(by)
		f.focus(rowsOf(m), f.at)
	case r.open != nil && by > 0:
		return r.open()
	}
	return nil
}

// keys returns the keys that move the focus and change values.
func (f *rows) keys(m *Model, rowsOf func(*Model) []row) []binding {
	move := func(by int) act {
		return func() tea.Cmd { f.focus(rowsOf(m), f.at+by); return nil }
	}
	change := func(by int) act { return func() tea.Cmd { return f.change(m, rowsOf, by) } }
	keys := []binding{
		on(move(1), "row", "↑↓"), also(move(-1), "up", "shift+tab"), also(move(1), "down", "tab"),
		also(change(-1), "left"), also(change(1), "right"),
	}
	if f.current(rowsOf(m)).change != nil {
		keys = append(keys, on(change(1), "change", "←→"))
	}
	return keys
}

// typingKeys returns the keys while a text is typed that may be anything: it is done, or as it was.
func (f *rows) typingKeys(m *Model, rowsOf func(*Model) []row) []binding {
	move := func(by int) act {
		return func() tea.Cmd { f.focus(rowsOf(m), f.at+by); return nil }
	}
	undo := func() tea.Cmd {
		f.current(rowsOf(m)).set(f.was)
		f.focus(rowsOf(m), f.at+1)
		return nil
	}
	return []binding{
		on(move(1), "done", "enter", "down", "tab").ranked(moveRank), also(move(-1), "up", "shift+tab"),
		on(undo, "as it was", "esc").ranked(staysRank),
	}
}

// writes reports whether a text is typed that may be anything, so that no letter is a command.
func (f *rows) writes() bool { return f.field != nil && f.field.allows == nil }

// middle returns the body of a page up to a width, in the middle.
func (c *canvas) middle(most int) rect {
	b := c.body()
	w := min(b.w, most)
	return rect{b.x + (b.w-w)/2, b.y, w, b.h}
}

// nameWidth returns how wide the names of rows are.
func nameWidth(list []row) int {
	wide := 0
	for _, r := range list {
		wide = max(wide, textWidth(r.name))
	}
	return wide
}

// draw draws the rows, one below the other with some rows from one to the next, and returns the row after them.
func (f *rows) draw(m *Model, c *canvas, r rect, rowsOf func(*Model) []row, step int) int {
	list := rowsOf(m)
	for i := range list {
		f.drawRow(m, c, rect{r.x, r.y + i*step, r.w, 1}, rowsOf, i, nameWidth(list))
	}
	return r.y + len(list)*step
}

// drawRow draws a row in one line: its name, and its value between two arrows where it has a list.
func (f *rows) drawRow(m *Model, c *canvas, r rect, rowsOf func(*Model) []row, i int, label int) {
	row := rowsOf(m)[i]
	focused := i == f.at
	x, name := c.mark(r.x, r.y, focused, muted)
	if focused && f.field != nil {
		row.value = f.field.text
	}
	c.text(x, r.y, name, row.name)
	x += label + 2
	c.zone(r, func() tea.Cmd {
		again := f.at == i
		f.focus(rowsOf(m), i)
		if row.open != nil && again {
			return row.open()
		}
		return nil
	})
	click := func(by int) act {
		return func() tea.Cmd {
			f.focus(rowsOf(m), i)
			return f.change(m, rowsOf, by)
		}
	}
	if row.change != nil && focused {
		c.text(x, r.y, active, "‹")
		c.zone(rect{x - 1, r.y, 3, 1}, click(-1))
	}
	x += 2
	end := c.within(x, r.y, r.x+r.w-x-2, style{bold: focused}, row.value)
	if row.field != nil && focused {
		c.text(end, r.y, active, "_")
		end++
	}
	switch {
	case row.change != nil && focused:
		c.text(end+1, r.y, active, "›")
		c.zone(rect{x, r.y, end + 3 - x, 1}, click(1))
	case row.change != nil:
		c.zone(rect{x, r.y, end - x, 1}, click(1))
	case row.open != nil:
		c.text(end+1, r.y, active, "›")
	}
}

// sayRow says a row in a line.
func (f *rows) sayRow(list []row, i int) string {
	line := list[i].name + ": " + list[i].value
	if i != f.at {
		return line
	}
	var ways []string
	if list[i].change != nil {
		ways = append(ways, "left and right change it")
	}
	if list[i].field != nil {
		ways = append(ways, "type to change it")
	}
	if list[i].open != nil {
		ways = append(ways, "right opens it")
	}
	return line + " (here; " + strings.Join(ways, ", or ") + ") " + f.current(list).tells
}

// cycle returns the value that is so far from another in a list; one that is not in the list comes before the first.
func cycle[T comparable](list []T, now T, by int) T {
	at := -1
	for i, v := range list {
		if v == now {
			at = i
		}
	}
	if at < 0 && by < 0 {
		at = 0
	}
	return list[(at+by+len(list))%len(list)]
}
