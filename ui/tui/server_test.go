package tui

import (
	"context"
	"errors"
	"slices"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// toServer opens the page of a server, and types its address.
func (s *screen) toServer() {
	s.press("o", "f", "a", "r", "enter")
}

// TestServer joins a table of a server and leaves it. The address is there the next time.
func TestServer(t *testing.T) {
	k := &memory{}
	onScreen(t, k, Start{}, func(s *screen) {
		var err error
		setup := match.Setup{
			Rules: digit.Highest, Names: [2]string{"Ben", "You"},
			Open: [2]bool{false, true}, Listed: true,
		}
		ctx := context.WithoutCancel(s.t.Context())
		k.servers.table, err = match.Open(ctx, "abc", setup, new(match.Memory), s.rng())
		if err != nil {
			s.t.Fatal(err)
		}
		defer k.servers.table.Close()
		s.toServer()
		s.shows("Ben waits for you.", "Enter join or watch")
		s.press("enter")
		s.shows("BEN'S TURN", "Wait for the move.")
		if got := s.currentTable(); got.here(match.One) || !got.here(match.Two) {
			s.t.Errorf("the screen has the wrong seats: %+v", got)
		}
		s.press("esc", "y")
		if s.quit || k.servers.left != 1 {
			s.t.Errorf("left %d times, quit %v", k.servers.left, s.quit)
		}
		s.shows("Play at a server", "Ben waits for you.")
		s.press("esc")
		s.shows("games of numbers")
	})
	onScreen(t, k, Start{}, func(s *screen) {
		s.press("o")
		s.shows("http://far", "Ben waits for you.")
	})
}

// TestServerAway checks the message when a server cannot be reached, and leaves a server that does
// not answer.
func TestServerAway(t *testing.T) {
	unreachable := errors.New("http://far does not answer: no route to host")
	onScreen(t, &memory{servers: fakeServers{err: unreachable}}, Start{}, func(s *screen) {
		s.toServer()
		s.shows("✗ http://far does not answer: no route to host.")
		s.press("tab", "x")
		s.shows("Address  farx_")
	})
	k := &memory{servers: fakeServers{slow: true}}
	onScreen(t, k, Start{}, func(s *screen) {
		s.toServer()
		s.shows("looking for tables", "Esc stop")
		s.press("esc")
		if n := k.servers.stopped.Load(); n != 1 {
			s.t.Errorf("%d requests were cancelled, want 1", n)
		}
		s.press("esc")
		s.shows("games of numbers")
	})
}

// TestServerLeft leaves the page while a table is being joined: the seat is left, too.
func TestServerLeft(t *testing.T) {
	k := &memory{servers: fakeServers{slow: true}}
	onScreen(t, k, Start{}, func(s *screen) {
		var err error
		setup := match.Setup{Rules: digit.Highest, Open: [2]bool{false, true}}
		ctx := context.WithoutCancel(s.t.Context())
		k.servers.table, err = match.Open(ctx, "abc", setup, new(match.Memory), s.rng())
		if err != nil {
			s.t.Fatal(err)
		}
		defer k.servers.table.Close()
		s.send(act(func(m *Model) { m.openServer("http://far", "http://far/t/abc") }))
		s.shows("joining the table")
		s.press("esc")
		if s.settle(); k.servers.left != 1 {
			s.t.Errorf("left %d times, want once", k.servers.left)
		}
	})
}

// TestServerOrder checks that tables are opened at a server with the chosen settings.
func TestServerOrder(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want func(match.Setup) bool
	}{
		{nil, func(s match.Setup) bool {
			return s.Open[match.Two] && !s.Listed && s.Rules == digit.Dilemma && !s.Hints
		}},
		{[]string{"right"}, func(s match.Setup) bool { return s.Rules == digit.Sevens }},
		{[]string{"left"}, func(s match.Setup) bool {
			return s.Rules == digit.Fair[len(digit.Fair)-1].Rules
		}},
		{[]string{"down", "right"}, func(s match.Setup) bool { return s.Open[match.Two] && s.Listed }},
		{[]string{"down", "left"}, func(s match.Setup) bool {
			return s.Levels[match.Two] == "casual" && !s.Open[match.Two]
		}},
		{[]string{"down", "down", "right"}, func(s match.Setup) bool { return s.First == match.Two }},
		{[]string{"down", "down", "down", "right"}, func(s match.Setup) bool { return s.Pair }},
		{[]string{"down", "down", "down", "right", "right"}, func(s match.Setup) bool {
			return s.BestOf == 3 // a server offers no random openings
		}},
	} {
		k := &memory{}
		onScreen(t, k, Start{}, func(s *screen) {
			s.toServer()
			s.press("up", "enter")
			s.press(c.keys...)
			s.press("enter")
			opened := k.servers.opened
			if len(opened) != 1 || !c.want(opened[0]) || opened[0].FreeUndo ||
				opened[0].CheckEffect() != nil {
				s.t.Errorf("%q opens %+v", c.keys, opened)
			}
			defer k.servers.table.Close()
			s.currentTable()
			at := slices.IndexFunc(s.layers, func(l layer) bool {
				_, ok := l.page.(*table)
				return ok
			})
			if _, ok := s.layers[at-1].page.(*server); !ok {
				s.t.Errorf("%q: the list of tables is not the page below the table", c.keys)
			}
			if s.settings.Opponent != Computer || !s.settings.Hints {
				s.t.Errorf("%q changes the settings for local games: %+v", c.keys, s.settings)
			}
		})
	}
}

// TestSeats checks that the menu and the saved games list the seats at servers, and resumes one.
func TestSeats(t *testing.T) {
	for name, keys := range map[string]string{"menu": "c", "games": "g enter"} {
		k := &memory{}
		k.servers.seats = []SavedSeat{{Link: "http://far/t/abc", Server: "http://far"}}
		onScreen(t, k, Start{}, func(s *screen) {
			setup := match.Setup{
				Rules: digit.Highest, Names: [2]string{"Ben", "You"}, Open: [2]bool{false, true},
			}
			var err error
			ctx := context.WithoutCancel(s.t.Context())
			k.servers.table, err = match.Open(ctx, "abc", setup, new(match.Memory), s.rng())
			if err != nil {
				s.t.Fatal(err)
			}
			defer k.servers.table.Close()
			s.shows("▸ c Continue your game at a server", "far")
			s.follow(keys)
			if tb, ok := s.top().(*table); !ok || !tb.here(match.Two) {
				s.t.Errorf("%s: the table is not open:\n%s", name, s.text())
			}
			s.follow("esc y")
			s.shows("Play at a server", "http://far")
		})
	}
}
