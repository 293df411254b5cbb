package tui

import "digitduel/digit"

// spinner has the pictures that show progress.
var spinner = []string{"|", "/", "-", "\\"}

// dots are the digits in five rows of three dots.
var dots = [16]string{
	"####.##.##.####", ".#.##..#..#.###", "###..#####..###", "###..#.##..####", "#.##.####..#..#",
	"####..###..####", "####..####.####", "###..#.#..#..#.",
	"####.#####.####", "####.####..####", "####.#####.##.#", "#..#..####.####", "####..#..#..###",
	"..#..#####.####", "####..####..###", "####..####..#..",
}

// dot reports whether a digit has a dot.
func dot(d digit.Digit, row, column int) bool { return row < 5 && dots[d][3*row+column] == '#' }

// A size is how large digits are drawn.
type size uint8

const (
	plainSize size = iota // as a character
	bigSize               // 3 columns, 3 rows
	hugeSize              // 6 columns, 5 rows
)

// sizeIn returns the largest size of digits that fits into columns and rows.
func (c *canvas) sizeIn(w, h int) size {
	switch {
	case c.ascii || w < 3 || h < 3:
		return plainSize
	case w >= 6 && h >= 5:
		return hugeSize
	default:
		return bigSize
	}
}

// wide returns the width of a digit in columns, and tall its height in rows.
func (z size) wide() int { return [...]int{1, 3, 6}[z] }
func (z size) tall() int { return [...]int{1, 3, 5}[z] }

// digit draws a digit of a size: a dot is two blocks, or half of one.
func (c *canvas) digit(x, y int, z size, s style, d digit.Digit) {
	if z == plainSize {
		c.text(x, y, s, d.String())
		return
	}
	for i := range 15 {
		row, column := i/3, i%3
		switch upper, lower := dot(d, 2*row, column), dot(d, 2*row+1, column); {
		case z == hugeSize && dot(d, row, column):
			c.text(x+2*column, y+row, s, "██")
		case z == hugeSize:
		case upper && lower:
			c.put(x+column, y+row, s, "█")
		case upper:
			c.put(x+column, y+row, s, "▀")
		case lower:
			c.put(x+column, y+row, s, "▄")
		}
	}
}

// tileDigit draws a digit in the middle of a tile, as large as possible.
func (c *canvas) tileDigit(tile rect, s style, d digit.Digit) {
	in := tile.inner()
	z := c.sizeIn(in.w, in.h)
	c.digit(in.x+(in.w-z.wide())/2, in.y+(in.h-z.tall())/2, z, s, d)
}

// The triangles of the higher and of the lower number.
var triangles = map[digit.Order][3]string{
	digit.Higher: {"   ▄   ", " ▄███▄ ", "▀▀▀▀▀▀▀"}, digit.Lower: {"▄▄▄▄▄▄▄", " ▀███▀ ", "   ▀   "},
}
