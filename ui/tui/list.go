package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// A list is the cursor of a page that lists items. The page makes one whenever it needs it.
type list struct {
	n, at  int
	choose func(i int)         // moves the cursor to an item
	open   func(i int) tea.Cmd // opens an item
	stops  bool                // the cursor stops at the ends; otherwise it wraps around
}

// move returns the act that moves the cursor by some items.
func (l list) move(by int) act {
	return func() tea.Cmd {
		at := (l.at + by + l.n) % max(1, l.n)
		if l.stops {
			at = max(0, min(l.at+by, l.n-1))
		}
		l.choose(at)
		return nil
	}
}

// opens returns the act that opens an item.
func (l list) opens(i int) act { return func() tea.Cmd { return l.open(i) } }

// click returns the act of a click on an item: the first one chooses it, the second one opens it.
func (l list) click(i int) act {
	return func() tea.Cmd {
		if i == l.at {
			return l.open(i)
		}
		l.choose(i)
		return nil
	}
}

// keys returns the keys of a list: Enter, which verb describes, and those that move the cursor.
func (l list) keys(verb string) []binding {
	return []binding{
		on(l.opens(l.at), verb, "enter"), on(l.move(1), "choose", "↑↓"),
		also(l.move(-1), "up", "k", "shift+tab", "left"),
		also(l.move(1), "down", "j", "tab", "right"),
	}
}

// window returns the range of items to show in some rows, with the cursor in the middle.
func (l list) window(room int) (from, to int) {
	from = max(0, min(l.at-room/2, l.n-room))
	return from, min(l.n, from+room)
}

// A scroller holds the scroll position of a text that is longer than the page.
type scroller struct{ top int }

// from returns the first line to show.
func (s *scroller) from(lines, room int) int { return min(max(s.top, 0), max(0, lines-room)) }

// keys returns the keys of a page of text.
func (s *scroller) keys(m *Model, lines, room int) []binding {
	from := s.from(lines, room)
	show := func(line int) act {
		return set(func() { s.top = line; s.top = s.from(lines, room) })
	}
	keys := []binding{
		also(show(from-1), "up", "k"), also(show(from+1), "down", "j"),
		also(show(from-room), "pgup", "b"), also(show(from+room), "pgdown", "space"),
		also(show(0), "home"), also(show(lines), "end"),
	}
	if lines > room {
		keys = append(keys, on(show(from+1), "scroll", "↑↓"))
	}
	return append(keys, on(m.pop, "back", "esc", "enter", "q", "?"))
}

// where describes the lines that are shown, if not all of them are.
func (s *scroller) where(lines, room int) string {
	if lines <= room {
		return ""
	}
	from := s.from(lines, room)
	return fmt.Sprintf("%d–%d of %d", from+1, from+room, lines)
}
