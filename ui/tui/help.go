package tui

import "strings"

// A help page lists the keys in two columns.
type help struct{ scroller }

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

// columns returns the lines of both columns, with blank ones if there is room for them.
func (p *help) columns(room int) (columns [2][]string, rows int) {
	for _, gap := range []string{"\n\n", "\n"} {
		rows = 0
		for i, text := range helpColumns {
			columns[i] = strings.Split(strings.ReplaceAll(text, "\n\n", gap), "\n")
			rows = max(rows, len(columns[i]))
		}
		if rows <= room {
			break
		}
	}
	return columns, rows
}

func (p *help) keys(m *Model) []binding {
	room := m.body().h
	_, rows := p.columns(room)
	return p.scroller.keys(rows, room)
}

func (p *help) draw(m *Model, c *canvas) {
	b := c.middle(100)
	columns, rows := p.columns(b.h)
	from := p.from(rows, b.h)
	c.header("Help", "one key map for every game", p.where(rows, b.h))
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
	p.more(c, b, rows)
}
