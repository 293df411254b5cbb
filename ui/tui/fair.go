package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/rulebook"
)

// A fair page lists the games in which nobody can force a win, each with the reason.
type fair struct{ at int }

func newFair(m *Model) *fair {
	return &fair{max(0, slices.Index(digit.FairNames(), m.settings.Book))}
}

// open opens the setup page of a game.
func (f *fair) open(m *Model, i int) tea.Cmd {
	f.at, m.settings.Book = i, digit.Fair[i].Name
	return m.push(newSetup(m, digit.Fair[i]))
}

// goal returns the goal of a game, and a note if the user has changed its rules.
func (f *fair) goal(m *Model, b digit.Book) string {
	r := m.settings.opening(b)
	if r != b.Rules {
		return rulebook.Goal(r).Short + " (house rules)"
	}
	return rulebook.Goal(r).Short
}

// why explains why a game is fair under its own rules.
func (f *fair) why(b digit.Book) string {
	fairness, _ := rulebook.FairnessOf(b.Rules) // it is one of them
	return fairness.Why()
}

// more explains the arithmetic of the chosen game, and how it plays.
func (f *fair) more() []line {
	fairness, _ := rulebook.FairnessOf(digit.Fair[f.at].Rules) // it is one of them
	return []line{{text: fairness.Reckon}, {text: fairness.Feels()}}
}

func (f *fair) list(m *Model) list {
	return list{
		n: len(digit.Fair), at: f.at, choose: func(i int) { f.at = i },
		open: func(i int) tea.Cmd { return f.open(m, i) },
	}
}

func (f *fair) keys(m *Model) []binding {
	l := f.list(m)
	keys := append(l.keys("play"), on(nil, "game", fmt.Sprintf("1-%d", l.n)))
	for i := range l.n {
		keys = append(keys, also(l.opens(i), fmt.Sprint(i+1)))
	}
	return append(keys, m.rules(m.settings.opening(digit.Fair[f.at])), m.help(), m.back("menu"))
}

func (f *fair) draw(m *Model, c *canvas) {
	b := c.middle(86)
	c.header("Fair games", "", "even for both")
	rows, wide := 0, 0
	for _, game := range digit.Fair {
		rows, wide = rows+1+len(wrap(f.why(game), b.w-4)), max(wide, textWidth(game.Title))
	}
	more := f.more()
	gap := 0
	if rows+len(digit.Fair)+rowsOf(more, b.w-4)+len(more) <= b.h {
		gap = 1
	}
	y := b.y
	for i := range digit.Fair {
		y += gap
		y += f.drawGame(m, c, rect{b.x, y, b.w, 1}, i, wide)
	}
	c.lines(rect{b.x + 4, y + 1, b.w - 4, b.bottom() - y - 1}, 1, more...)
}

// drawGame draws a game and why it is fair, and returns the number of lines.
func (f *fair) drawGame(m *Model, c *canvas, r rect, i, wide int) int {
	game := digit.Fair[i]
	x, look := c.mark(r.x, r.y, i == f.at, strong)
	c.text(x, r.y, muted, fmt.Sprint(i+1))
	c.text(x+2, r.y, look, game.Title)
	c.text(x+4+wide, r.y, style{}, f.goal(m, game))
	rows := 1 + c.paragraph(x+2, r.y+1, r.w-4, 3, muted, f.why(game))
	c.zone(rect{r.x, r.y, r.w, rows}, f.list(m).click(i))
	return rows
}
