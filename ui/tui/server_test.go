package tui

import (
	"context"
	"errors"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// toServer types an address on the page of servers.
func (s *screen) toServer() {
	s.press("o", "f", "a", "r", "enter")
}

// TestServer goes to a server, joins a table, leaves it, and finds the address again the next time.
func TestServer(t *testing.T) {
	k := &memory{}
	onScreen(t, k, Start{}, func(s *screen) {
		var err error
		setup := match.Setup{Rules: digit.Highest, Names: [2]string{"Ben", "You"}, Open: [2]bool{false, true}, Listed: true}
		if k.far.table, err = match.Open(context.WithoutCancel(s.t.Context()), "abc", setup, new(match.Memory), s.rng()); err != nil {
			s.t.Fatal(err)
		}
		defer k.far.table.Close()
		s.toServer()
		s.shows("Ben waits for you.", "Enter join or watch")
		s.press("enter")
		s.shows("BEN'S TURN", "Wait for the move.")
		if got := s.tableOn(); got.here(match.One) || !got.here(match.Two) {
			s.t.Errorf("the seats are %+v", got)
		}
		s.press("esc", "y")
		if s.quit || k.far.left != 1 {
			s.t.Errorf("left %d times, quit %v", k.far.left, s.quit)
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

// TestServerAway tells why a server cannot be reached, and lets go of one that does not answer.
func TestServerAway(t *testing.T) {
	onScreen(t, &memory{far: distant{err: errors.New("http://far does not answer: no route to host")}}, Start{}, func(s *screen) {
		s.toServer()
		s.shows("✗ http://far does not answer: no route to host.")
		s.press("tab", "x")
		s.shows("Address  farx_")
	})
	onScreen(t, &memory{far: distant{slow: true}}, Start{}, func(s *screen) {
		s.toServer()
		s.shows("looking for tables", "Esc stop")
		s.press("esc", "esc")
		s.shows("games of numbers")
	})
}

// TestServerOrder opens tables for whom they are meant, as they were chosen.
func TestServerOrder(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want func(match.Setup) bool
	}{
		{nil, func(s match.Setup) bool {
			return s.Open[match.Two] && !s.Listed && s.Rules == digit.Dilemma && !s.Hints
		}},
		{[]string{"right"}, func(s match.Setup) bool { return s.Rules == digit.Sevens }},
		{[]string{"left"}, func(s match.Setup) bool { return s.Rules == digit.Fair[len(digit.Fair)-1].Rules }},
		{[]string{"down", "right"}, func(s match.Setup) bool { return s.Open[match.Two] && s.Listed }},
		{[]string{"down", "left"}, func(s match.Setup) bool { return s.Levels[match.Two] == "casual" && !s.Open[match.Two] }},
		{[]string{"down", "down", "right"}, func(s match.Setup) bool { return s.First == match.Two }},
		{[]string{"down", "down", "down", "right"}, func(s match.Setup) bool { return s.Pair }},
		{[]string{"down", "down", "down", "right", "right"}, func(s match.Setup) bool { return s.BestOf == 3 }}, // no lot is drawn here
	} {
		k := &memory{}
		onScreen(t, k, Start{}, func(s *screen) {
			s.toServer()
			s.press("up", "enter")
			s.press(c.keys...)
			s.press("enter")
			if len(k.far.opened) != 1 || !c.want(k.far.opened[0]) || k.far.opened[0].FreeUndo || k.far.opened[0].CheckEffect() != nil {
				s.t.Errorf("%q opens %+v", c.keys, k.far.opened)
			}
			defer k.far.table.Close()
			s.tableOn()
			if s.settings.Opponent != Computer || !s.settings.Hints {
				s.t.Errorf("%q changes the settings for games here: %+v", c.keys, s.settings)
			}
		})
	}
}

// TestSeats offers the seats at servers in the menu and under the saved games, and goes back to one.
func TestSeats(t *testing.T) {
	for name, keys := range map[string]string{"menu": "c", "games": "g enter"} {
		k := &memory{}
		k.far.seats = []Seat{{Link: "http://far/t/abc", Server: "http://far"}}
		onScreen(t, k, Start{}, func(s *screen) {
			setup := match.Setup{Rules: digit.Highest, Names: [2]string{"Ben", "You"}, Open: [2]bool{false, true}}
			var err error
			k.far.table, err = match.Open(context.WithoutCancel(s.t.Context()), "abc", setup, new(match.Memory), s.rng())
			if err != nil {
				s.t.Fatal(err)
			}
			defer k.far.table.Close()
			s.shows("▸ c Continue your game at a server", "far")
			s.follow(keys)
			if tb, ok := s.top().(*table); !ok || !tb.here(match.Two) {
				s.t.Errorf("%s: not at the table:\n%s", name, s.text())
			}
			s.follow("esc y")
			s.shows("Play at a server", "http://far")
		})
	}
}
