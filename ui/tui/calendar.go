package tui

import (
	"fmt"

	"digitduel/coach"
)

// The calendar has a column for each day of the week and a row for each week. The month and the
// names of the days are above them, the legend below.
const (
	dayWidth       = 4
	calendarWidth  = 7 * dayWidth
	calendarHeight = 9
)

// marks are the signs for the results of days.
var marks = map[coach.Mark]struct {
	sign string
	tone
}{
	coach.Untried: {"·", faint}, coach.Solved: {"✓", good},
	coach.Missed: {"✗", bad}, coach.Late: {"~", even},
}

// month returns the first and the last day of the chosen day's month.
func (p *puzzles) month() (first, last coach.Day) {
	date := p.day.Date()
	first = p.day - coach.Day(date.Day()-1)
	return first, first + coach.Day(date.AddDate(0, 1, -date.Day()).Day()-1)
}

// drawCalendar draws the chosen day's month.
func (p *puzzles) drawCalendar(m *Model, c *canvas, x, y int) {
	first, last := p.month()
	title := p.day.Date().Format("January 2006")
	c.centre(x, y, calendarWidth, strong, "◂ "+title+" ▸")
	half := calendarWidth / 2
	c.zone(rect{x, y, half, 1}, p.to(m, first-1))
	c.zone(rect{x + half, y, half, 1}, p.to(m, last+1))
	for i, name := range weekdays {
		c.text(x+i*dayWidth+1, y+1, muted, name)
	}
	row := y + 2
	for day := first; day <= last; day++ {
		column := weekday(day)
		p.drawDay(m, c, x+column*dayWidth, row, day)
		if column == 6 {
			row++
		}
	}
	c.text(x+1, y+calendarHeight-1, muted, markLegend)
}

// drawDay draws a day and the result of its puzzle.
func (p *puzzles) drawDay(m *Model, c *canvas, x, y int, day coach.Day) {
	today, mark := m.today(), m.streak.Mark(day)
	number, look := fmt.Sprintf("%2d", day.Date().Day()), style{}
	if day > today || day < m.firstDay() {
		c.text(x+1, y, outline, number)
		return
	}
	if day == p.day {
		look = active
		c.text(x, y, look, "▸")
	}
	c.text(x+1, y, look, number)
	sign := marks[mark].sign
	if day == today && mark == coach.Untried {
		sign = "○"
	}
	c.text(x+3, y, marks[mark].bold(), sign)
	click := p.to(m, day)
	if p.at == 0 && p.day == day {
		click = p.list(m).opens(0)
	}
	c.zone(rect{x, y, dayWidth, 1}, click)
}

const markLegend = "✓ counts ✗ wrong ~ later"

var weekdays = []string{"Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"}

// weekday returns the index of a day in its week, from Monday.
func weekday(day coach.Day) int { return (int(day.Date().Weekday()) + 6) % 7 }
