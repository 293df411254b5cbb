package tui

import (
	"fmt"
	"slices"

	"digitduel/digit"
	"digitduel/rulebook"
)

// A fair page lists the games in which nobody can force a win, each with the reason.
type fair struct{ at int }

func newFair(m *Model) *fair {
	return &fair{max(0, slices.Index(digit.FairNames(), m.settings.Book))}
}

// list returns the games, each with its goal and why it is fair under its own rules.
func (f *fair) list(m *Model) list {
	var items []item
	for i, b := range digit.Fair {
		fairness, _ := rulebook.FairnessOf(b.Rules) // it is one of them
		r := m.settings.opening(b)
		goal := rulebook.Goal(r).Short
		if r != b.Rules {
			goal += " (house rules)"
		}
		items = append(items, item{
			key: fmt.Sprint(i + 1), name: b.Title, about: []string{goal}, below: fairness.Why(),
			apart: true,
		})
	}
	return listOf(&f.at, items, func(m *Model, i int) {
		m.settings.Book = digit.Fair[i].Name
		m.push(newSetup(m, digit.Fair[i]))
	})
}

func (f *fair) keys(m *Model) []binding {
	l := f.list(m)
	return append(l.keys("play"), on(nil, "game", fmt.Sprintf("1-%d", l.n)),
		m.rules(m.settings.opening(digit.Fair[f.at])), m.help(), m.back())
}

// draw draws the games, and below them the arithmetic of the chosen one and how it plays.
func (f *fair) draw(m *Model, c *canvas) {
	b := c.middle(86)
	c.header("Fair games", "", "even for both")
	fairness, _ := rulebook.FairnessOf(digit.Fair[f.at].Rules) // it is one of them
	more := []line{{text: fairness.Reckon}, {text: fairness.Feels()}}
	l := f.list(m)
	if l.rows(0, b.w)+l.n+height(more, b.w-4)+len(more) <= b.h {
		b.y, b.h = b.y+1, b.h-1
	} else {
		for i := range l.items {
			l.items[i].apart = false
		}
	}
	y := l.draw(c, b)
	c.lines(rect{b.x + 4, y + 1, b.w - 4, b.bottom() - y - 1}, 1, more...)
}
