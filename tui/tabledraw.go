package tui

import (
	"fmt"

	"digitduel/digit"
	"digitduel/match"
)

// A plan is where the parts of a table are on the screen.
type plan struct {
	stage, main, side rect
	tile              rect // x, y of the first digit of the pool; w, h of each
	perRow            int  // digits of the pool in a row
	boards            [2]rect
	place             rect // w, h of the places of a board
	panel             rect // what is known
	prompt            rect
}

// plan lays out the table for a size: larger tiles where there is room, boards one below the other where numbers are long.
func (t *table) plan(c *canvas) plan {
	st := c.stage()
	side := 24
	switch {
	case st.w >= 112:
		side = 35
	case st.w >= 100:
		side = 30
	}
	pl := plan{stage: st}
	pl.main = rect{st.x + 2, st.y + 2, st.w - side - 5, st.h - 4}
	pl.side = rect{pl.main.x + pl.main.w + 3, st.y + 2, side - 2, st.h - 4}
	big := st.h >= 30
	wide, tall := t.placeSize(pl.main.w, big)
	stacked := wide == 0

	n := t.rules().Pool.Len()
	pl.perRow = n
	most, high := 7, 3
	if big && n*5 <= pl.main.w {
		most, high = 8, 5
	}
	if n*5 > pl.main.w && !(stacked && st.h < 30) {
		pl.perRow = (n + 1) / 2
	}
	wideTile := min(most, pl.main.w/pl.perRow)
	if high == 3 {
		wideTile -= 1 - wideTile%2 // so that a digit is in the middle
	}
	pl.tile = rect{pl.main.x, pl.main.y + 1, wideTile, high}
	rows := (n + pl.perRow - 1) / pl.perRow
	y := pl.tile.y + rows*high + 1

	end := pl.main.y + pl.main.h
	gap := 1
	if stacked {
		wide, tall, gap = t.stackedSize(pl.main.w), 3, 0
		if end-y >= 2*7+6 {
			tall, gap = 5, 1
		}
	} else if end-y < tall+2+1+3+2 {
		tall, gap = 3, 0
	}
	pl.place = rect{w: wide, h: tall}
	if stacked {
		pl.boards[0] = rect{pl.main.x, y, pl.main.w, tall + 2}
		pl.boards[1] = rect{pl.main.x, y + tall + 2, pl.main.w, tall + 2}
		y += 2 * (tall + 2)
	} else {
		half := (pl.main.w - 2) / 2
		pl.boards[0] = rect{pl.main.x, y, half, tall + 2}
		pl.boards[1] = rect{pl.main.x + half + 2, y, half, tall + 2}
		y += tall + 2
	}
	pl.prompt = rect{pl.main.x, y + gap, pl.main.w, 3}
	y = pl.prompt.y + 3
	pl.panel = rect{pl.main.x, y, pl.main.w, max(0, end-y)}
	return pl
}

// placeSize returns the size of a place when the boards are side by side, or 0 when they do not fit so.
func (t *table) placeSize(width int, big bool) (w, h int) {
	half := (width - 2) / 2
	most, high := 9, 5
	if big {
		most, high = 12, 7
	}
	n := int(t.rules().Width)
	if t.rules().Place == digit.Ends {
		return min(most, 9), high // of the ends; the number between them takes what is left
	}
	if w = min(most, (half+1)/n-1); w < 5 {
		return 0, 0
	}
	return w, high
}

func (t *table) stackedSize(width int) int { return min(9, (width+1)/int(t.rules().Width)-1) }

func (t *table) draw(m *Model, c *canvas) {
	pl := t.plan(c)
	title, tells, right := t.heading(m)
	c.header(pl.stage, title, tells, right)
	for y := pl.main.y; y < pl.main.y+pl.main.h; y++ {
		c.put(pl.side.x-2, y, style{fg: faint}, "│")
	}
	t.drawPool(m, c, pl)
	for i, seat := range t.order() {
		t.drawBoard(m, c, pl, pl.boards[i], seat)
	}
	t.drawPanel(m, c, pl.panel)
	t.drawPrompt(m, c, pl.prompt)
	t.drawSide(m, c, pl.side)
	m.footer(c, pl.stage, t.keys(m))
}

// heading returns what the top line tells: the game, what it is about, and how the series stands.
func (t *table) heading(m *Model) (title, tells, right string) {
	if t.trial != nil {
		return t.trial.title, t.trial.task, t.rules().Book().Title
	}
	book := t.rules().Book()
	if t.rules() != book.Rules {
		return book.Title, t.rules().String(), t.series()
	}
	return book.Title, m.world.Line(book.Name), t.series()
}

// order returns the seats as their boards are shown.
func (t *table) order() [2]match.Seat {
	if t.flip {
		return [2]match.Seat{match.Two, match.One}
	}
	return match.Seats
}

// series says which game this is, and how the series stands.
func (t *table) series() string {
	s := t.state
	if s.Setup.BestOf == 0 {
		return ""
	}
	return fmt.Sprintf("game %d, best of %d: %s %s %s", max(s.Game, 1), s.Setup.BestOf,
		shorten(t.name(match.One), 12), scoreText(s), shorten(t.name(match.Two), 12))
}

func seatTone(seat match.Seat) tone {
	if seat == match.One {
		return one
	}
	return two
}
