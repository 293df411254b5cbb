package tui

// A help page lists the keys in two columns.
type help struct{ scroller }

// A helpKey is a key on the help page: its action, and more words if there is room.
type helpKey struct{ key, does, more string }

// A keyGroup is some keys under a heading.
type keyGroup struct {
	name string
	keys []helpKey
}

// helpColumns are the groups of the two columns.
var helpColumns = [2][]keyGroup{
	{
		{"Your move", []helpKey{
			{"0-9 a-f", "a digit", "from the pool"},
			{"a-h", "a place", "after the digit; also its first letter"},
			{"L R", "an end", "after the digit"},
			{"← →", "choose", "a digit, then its place"},
			{"Enter", "take, play", "the footer says what"},
			{"Bksp", "put it back", ""},
		}},
		{"Always", []helpKey{
			{"Space", "commands", "then one letter"},
			{"?", "this page", "also F1"},
			{"Esc", "back", "from a table to the menu"},
			{"Tab", "next button", "or row"},
			{", .", "look back, on", "also the wheel"},
			{"< >", "first, last move", ""},
			{"Ctrl-C", "leave", "the game is saved"},
		}},
		{"Reviews", []helpKey{
			{"m b", "mistake, best line", ""},
			{"t c", "try again, play on", ""},
			{"Tab", "next game", "of a file"},
		}},
	},
	{
		{"After Space", []helpKey{
			{"h", "hint", "what to look for; again: more"},
			{"a", "analysis", "what every digit is worth"},
			{"n", "needs", "what completes each number"},
			{"u", "take back", "your last move"},
			{"r", "rules", "of this game"},
			{"f", "flip boards", ""},
			{"x", "resign", ""},
			{"g", "games", "you have played"},
			{"s", "settings", "colours, signs, motion"},
			{"q", "quit", "game saved"},
		}},
		{"Signs", []helpKey{
			{"▶", "whose turn it is", ""},
			{"●", "the last move", ""},
			{"✓", "wins, is right", ""},
			{"✗", "loses, cannot be", ""},
			{"·", "a digit is taken", ""},
		}},
		{"Watching", []helpKey{{"+-", "speed; Enter pauses", ""}}},
	},
}

// A helpLine is a line of a column: a heading, or a key.
type helpLine struct {
	heading string
	helpKey
}

// lines returns the lines of a column.
func helpLines(groups []keyGroup, gap bool) (lines []helpLine) {
	for i, g := range groups {
		if i > 0 && gap {
			lines = append(lines, helpLine{})
		}
		lines = append(lines, helpLine{heading: g.name})
		for _, k := range g.keys {
			lines = append(lines, helpLine{helpKey: k})
		}
	}
	return lines
}

// columns returns the lines of both columns, with gaps if there is room for them.
func (p *help) columns(room int) (columns [2][]helpLine, rows int) {
	for _, gap := range []bool{true, false} {
		for i, groups := range helpColumns {
			columns[i] = helpLines(groups, gap)
		}
		if rows = max(len(columns[0]), len(columns[1])); rows <= room {
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
		for n, line := range lines {
			y := n - from
			if y < 0 || y >= b.h {
				continue
			}
			if line.heading != "" {
				c.text(x, b.y+y, active, line.heading)
				continue
			}
			c.text(x+1, b.y+y, strong, line.key)
			at := c.text(x+key, b.y+y, style{}, line.does)
			if line.more != "" && at+2+textWidth(line.more) <= end {
				c.text(at, b.y+y, muted, ", "+line.more)
			}
		}
	}
	p.more(c, b, rows)
}
