package tui

import "digitduel/ui/tui/draw"

// A confirmation asks before an act. The safe answer has the focus.
type confirmation struct {
	question string
	does, no string // the two answers
	do       act
	yes      bool // the focus is on the answer that does it
}

// answers returns the act of an answer.
func (q *confirmation) answers(yes bool) act {
	return func(m *Model) {
		m.pop()
		if yes {
			q.do(m)
		}
	}
}

func (q *confirmation) keys(m *Model) []binding {
	other := func(*Model) { q.yes = !q.yes }
	focused := q.no
	if q.yes {
		focused = q.does
	}
	return []binding{
		on(q.answers(q.yes), lower(focused), "enter"),
		on(other, "choose", "←→"), also(other, "left", "right", "tab", "shift+tab", "up", "down"),
		on(q.answers(false), lower(q.no), "esc"), also(q.answers(false), "n"),
		also(q.answers(true), "y"),
	}
}

func (q *confirmation) draw(m *Model, c *canvas) {
	in := c.drawer(4, "Please confirm")
	y := in.Y + c.Paragraph(in.X, in.Y, in.W, 2, draw.Strong, q.question) + 1
	x := c.button(in.X, y, q.no, !q.yes, q.answers(false))
	c.button(x+2, y, q.does, q.yes, q.answers(true))
}
