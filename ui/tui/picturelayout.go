package tui

import (
	"digitduel/digit"
	"digitduel/ui/tui/draw"
)

// A layout holds the positions of the parts of a picture in the window.
type layout struct {
	class   class
	pool    draw.Area // the tiles of the pool are centred in it
	below   int       // the row of the digits' values
	names   int       // the row of the names
	numbers [2]draw.Area
	goal    draw.Area // the columns between the numbers
	caption int       // the row of the places' names
	text    draw.Area // the prompt, and the lines about the position
	side    draw.Area // the moves; width 0: they are not shown
}

// A grid holds the positions of the parts of a picture in the smallest window of a class.
type grid struct {
	w, h                                 int
	pool, poolHigh, below, names, high   int // rows; the title is in the first one
	caption, text                        int
	left, goal, right, numberWide, wideG int // columns
	line                                 int // the column of the line left of the moves; 0: none
}

var grids = [...]grid{
	compact:  {54, 18, 1, 3, 4, 5, 5, 11, 13, 1, 21, 36, 17, 13, 0},
	standard: {80, 23, 2, 3, 5, 7, 5, 13, 15, 2, 26, 40, 23, 13, 64},
	large:    {120, 40, 4, 5, 10, 14, 9, 24, 28, 3, 37, 57, 32, 18, 92},
}

// layoutOf returns the layout of a window: the grid of its class, in the middle. The text and the
// moves get the remaining room.
func layoutOf(c *canvas) layout {
	at := c.class()
	f, st := grids[at], c.stage()
	x, y, spare := st.X, st.Y, st.H-f.h
	end := st.H - 2 // the last row of the text
	switch at {
	case compact:
		x += (st.W - f.w) / 2
		// the rule below the title, the one above the keys, and a row above the pool
		if spare >= 1 {
			y++
		}
		if spare >= 3 {
			y++
		}
		if spare < 2 {
			end++
		}
	case standard:
		if spare >= 1 {
			y++
		}
	case large:
		x += (st.W - f.w) / 2
		y += spare / 2
	}
	number := func(column int) draw.Area {
		return draw.Rect(x+column, y+f.names+1, f.numberWide, f.high)
	}
	wide := f.right + f.numberWide
	pl := layout{
		class: at, below: y + f.below, names: y + f.names, caption: y + f.caption,
		pool:    draw.Rect(x+f.left, y+f.pool, wide-f.left, f.poolHigh),
		numbers: [2]draw.Area{number(f.left), number(f.right)},
		goal:    draw.Rect(x+f.goal, y+f.names, f.wideG, f.high+1),
		text:    draw.Rect(x+f.left, y+f.text, wide-f.left, st.Y+end-y-f.text),
	}
	if f.line > 0 {
		pl.side = draw.Rect(x+f.line, st.Y+2, st.Right()-1-x-f.line, st.H-4)
	}
	return pl
}

// tiles describes a row of tiles: their size, their distance, and the first one.
type tiles struct {
	draw.Area // the first one
	n         int
	pitch     int  // from one tile to the next
	oneFrame  bool // too many for tiles: one frame with a column for each
}

// at returns a tile.
func (t tiles) at(i int) draw.Area { return draw.Rect(t.X+i*t.pitch, t.Y, t.W, t.H) }

// span returns the rect of all tiles.
func (t tiles) span() draw.Area { return draw.Rect(t.X, t.Y, t.pitch*(t.n-1)+t.W, t.H) }

// setTiles places n tiles in the middle of a part of the screen, with the largest width that fits.
func setTiles(r draw.Area, n int, widths []int, gap int) tiles {
	for _, w := range widths {
		for _, gap := range []int{gap, 0} {
			if need := n*w + (n-1)*gap; need <= r.W {
				return tiles{
					Area: draw.Rect(r.X+(r.W-need)/2, r.Y, w, r.H), n: n, pitch: w + gap,
				}
			}
		}
	}
	need := 2*n + 1
	return tiles{
		Area: draw.Rect(r.X+(r.W-need)/2+1, r.Y, 1, r.H), n: n, pitch: 2, oneFrame: true,
	}
}

// places returns the tiles of a number.
func (pl layout) places(r digit.Rules, i int) tiles {
	widths := [...][]int{compact: {5, 3}, standard: {7, 5, 3}, large: {10, 8, 5, 3}}[pl.class]
	n := int(r.Width)
	if r.Place == digit.Ends { // one for the first digit
		n = 1
	}
	t := setTiles(pl.numbers[i], n, widths, 1)
	if pl.class == large && t.W < 8 {
		t.Y, t.H = t.Y+2, 5
	}
	return t
}

// digits returns the tiles of the pool.
func (pl layout) digits(n int) tiles {
	widths, gap := []int{5, 3}, 1
	if pl.class == compact {
		gap = 0
	}
	if pl.class == large {
		widths = []int{7, 5}
	}
	return setTiles(pl.pool, n, widths, gap)
}
