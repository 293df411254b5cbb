package tui

import (
	"context"
	"strings"
	"time"

	"digitduel/match"
	"digitduel/ui/tui/draw"
)

// Servers gives access to the tables of servers. A call may take long, and ends with its context.
type Servers struct {
	// reads an address, and lists its tables
	List func(ctx context.Context, address string) (server string, tables []ListedTable, err error)
	// resumes a seat, takes a free one, or watches
	Join func(ctx context.Context, link, name string) (Sitting, error)
	// returns the saved seats at which there is more to play, the newest first
	Seats func() ([]SavedSeat, error)
	// opens a table
	Open func(ctx context.Context, server, name string, s match.Setup) (Sitting, error)
}

// A SavedSeat is a saved seat at a table of a server.
type SavedSeat struct {
	Link, Server string    // the addresses of the table and of the server
	At           time.Time // when the user came to it; zero: unknown
}

// host returns the address of the server without the protocol.
func (s SavedSeat) host() string {
	_, host, _ := strings.Cut(s.Server, "://")
	return host
}

// A ListedTable can be joined or watched.
type ListedTable struct{ Link, Name, About string }

// A Sitting is a seat at a table that this screen does not keep.
type Sitting struct {
	Table  *match.Table
	Mine   []match.Seat // the seats that are played here; none: watch
	Remote RemoteTable  // nil: this program keeps it
	Invite string       // the link that gives the open seat to another player
	Close  func()       // leaves the table, which continues; nil: the caller does that
}

// A server is the page with the tables of a server.
type server struct {
	input  // the address
	at     int
	tables []ListedTable
	known  bool // the list has been read, or an error is shown
	busy   string
	wrong  string
	stop   context.CancelFunc // ends the work of busy
}

// addressChars are the characters of addresses.
const addressChars = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" +
	"-._~:/?#[]@!$&'()*+,;=%"

// openServer shows the tables of a server and, if there is a link, joins its table. Without an
// address, the user is asked for it.
func (m *Model) openServer(address, link string) {
	m.settings.Server = address
	p := &server{input: input{
		field{text: address, most: 200, only: addressChars}, address == "",
	}}
	if m.push(p); link != "" {
		p.sitDown(m, link)
	}
}

// typed implements typist.
func (p *server) typed(*Model) { p.wrong = "" }

// run does some work that may take long, and calls done with the seat that it returns, if any. It
// leaves the seat if the page was left.
func (p *server) run(
	m *Model, busy string, work func(context.Context) (Sitting, error),
	done func(*Model, Sitting),
) {
	ctx, stop := context.WithCancel(m.ctx)
	p.busy, p.wrong, p.stop = busy, "", stop
	m.run(func() act {
		got, err := work(ctx)
		return func(m *Model) {
			if ctx.Err() != nil || !m.shows(p) {
				if got.Close != nil {
					got.Close()
				}
				return
			}
			p.busy = ""
			if err != nil {
				p.wrong, p.known = err.Error()+".", true
				return
			}
			done(m, got)
		}
	})
}

// upkeep lists the tables when the page is opened.
func (p *server) upkeep(m *Model) {
	if p.known || p.types || p.busy != "" || m.top() != page(p) {
		return
	}
	address := p.text
	var server string
	var tables []ListedTable
	p.run(m, "looking for tables", func(ctx context.Context) (none Sitting, err error) {
		server, tables, err = m.world.Servers.List(ctx, address)
		return none, err
	}, func(m *Model, _ Sitting) {
		p.tables, p.known, p.at = tables, true, 0
		m.settings.Server = server
	})
}

func (p *server) moving(m *Model) bool { return m.top() == page(p) && p.busy != "" }

// look lists the tables again.
func (p *server) look(*Model) { p.known, p.types, p.wrong = false, false, "" }

// sit shows the table of a seat.
func (p *server) sit(m *Model, s Sitting) {
	p.known = false // afterwards the list may be different
	for m.top() != page(p) {
		m.pop()
	}
	m.sitAt(s)
}

// join opens a table of the list, or the setup page of a new one.
func (p *server) join(m *Model, i int) {
	if p.busy != "" {
		return
	}
	if i == len(p.tables) {
		m.push(newServerSetup(m, p))
		return
	}
	p.sitDown(m, p.tables[i].Link)
}

// sitDown joins the table of a link.
func (p *server) sitDown(m *Model, link string) {
	name := m.settings.Names[match.One]
	p.run(m, "joining the table", func(ctx context.Context) (Sitting, error) {
		return m.world.Servers.Join(ctx, link, name)
	}, p.sit)
}

// open opens a table.
func (p *server) open(m *Model, s match.Setup) {
	address, name := m.settings.Server, m.settings.Names[match.One]
	p.run(m, "opening the table", func(ctx context.Context) (Sitting, error) {
		return m.world.Servers.Open(ctx, address, name, s)
	}, p.sit)
}

// leave cancels the current work, or goes back.
func (p *server) leave(m *Model) {
	if p.stop != nil {
		p.stop()
	}
	if p.busy != "" {
		p.busy, p.known = "", true
		return
	}
	m.pop()
}

func (p *server) keys(m *Model) []binding {
	leave := p.leave
	if p.types {
		return []binding{on(p.look, "look for tables", "enter"), on(leave, m.leavesTo(), "esc")}
	}
	if p.busy != "" {
		return []binding{m.help(), on(leave, "stop", "esc", "q")}
	}
	verb := "join or watch"
	if p.at == len(p.tables) {
		verb = "open a table"
	}
	address := on(func(*Model) { p.types = true }, "address", "tab")
	keys := append([]binding{also(address.do, "tab")}, p.list().keys(verb)...)
	return append(keys, on(p.look, "look again", "space"), address, m.help(),
		on(leave, m.leavesTo(), "esc", "q"))
}

// list returns the tables, and an item that opens one.
func (p *server) list() list {
	var items []item
	for _, t := range p.tables {
		items = append(items, item{name: t.Name, below: t.About})
	}
	items = append(items, item{
		name: "Open a table", below: "For a friend, for anyone, or against the computer there.",
	})
	return listOf(&p.at, items, p.join)
}

// status describes the current work, or an error.
func (p *server) status(m *Model) string {
	switch {
	case p.busy != "":
		return m.spin() + " " + p.busy
	case p.wrong != "":
		return "✗ " + p.wrong
	case p.types:
		return "Type the address of a server, or a link that you were given. " +
			"Example: localhost:8080."
	case p.known && len(p.tables) == 0:
		return "No table is open there."
	default:
		return "Choose a table, or open one."
	}
}

func (p *server) draw(m *Model, c *canvas) {
	c.header("Play at a server", "", "")
	b := c.middle(84)
	x := c.Text(b.X, b.Y, draw.Muted, "Address  ")
	look := draw.Strong
	if p.types {
		look = draw.Active
	}
	end := c.Within(x, b.Y, b.W-11, look, p.text)
	if p.types {
		c.Text(end, b.Y, look, "_")
	}
	c.zone(draw.Rect(b.X, b.Y, b.W, 1), func(*Model) { p.types = p.busy == "" })
	y := b.Y + 1
	y += c.Paragraph(b.X, y, b.W, 4, draw.Muted, p.status(m)) + 1
	if p.types || p.busy != "" {
		return
	}
	p.list().draw(c, draw.Rect(b.X, y, b.W, b.Bottom()-y))
}
