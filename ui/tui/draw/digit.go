package draw

import "digitduel/digit"

// dots are the digits in five rows of three dots.
var dots = [16]string{
	"####.##.##.####", ".#.##..#..#.###", "###..#####..###", "###..#.##..####", "#.##.####..#..#",
	"####..###..####", "####..####.####", "###..#.#..#..#.",
	"####.#####.####", "####.####..####", "####.#####.##.#", "#..#..####.####", "####..#..#..###",
	"..#..#####.####", "####..####..###", "####..####..#..",
}

// dot reports whether a digit has a dot.
func dot(d digit.Digit, row, column int) bool { return row < 5 && dots[d][3*row+column] == '#' }

// A Size is how large digits are drawn.
type Size uint8

const (
	Plain Size = iota // as a character
	Big               // 3 columns, 3 rows
	Huge              // 6 columns, 5 rows
)

// SizeIn returns the largest size of digits that fits into columns and rows.
func (c *Canvas) SizeIn(w, h int) Size {
	switch {
	case c.ASCII || w < 3 || h < 3:
		return Plain
	case w >= 6 && h >= 5:
		return Huge
	default:
		return Big
	}
}

// Wide returns the width of a digit in columns.
func (z Size) Wide() int { return [...]int{1, 3, 6}[z] }

// Tall returns the height of a digit in rows.
func (z Size) Tall() int { return [...]int{1, 3, 5}[z] }

// Digit draws a digit of a size: a dot is two blocks, or half of one.
func (c *Canvas) Digit(x, y int, z Size, s Style, d digit.Digit) {
	if z == Plain {
		c.Text(x, y, s, d.String())
		return
	}
	for i := range 15 {
		row, column := i/3, i%3
		switch upper, lower := dot(d, 2*row, column), dot(d, 2*row+1, column); {
		case z == Huge && dot(d, row, column):
			c.Text(x+2*column, y+row, s, "██")
		case z == Huge:
		case upper && lower:
			c.Put(x+column, y+row, s, "█")
		case upper:
			c.Put(x+column, y+row, s, "▀")
		case lower:
			c.Put(x+column, y+row, s, "▄")
		}
	}
}

// TileDigit draws a digit in the middle of a tile, as large as possible.
func (c *Canvas) TileDigit(tile Area, s Style, d digit.Digit) {
	in := tile.Inner()
	z := c.SizeIn(in.W, in.H)
	c.Digit(in.X+(in.W-z.Wide())/2, in.Y+(in.H-z.Tall())/2, z, s, d)
}
