package tui

import (
	tea "charm.land/bubbletea/v2"
)

// A row is one thing to choose, of a list or by typing.
type row struct {
	name   string
	value  string
	tells  string
	change func(by int)       // to the next or the last of its values; nil: it is typed only
	field  *field             // what may be typed; nil: nothing
	set    func(typed string) // takes what was typed
}

// rows is a list of rows of which one has the focus.
type rows struct {
	at    int
	field *field // the text of the row with the focus
}

// focus moves the focus.
func (f *rows) focus(list []row, at int) {
	n := len(list)
	f.at = (at + n) % n
	f.field = list[f.at].field
}

// current returns the row with the focus.
func (f *rows) current(list []row) row {
	f.at = min(f.at, len(list)-1)
	return list[f.at]
}

// change changes the value of the row with the focus.
func (f *rows) change(m *Model, rowsOf func(*Model) []row, by int) {
	if r := f.current(rowsOf(m)); r.change != nil {
		r.change(by)
		f.focus(rowsOf(m), f.at)
	}
}

// keys returns the keys that move the focus and change values.
func (f *rows) keys(m *Model, rowsOf func(*Model) []row) []binding {
	move := func(by int) act {
		return func() tea.Cmd { f.focus(rowsOf(m), f.at+by); return nil }
	}
	change := func(by int) act {
		return func() tea.Cmd { f.change(m, rowsOf, by); return nil }
	}
	return []binding{
		on(move(1), "move", "↑↓"), on(change(1), "change", "←→"),
		also(move(-1), "up", "shift+tab"), also(move(1), "down", "tab"),
		also(change(-1), "left"), also(change(1), "right"),
	}
}

// drawRow draws a row in one line: its name, and its value between two arrows where it has a list.
func (f *rows) drawRow(m *Model, c *canvas, r rect, rowsOf func(*Model) []row, i int, label int) {
	row := rowsOf(m)[i]
	focused := i == f.at
	x, name := c.mark(r.x, r.y, focused, style{fg: quiet})
	if focused && f.field != nil {
		row.value = f.field.text
	}
	c.within(x, r.y, label, name, row.name)
	x += label + 1
	c.zone(r, func() tea.Cmd { f.focus(rowsOf(m), i); return nil })
	click := func(by int) act {
		return func() tea.Cmd {
			f.focus(rowsOf(m), i)
			f.change(m, rowsOf, by)
			return nil
		}
	}
	if row.change != nil {
		c.text(x, r.y, style{fg: accent}, "‹")
		c.zone(rect{x - 1, r.y, 3, 1}, click(-1))
	}
	x += 2
	end := c.within(x, r.y, r.x+r.w-x-3, style{bold: focused}, row.value)
	if row.field != nil && focused {
		c.text(end, r.y, style{fg: accent, bold: true}, "_")
		end++
	}
	if row.change != nil {
		c.text(end+1, r.y, style{fg: accent}, "›")
		c.zone(rect{x, r.y, end + 3 - x, 1}, click(1))
	}
}

// sayRow says a row in a line.
func (f *rows) sayRow(list []row, i int) string {
	line := list[i].name + ": " + list[i].value
	if i == f.at {
		line += " (here; "
		switch {
		case list[i].change != nil && list[i].field != nil:
			line += "left and right change it, or type"
		case list[i].change != nil:
			line += "left and right change it"
		default:
			line += "type to change it"
		}
		line += ") " + list[i].tells
	}
	return line
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
