package tui

import (
	"cmp"
	"slices"
	"strings"

	"digitduel/ui/tui/draw"
)

// A row is a setting: a list of values, a text, or a page to open.
type row struct {
	name  string
	value string
	about string
	// changes to the next or the last value; nil: it can only be typed
	change func(by int)
	field  *field // the text to type; nil: none
	// takes the typed text, or explains why it does not
	set  func(typed string) (wrong string)
	open act // opens a page; nil: there is none
}

// A form is a page of rows, one of which has the focus.
type form struct {
	rows  func(*Model) []row
	at    int
	field *field // the text of the row with the focus
	was   string // the text before it was edited
	wrong string // why the text is not taken
}

// focus moves the focus.
func (f *form) focus(m *Model, at int) {
	list := f.rows(m)
	n := len(list)
	f.at, f.wrong = (at+n)%n, ""
	if f.field = list[f.at].field; f.field != nil {
		f.was = f.field.text
	}
}

// current returns the row with the focus, which explains what is wrong with the text typed there.
func (f *form) current(m *Model) row {
	list := f.rows(m)
	f.at = min(f.at, len(list)-1)
	r := list[f.at]
	r.about = cmp.Or(f.wrong, r.about)
	return r
}

// typing implements typist.
func (f *form) typing() *field { return f.field }

// typed implements typist.
func (f *form) typed(m *Model) { f.wrong = f.current(m).set(f.field.text) }

// change changes the value of the row with the focus.
func (f *form) change(by int) act {
	return func(m *Model) {
		r := f.current(m)
		switch {
		case r.change != nil:
			r.change(by)
			f.focus(m, f.at)
		case r.open != nil && by > 0:
			r.open(m)
		}
	}
}

// keys returns the keys that move the focus and change values.
func (f *form) keys(m *Model) []binding {
	keys := []binding{
		on(f.move(1), "row", "↑↓"),
		also(f.move(-1), "up", "shift+tab"), also(f.move(1), "down", "tab"),
		also(f.change(-1), "left"), also(f.change(1), "right"),
	}
	if f.current(m).change != nil {
		keys = append(keys, on(f.change(1), "change", "←→"))
	}
	return keys
}

func (f *form) move(by int) act {
	return func(m *Model) { f.focus(m, f.at+by) }
}

// typingKeys returns the keys of a row with a text: Enter keeps the text, Esc restores it.
func (f *form) typingKeys(m *Model) []binding {
	undo := func(*Model) {
		f.current(m).set(f.was)
		f.focus(m, f.at+1)
	}
	return []binding{
		on(f.move(1), "done", "enter", "down", "tab"), also(f.move(-1), "up", "shift+tab"),
		on(undo, "as it was", "esc"),
	}
}

// writes reports whether the row takes any text, so that no letter is a command.
func (f *form) writes() bool { return f.field != nil && f.field.only == "" }

// drawRow draws a row in one line: its name and its value, between two arrows if that can be
// changed.
func (f *form) drawRow(m *Model, c *canvas, r draw.Area, row row, i, label int) {
	focused := i == f.at
	x, name := c.mark(r.X, r.Y, focused, draw.Muted)
	if focused && f.field != nil {
		row.value = f.field.text
	}
	c.Text(x, r.Y, name, row.name)
	x += label + 2
	c.zone(r, func(*Model) {
		f.focus(m, i)
		if row.open != nil && focused { // the second click
			row.open(m)
		}
	})
	click := func(by int) act {
		return func(m *Model) {
			f.focus(m, i)
			f.change(by)(m)
		}
	}
	if row.change != nil && focused {
		c.Text(x, r.Y, draw.Active, "‹")
		c.zone(draw.Rect(x-1, r.Y, 3, 1), click(-1))
	}
	x += 2
	end := c.Within(x, r.Y, r.Right()-x-2, draw.Style{Bold: focused}, row.value)
	if row.field != nil && focused {
		c.Text(end, r.Y, draw.Active, "_")
		end++
	}
	if row.change != nil {
		c.zone(draw.Rect(x, r.Y, end+3-x, 1), click(1))
	}
	if row.change != nil && focused || row.open != nil {
		c.Text(end+1, r.Y, draw.Active, "›")
	}
}

// drawPage draws the rows, the description of the focused one, a button, and a remark on all of
// them.
func (f *form) drawPage(m *Model, c *canvas, remark, button string, do act) {
	b := c.middle(84)
	list, now := f.rows(m), f.current(m)
	about := draw.Wrap(now.about, b.W-4)
	end := draw.Wrap(remark, b.W-4)
	need := func(step int) int { return len(list)*step + max(2, len(about)) + 1 + len(end) + 2 }
	y, step := b.Y, 1
	if need(2) <= b.H {
		step = 2
	}
	if spare := b.H - need(step); spare > 0 {
		y += max(1, spare/4)
	}
	wide := 0
	for _, row := range list {
		wide = max(wide, draw.Width(row.name))
	}
	for i, row := range list {
		f.drawRow(m, c, draw.Rect(b.X, y, b.W, 1), row, i, wide)
		y += step
	}
	if step == 1 && need(1) < b.H {
		y++
	}
	y += max(2, c.Paragraph(b.X+2, y, b.W-4, len(about), draw.Muted, now.about))
	if y+2+len(end) < b.Bottom() {
		y++
	}
	c.button(b.X+2, y, button, now.open == nil, do) // else Enter opens the row
	if y++; y+1+len(end) <= b.Bottom() {
		y++
	}
	look := draw.Style{}
	if strings.HasPrefix(remark, "✗") {
		look = draw.Failure
	}
	c.Paragraph(b.X+2, y, b.W-4, len(end), look, remark)
}

// cycles returns the change of a row that chooses one of a list of values.
func cycles[T comparable](list []T, now *T) func(by int) {
	return func(by int) { *now = cycle(list, *now, by) }
}

// cycle returns the value that is by places after another in a list. A value that is not in the
// list counts as the one before the first.
func cycle[T comparable](list []T, now T, by int) T {
	at := slices.Index(list, now)
	if at < 0 && by < 0 {
		at = 0
	}
	return list[(at+by+len(list))%len(list)]
}
