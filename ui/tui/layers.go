package tui

import "slices"

// A page is one screen, or a drawer over one.
type page interface {
	keys(*Model) []binding
	draw(*Model, *canvas)
}

// A layer is a page on the screen.
type layer struct {
	page
	over bool // drawn over the page below, which is visible around it
}

// top returns the page that gets the keys.
func (m *Model) top() page { return m.layers[len(m.layers)-1].page }

// onScreen returns the page that fills the screen, below any drawers.
func (m *Model) onScreen() page { return m.layers[m.base()].page }

// base returns the index of that page's layer.
func (m *Model) base() int {
	at := len(m.layers) - 1
	for m.layers[at].over {
		at--
	}
	return at
}

// push shows a page, and lay shows one over the current page.
func (m *Model) push(p page) { m.layers = append(m.layers, layer{page: p}) }
func (m *Model) lay(p page)  { m.layers = append(m.layers, layer{p, true}) }

// pop removes the top page. It keeps the menu, or ends a program that was not started with it.
func (m *Model) pop() {
	if n := len(m.layers); n > 1 {
		m.close(m.layers[n-1].page)
		m.layers = m.layers[:n-1]
	}
	if m.once && len(m.layers) == 1 {
		quit(m)
	}
}

// leavesTo names the place under the first page: the menu, or the end of the program.
func (m *Model) leavesTo() string {
	if m.once {
		return "quit"
	}
	return "menu"
}

// toMenu removes all pages but the menu.
func (m *Model) toMenu() {
	m.once = false
	for len(m.layers) > 1 {
		m.pop()
	}
	m.menu.top(m)
}

// shows reports whether a page is on the screen.
func (m *Model) shows(p page) bool {
	return slices.ContainsFunc(m.layers, func(l layer) bool { return l.page == p })
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
