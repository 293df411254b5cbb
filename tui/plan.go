package tui

import "digitduel/digit"

// A plan is where the parts of a picture are on the screen.
type plan struct {
	stage, main, side rect
	tile              rect // x, y of the first digit of the pool; w, h of each
	perRow            int  // digits of the pool in a row
	boards            [2]rect
	place             rect // w, h of the places of a board
	panel             rect // what is known
	prompt            rect
}

// planOf lays out rules for a size: larger tiles where there is room, boards one below the other where numbers are long.
func planOf(r digit.Rules, st rect) plan {
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
	wide, tall := placeSize(r, pl.main.w, big)
	stacked := wide == 0

	n := r.Pool.Len()
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
		wide, tall, gap = min(9, (pl.main.w+1)/int(r.Width)-1), 3, 0
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
func placeSize(r digit.Rules, width int, big bool) (w, h int) {
	half := (width - 2) / 2
	most, high := 9, 5
	if big {
		most, high = 12, 7
	}
	n := int(r.Width)
	if r.Place == digit.Ends {
		return min(most, 9), high // of the ends; the number between them takes what is left
	}
	if w = min(most, (half+1)/n-1); w < 5 {
		return 0, 0
	}
	return w, high
}
