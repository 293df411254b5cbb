package tui

import "strings"

// helpColumns are the two columns. A line with bars has a key, its action, and more words if there
// is room for them.
var helpColumns = [2]string{`Your move
0-9 a-f | a digit | from the pool
a-h | a place | after the digit; also its first letter
L R | an end | after the digit
← → | choose | a digit, then its place
Enter | take, play | the footer says what
Bksp | put it back

Always
Space | commands | then one letter
? | this page | also F1
Esc | back | from a table to the menu
Tab | next button | or row
, . | look back, on | also the wheel
< > | first, last move
Ctrl-C | leave | the game is saved

Reviews
m b | mistake, best line
t c | try again, play on
Tab | next game | of a file`, `After Space
h | hint | what to look for; again: more
a | analysis | what every digit is worth
n | needs | what completes each number
u | take back | your last move
r | rules | of this game
f | flip boards
x | resign
g | games | you have played
s | settings | colours, signs, motion
q | quit | game saved

Signs
▶ | whose turn it is
● | the last move
✓ | wins, is right
✗ | loses, cannot be
· | a digit is taken

Watching
+- | speed; Enter pauses`}

// helpPage returns the page that lists the keys in two columns, with blank lines if there is room.
func helpPage() *textPage {
	return &textPage{
		title: "Help", about: "one key map for every game",
		lay: func(b rect) (rows int, draw func(*canvas, int)) {
			var columns [2][]string
			for _, gap := range []string{"\n\n", "\n"} {
				rows = 0
				for i, text := range helpColumns {
					columns[i] = strings.Split(strings.ReplaceAll(text, "\n\n", gap), "\n")
					rows = max(rows, len(columns[i]))
				}
				if rows <= b.h {
					break
				}
			}
			return rows, func(c *canvas, from int) { drawHelp(c, columns, from) }
		},
	}
}

// drawHelp draws the columns from one of their lines on.
func drawHelp(c *canvas, columns [2][]string, from int) {
	b := c.middle(100)
	left := b.w * 12 / 25
	if c.class() == compact {
		left = b.w / 2
	}
	for i, lines := range columns {
		x, end, key := b.x, b.x+left-1, 9
		if i == 1 {
			x, end, key = b.x+left, b.right(), 4
		}
		lines = lines[min(from, len(lines)):min(from+b.h, len(lines))]
		for n, line := range lines {
			parts, y := strings.Split(line, " | "), b.y+n
			if len(parts) == 1 {
				c.text(x, y, active, line)
				continue
			}
			c.text(x+1, y, strong, parts[0])
			at := c.text(x+key, y, style{}, parts[1])
			if len(parts) > 2 && at+2+textWidth(parts[2]) <= end {
				c.text(at, y, muted, ", "+parts[2])
			}
		}
	}
}
