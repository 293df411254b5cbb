package tui

import "digitduel/digit"

// bigDigits are the digits in three rows of three half blocks each.
var bigDigits = [16][3]string{
	{"█▀█", "█ █", "▀▀▀"}, {"▄█ ", " █ ", "▀▀▀"}, {"▀▀█", "█▀▀", "▀▀▀"}, {"▀▀█", " ▀█", "▀▀▀"},
	{"█ █", "▀▀█", "  ▀"}, {"█▀▀", "▀▀█", "▀▀▀"}, {"█▀▀", "█▀█", "▀▀▀"}, {"▀▀█", "  █", "  ▀"},
	{"█▀█", "█▀█", "▀▀▀"}, {"█▀█", "▀▀█", "▀▀▀"}, {"█▀█", "█▀█", "▀ ▀"}, {"█  ", "█▀█", "▀▀▀"},
	{"█▀▀", "█  ", "▀▀▀"}, {"  █", "█▀█", "▀▀▀"}, {"█▀▀", "█▀▀", "▀▀▀"}, {"█▀▀", "█▀▀", "▀  "},
}

// bigDigit draws a digit in three rows, centred in a width.
func (c *canvas) bigDigit(x, y, width int, s style, d digit.Digit) {
	for i, row := range bigDigits[d] {
		c.centre(x, y+i, width, s, row)
	}
}

// spinner are the pictures of something that goes on.
var spinner = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

var asciiSpinner = []string{"|", "/", "-", "\\"}
