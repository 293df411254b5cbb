package tui

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/match"
)

// An away is the way to a table in a test.
type away struct {
	people  match.Presence
	lost    error
	changed chan struct{}
}

func (a *away) Presence() (match.Presence, <-chan struct{}) { return a.people, a.changed }
func (a *away) Lost() error                                 { return a.lost }

// told changes what is told of a table.
func (a *away) told(people match.Presence, lost error) {
	a.people, a.lost = people, lost
	close(a.changed)
	a.changed = make(chan struct{})
}

// TestElsewhere sits at a table that another program keeps, from the wait for a player to another series.
func TestElsewhere(t *testing.T) {
	onScreen(t, &memory{}, Start{}, func(s *screen) {
		t, ctx := s.t, s.t.Context()
		setup := match.Setup{Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}, Open: [2]bool{false, true}}
		at, err := match.Open(ctx, "far", setup, new(match.Memory), s.rng())
		if err != nil {
			t.Fatal(err)
		}
		defer at.Close()
		all := match.Presence{Seats: [2]bool{true, true}}
		line := &away{people: all, changed: make(chan struct{})}
		k := &memory{}
		const link = "http://localhost:8080/t/abc/seat/xyz"
		ada := &screen{t: t, memory: k, Model: New(k.world(), Start{Table: at, Mine: []match.Seat{match.One}, Elsewhere: line, Invite: link}), msgs: make(chan tea.Msg, 1000)}
		ada.run(ada.Init())
		ada.size(80, 24)
		defer ada.Close() //nolint:errcheck // nothing is saved
		must := func(_ match.State, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			ada.settle()
		}
		ada.settle()
		ada.shows("Waiting for a player", link)
		must(at.Sit(ctx, match.Two, "Ben", ""))
		must(at.Begin(ctx))
		ada.shows("YOUR TURN")
		ada.press("space")
		ada.shows("ask for hints")
		ada.lacks("what every move is worth")
		ada.press("h")
		ada.settle()
		ada.shows("You agreed to hints; Ben has not yet.")
		if at.State().HintsAllowed() {
			t.Error("hints are on though one player has agreed")
		}
		ada.press("space")
		ada.lacks("what every move is worth")
		ada.press("esc")
		must(at.AgreeToHints(ctx, match.Two, true))
		ada.shows("Hints are on.")
		ada.press("space", "a")
		ada.settle()
		ada.shows("with best")
		must(at.AgreeToHints(ctx, match.Two, false))
		ada.shows("Hints are off: Ben no longer agrees to them.")
		ada.lacks("with best", "loses")
		line.told(match.Presence{Seats: [2]bool{true, false}}, nil)
		ada.settle()
		ada.shows("Ben is not here now.")
		line.told(all, errors.New("the wire is cut"))
		ada.settle()
		ada.shows("The connection to the server is lost.")
		line.told(all, nil)
		ada.settle()
		ada.lacks("The connection to the server is lost.", "Ben is not here now.")
		ada.press("9", "a")
		must(at.Leave(ctx, match.Two))
		must(at.Return(ctx, match.Two))
		ada.shows("Ben is back.") // and what was picked is
		ada.press("enter")
		ada.settle()
		if got := len(at.State().Moves); got != 1 {
			t.Errorf("%d moves are played", got)
		}
		must(at.Leave(ctx, match.Two))
		ada.shows("Ben has gone.")
		ada.press("space")
		ada.shows("take the win")
		ada.press("c")
		ada.settle()
		ada.shows("Ben left")
		if got := at.State().Result.String(); got != "1-0 left" {
			t.Errorf("the result is %s", got)
		}
		ada.pass(2 * moment) // in which a key would be taken for one that was meant for the move
		must(at.Return(ctx, match.Two))
		must(at.Rematch(ctx, match.Two))
		ada.shows("Ben wants to play again.")
		ada.press("n")
		ada.settle()
		if at.State().Again != [2]bool{} {
			t.Error("the rematch is not refused")
		}
		ada.press("enter")
		ada.settle()
		ada.shows("You asked Ben to play again.")
		must(at.Rematch(ctx, match.Two))
		ada.shows("BEN'S TURN")
		ada.press("esc")
		ada.shows("Leave the table? The game goes on")
		ada.press("y")
		if len(k.games) != 1 {
			t.Errorf("kept are %v", k.games)
		}
	})
}

// lacks holds that texts are not on the screen.
func (s *screen) lacks(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if strings.Contains(s.text(), text) {
			s.t.Errorf("%q is on the screen:\n%s", text, s.text())
		}
	}
}
