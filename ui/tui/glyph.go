package tui

import "digitduel/digit"

// bigDigits are the digits in three rows of three half blocks each.
var bigDigits = [16][3]string{
	{"█▀█", "█ █", "▀▀▀"}, {"▄█ ", " █ ", "▀▀▀"}, {"▀▀█", "█▀▀", "▀▀▀"}, {"▀▀█", " ▀█", "▀▀▀"},
	{"█ █", "▀▀█", "  ▀"}, {"█▀▀", "▀▀█", "▀▀▀"}, {"█▀▀", "█▀█", "▀▀▀"}, {"▀▀█", " █ ", " ▀ "},
	{"█▀█", "█▀█", "▀▀▀"}, {"█▀█", "▀▀█", "▀▀▀"}, {"█▀█", "█▀█", "▀ ▀"}, {"█  ", "█▀█", "▀▀▀"},
	{"█▀▀", "█  ", "▀▀▀"}, {"  █", "█▀█", "▀▀▀"}, {"█▀▀", "█▀▀", "▀▀▀"}, {"█▀▀", "█▀▀", "▀  "},
}

// bigDigit draws a digit in three rows, centred in a width.
func (c *canvas) bigDigit(x, y, width int, s style, d digit.Digit) {
	for i, row := range bigDigits[d] {
		c.centre(x, y+i, width, s, row)
	}
}

// spinner has the pictures that show progress.
var spinner = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

var asciiSpinner = []string{"|", "/", "-", "\\"}

// hugeDigits are the digits in five rows of three cells, each of them two columns wide.
var hugeDigits = [16]string{
	"####.##.##.####", ".#.##..#..#.###", "###..#####..###", "###..#.##..####", "#.##.####..#..#",
	"####..###..####", "####..####.####", "###..#.#..#..#.",
	"####.#####.####", "####.####..####", "####.#####.##.#", "#..#..####.####", "####..#..#..###",
	"..#..#####.####", "####..####..###", "####..####..#..",
}

// hugeDigit draws a digit in five rows of six columns.
func (c *canvas) hugeDigit(x, y int, s style, d digit.Digit) {
	for i, on := range hugeDigits[d] {
		if on == '#' {
			c.text(x+i%3*2, y+i/3, s, "██")
		}
	}
}

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

// digit draws a digit of a size.
func (c *canvas) digit(x, y int, z size, s style, d digit.Digit) {
	switch z {
	case hugeSize:
		c.hugeDigit(x, y, s, d)
	case bigSize:
		c.bigDigit(x, y, 3, s, d)
	case plainSize:
		c.text(x, y, s, d.String())
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
