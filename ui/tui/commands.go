package tui

import "digitduel/ui/tui/draw"

// boarded is a page whose letters and digits belong to a board. Space opens its commands.
type boarded interface {
	page
	commands(*Model) []binding
}

// open returns the key that opens the commands of a page.
func (m *Model) open(p boarded) binding {
	return on(func(*Model) {
		m.lay(&commands{page: p})
	}, "commands", "space").ranked(staysRank)
}

// A commands page is the drawer with the commands of the page under it.
type commands struct {
	page boarded
	at   int    // the index of the chosen command
	note string // an error to show
}

// list returns the commands that are shown, and chooses the last one if the one chosen is gone.
// Those of every page come last.
func (d *commands) list(m *Model) []binding {
	all := append(shownKeys(d.page.commands(m)),
		on((*Model).openSaved, "games", "g").noted("those you played"),
		on(func(*Model) {
			m.push(newSettingsPage())
		}, "settings", "s").noted("colours and signs"),
		on(quit, "quit", "q").noted("the game is saved"),
	)
	d.at = min(d.at, len(all)-1)
	return all
}

// run closes the drawer and runs a command.
func (d *commands) run(b binding) act {
	return func(m *Model) { m.pop(); b.do(m) }
}

func (d *commands) keys(m *Model) []binding {
	all := d.list(m)
	l := list{
		n: len(all), at: &d.at, moved: func(int) { d.note = "" },
		open: func(m *Model, i int) { d.run(all[i])(m) },
	}
	keys := []binding{ // without j and k, which are letters of commands
		on(nil, "do it", "a-z").named("a-z"),
		on(l.opens(d.at), all[d.at].about, "enter"), on(l.move(1), "choose", "↑↓"),
		also(l.move(1), "right", "down", "tab"), also(l.move(-1), "left", "up", "shift+tab"),
	}
	for i, b := range all {
		keys = append(keys, also(l.opens(i), b.keys...))
	}
	return append(keys, on((*Model).pop, "close", "space", "esc").ranked(staysRank), m.help())
}

func (d *commands) draw(m *Model, c *canvas) {
	list := d.list(m)
	columns := 2
	if c.class() == compact {
		columns = 3
	}
	wide := (c.W - 2*c.margin() - 2) / columns
	rows := (len(list) + columns - 1) / columns
	in := c.drawer(rows+1, "Commands: press a letter")
	note := list[d.at].note // of the chosen command, if there is no room next to it
	if note != "" {
		note = list[d.at].about + ": " + note
	}
	for i, b := range list {
		at := draw.Rect(in.X+i/rows*wide, in.Y+i%rows, wide, 1)
		s := draw.Style{}
		if i == d.at {
			s = draw.Active
			c.Text(at.X-1, at.Y, s, "▸")
		}
		c.Text(at.X, at.Y, draw.Active, b.name)
		x := max(c.Text(at.X+2, at.Y, s, b.about)+2, at.X+15)
		if columns == 2 && x+draw.Width(b.note) < at.X+wide {
			c.Text(x, at.Y, draw.Muted, b.note)
			if i == d.at {
				note = ""
			}
		}
		c.zone(at, d.run(b))
	}
	look := draw.Muted
	if d.note != "" {
		look, note = draw.Failure, "✗ "+d.note
	}
	c.Text(in.X, in.Y+rows, look, note)
}
