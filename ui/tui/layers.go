package tui

import tea "charm.land/bubbletea/v2"

// A page is one screen, or what is laid over one.
type page interface {
	keys(*Model) []binding
	draw(*Model, *canvas)
}

// A layer is a page on the screen.
type layer struct {
	page
	over bool // laid over the page below, which shows around it
}

// top returns the page that the keys go to.
func (m *Model) top() page { return m.layers[len(m.layers)-1].page }

// onScreen returns the page that fills the screen, with drawers over it or not.
func (m *Model) onScreen() page { return m.layers[m.base()].page }

// base returns where the layer of that page is.
func (m *Model) base() int {
	at := len(m.layers) - 1
	for m.layers[at].over {
		at--
	}
	return at
}

// push puts a page on the screen. It returns nil, so that an act can end with it; lay and pop do too.
func (m *Model) push(p page) tea.Cmd { return m.add(layer{page: p}) }

// lay lays a page over the one on the screen.
func (m *Model) lay(p page) tea.Cmd { return m.add(layer{p, true}) }

func (m *Model) add(l layer) tea.Cmd {
	m.layers = append(m.layers, l)
	return nil
}

// pop takes the top page from the screen. The menu stays.
func (m *Model) pop() tea.Cmd {
	if n := len(m.layers); n > 1 {
		m.close(m.layers[n-1].page)
		m.layers = m.layers[:n-1]
	}
	return nil
}

// toMenu takes all pages but the menu from the screen.
func (m *Model) toMenu() {
	for len(m.layers) > 1 {
		m.pop()
	}
	if h, ok := m.top().(*menu); ok {
		h.top(m)
	}
}

// shows reports whether a page is on the screen.
func (m *Model) shows(p page) bool {
	for _, l := range m.layers {
		if l.page == p {
			return true
		}
	}
	return false
}

func (m *Model) close(p page) {
	t, ok := p.(*table)
	if !ok {
		return
	}
	t.close()
	if t.own {
		m.leftTable(t)
	}
}
