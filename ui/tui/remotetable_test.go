package tui

import (
	"context"
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

// A far is a table that another program keeps, at which Ada plays from a screen and Ben from somewhere else.
type far struct {
	*match.Table
	line *away
	ada  *screen
}

// both is the presence of both players.
var both = match.Presence{Seats: [2]bool{true, true}}

const farLink = "http://localhost:8080/t/abc/seat/xyz"

// atFar runs a test at a far table at which Ben is awaited. Ada plays on some seats, or watches.
func atFar(t *testing.T, seats []match.Seat, test func(*far)) {
	t.Helper()
	onScreen(t, &memory{}, Start{}, func(s *screen) {
		setup := match.Setup{Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}, Open: [2]bool{false, true}}
		at, err := match.Open(s.t.Context(), "far", setup, new(match.Memory), s.rng())
		if err != nil {
			s.t.Fatal(err)
		}
		defer at.Close()
		line := &away{people: both, changed: make(chan struct{})}
		k := &memory{}
		start := Start{Sitting: Sitting{Table: at, Mine: seats, Remote: line, Invite: farLink}}
		ada := &screen{t: s.t, memory: k, Model: New(k.world(), start), msgs: make(chan tea.Msg, 1000)}
		defer ada.Close() //nolint:errcheck // nothing is saved
		ada.run(ada.Init())
		ada.size(80, 24)
		test(&far{at, line, ada})
	})
}

// does acts at the table.
func (f *far) does(_ match.State, err error) {
	f.ada.t.Helper()
	if err != nil {
		f.ada.t.Fatal(err)
	}
	f.ada.settle()
}

// tells changes what is known of the table.
func (f *far) describe(people match.Presence, lost error) {
	f.line.told(people, lost)
	f.ada.settle()
}

// begins lets Ben sit down and the game begin.
func (f *far) begins() {
	f.does(f.Sit(f.ada.t.Context(), match.Two, "Ben", ""))
	f.does(f.Begin(f.ada.t.Context()))
}

// plays plays moves for whoever is to move.
func (f *far) plays(moves ...string) {
	for _, text := range moves {
		m, err := digit.ParseMove(text)
		if err != nil {
			f.ada.t.Fatal(err)
		}
		f.does(f.Play(f.ada.t.Context(), f.State().Turn(), m, f.State().Seq))
	}
}

// farScenes are the states of a table elsewhere that are kept as golden files.
func farScenes() []scene {
	ctx := context.Background()
	ben := match.Two
	return []scene{
		{name: "far-waiting", far: func(*far) {}},
		{name: "far-waiting-table", far: func(*far) {}, keys: "esc"},
		{name: "far-watching", watches: true, far: func(f *far) { f.begins(); f.plays("9a", "8a") }},
		{name: "far-turn", far: func(f *far) { f.begins(); f.plays("9a") }},
		{name: "far-commands", far: func(f *far) { f.begins(); f.plays("9a", "8a") }, keys: "space"},
		{name: "far-undo", far: func(f *far) { f.begins(); f.plays("9a", "8a"); f.does(f.Do(ctx, ben, match.Undo, "")) }},
		{name: "far-undo-asked", far: func(f *far) { f.begins(); f.plays("9a") }, keys: "space u"},
		{name: "far-hints", far: func(f *far) { f.begins(); f.does(f.Do(ctx, ben, match.AgreeHints, "")) }},
		{name: "far-rematch", far: func(f *far) {
			f.begins()
			f.plays("9a", "8a", "2c", "7b", "5b", "6c")
			f.does(f.Do(ctx, ben, match.Rematch, ""))
		}},
		{name: "far-lost", far: func(f *far) {
			f.begins()
			f.plays("9a", "8a")
			f.describe(both, errors.New("the wire is cut"))
		}},
		{name: "far-rekeyed", far: func(f *far) { f.begins(); f.plays("9a", "8a"); f.describe(both, match.ErrRekeyed) }},
		{name: "far-absent", far: func(f *far) { f.begins(); f.plays("9a"); f.describe(match.Presence{Seats: [2]bool{true, false}}, nil) }},
		{name: "far-left", far: func(f *far) { f.begins(); f.plays("9a"); f.does(f.Leave(ctx, ben)) }},
		{name: "far-left-commands", far: func(f *far) { f.begins(); f.plays("9a"); f.does(f.Leave(ctx, ben)) }, keys: "space"},
		{name: "far-leave", far: func(f *far) { f.begins(); f.plays("9a", "8a") }, keys: "esc"},
	}
}

// TestElsewhere sits at a table that another program keeps, from the wait for a player to another series.
func TestElsewhere(t *testing.T) {
	atFar(t, []match.Seat{match.One}, func(f *far) {
		ada, at, must := f.ada, f.Table, f.does
		t, ctx, k := ada.t, ada.t.Context(), ada.memory
		ada.shows("Waiting for a player", farLink)
		f.begins()
		ada.shows("YOUR TURN")
		ada.press("space")
		ada.shows("ask for hints")
		ada.lacks("what every move is worth")
		ada.press("h")
		ada.settle()
		ada.shows("You agreed to hints. They start when Ben agrees.")
		if at.State().HintsAllowed() {
			t.Error("hints are on though one player has agreed")
		}
		ada.press("space")
		ada.lacks("what every move is worth")
		ada.press("esc")
		must(at.Do(ctx, match.Two, match.AgreeHints, ""))
		ada.shows("Hints are on.")
		ada.press("space", "a")
		ada.settle()
		ada.shows("Best play")
		must(at.Do(ctx, match.Two, match.EndHints, ""))
		ada.shows("Ben turned hints off.")
		ada.lacks("Best play", "loses")
		f.describe(match.Presence{Seats: [2]bool{true, false}}, nil)
		ada.shows("Ben isn't here now.")
		f.describe(both, errors.New("the wire is cut"))
		ada.shows("The connection to the server is lost.")
		f.describe(both, nil)
		ada.lacks("The connection to the server is lost.", "Ben isn't here now.")
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
		ada.shows("Ben has left.")
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
		must(at.Do(ctx, match.Two, match.Rematch, ""))
		ada.shows("Ben wants a rematch.")
		ada.press("n")
		ada.settle()
		if at.State().Again != [2]bool{} {
			t.Error("the rematch is not refused")
		}
		ada.press("enter")
		ada.settle()
		ada.shows("You asked Ben for a rematch.")
		must(at.Do(ctx, match.Two, match.Rematch, ""))
		ada.shows("BEN'S TURN")
		ada.press("esc")
		ada.shows("Leave the table? The game continues")
		ada.press("y")
		if len(k.games) != 1 {
			t.Errorf("kept are %v", k.games)
		}
	})
}

// TestLateEvent picks a move while an event that does not matter to it is on its way: it is played.
func TestLateEvent(t *testing.T) {
	atFar(t, []match.Seat{match.One}, func(f *far) {
		f.begins()
		f.ada.press("9")
		if _, err := f.Do(f.ada.t.Context(), match.Two, match.AgreeHints, ""); err != nil {
			t.Fatal(err)
		}
		f.ada.press("a")
		if moves := f.State().Moves; len(moves) != 1 {
			t.Errorf("played: %v\n%s", moves, f.ada.text())
		}
	})
}

// TestHintsInTurn asks for hints at a table elsewhere at which both agreed to them: there are none in
// the turn of the other player, not even while the game is looked back at.
func TestHintsInTurn(t *testing.T) {
	atFar(t, []match.Seat{match.One}, func(f *far) {
		f.begins()
		for _, seat := range match.Seats {
			f.does(f.Do(f.ada.t.Context(), seat, match.AgreeHints, ""))
		}
		for _, tt := range []struct{ moves, keys, shows string }{
			{"", "space h", "Hint: "},
			{"9a", "space h", "It's Ben's turn."},
			{"", "< space h", "It's Ben's turn."},
			{"8a", "> space h", "Hint: "},
		} {
			f.plays(strings.Fields(tt.moves)...)
			f.ada.press(strings.Fields(tt.keys)...)
			f.ada.shows(tt.shows)
			if tt.shows != "Hint: " {
				f.ada.lacks("Hint: ")
			}
		}
		f.plays("7b") // it would be Ben's turn
		f.does(f.Do(f.ada.t.Context(), match.Two, match.Resign, ""))
		f.ada.pass(2 * moment)
		f.ada.press("<", "space", "h")
		f.ada.shows("Hint: ")
	})
}

// TestHintsDeclined declines hints: that is not asked again, unless the other player asks again.
func TestHintsDeclined(t *testing.T) {
	const asks = "y agrees, n does not."
	atFar(t, []match.Seat{match.One}, func(f *far) {
		ctx := f.ada.t.Context()
		f.begins()
		for range 2 {
			f.does(f.Do(ctx, match.Two, match.AgreeHints, ""))
			f.ada.shows(asks)
			f.ada.press("n")
			f.ada.lacks(asks)
			f.plays("9a", "8a")
			f.ada.lacks(asks)
			f.does(f.Do(ctx, match.Two, match.EndHints, ""))
			f.does(f.Do(ctx, match.One, match.Undo, ""))
			f.does(f.Do(ctx, match.Two, match.AgreeUndo, ""))
		}
		if f.State().Hints != [2]bool{} {
			f.ada.t.Errorf("hints are agreed to by %v", f.State().Hints)
		}
	})
}

// TestLeaveElsewhere leaves a table elsewhere: that is asked while a game is played, and at no other
// time.
func TestLeaveElsewhere(t *testing.T) {
	for _, tt := range []struct {
		name  string
		seats []match.Seat
		ends  bool
		asks  bool
	}{
		{"in a game", []match.Seat{match.One}, false, true},
		{"after it", []match.Seat{match.One}, true, false},
		{"as a watcher", nil, false, false},
	} {
		atFar(t, tt.seats, func(f *far) {
			f.begins()
			f.plays("9a", "8a")
			if tt.ends {
				f.does(f.Do(f.ada.t.Context(), match.Two, match.Resign, ""))
				f.ada.pass(2 * moment)
			}
			f.ada.press("esc")
			asks := strings.Contains(f.ada.text(), "Leave the table?")
			if asks != tt.asks || f.ada.quit == tt.asks {
				f.ada.t.Errorf("%s: asked %v, left %v:\n%s", tt.name, asks, f.ada.quit, f.ada.text())
			}
		})
	}
}

// TestAnalysisEnds looks at a finished game with analysis, and plays again: the next game has none,
// for nobody agreed to hints.
func TestAnalysisEnds(t *testing.T) {
	atFar(t, []match.Seat{match.One}, func(f *far) {
		ctx := f.ada.t.Context()
		f.begins()
		f.plays("9a", "8a")
		f.does(f.Do(ctx, match.Two, match.Resign, ""))
		f.ada.pass(2 * moment)
		f.ada.press(",", "space", "a")
		f.ada.shows("Best play", "loses")
		for _, seat := range match.Seats {
			f.does(f.Do(ctx, seat, match.Rematch, ""))
		}
		f.plays("9a")
		f.ada.shows("YOUR TURN")
		f.ada.lacks("Best play", "loses")
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

// TestEngine plays at a table at which an engine sits: what is played is kept when it is over or left, also by who watches two engines, and nobody
// is promised that it goes on.
func TestEngine(t *testing.T) {
	for _, tt := range []struct {
		name   string
		levels [2]string
		mine   []match.Seat
		keys   []string
		want   string
	}{
		{"over", [2]string{"", match.EngineLevel}, []match.Seat{match.One}, []string{"7", "enter"}, "divisibility 7R 1-0 multiple; first=Ada second=Deep second-level=engine starts=1"},
		{"left", [2]string{"", match.EngineLevel}, []match.Seat{match.One}, []string{"3", "enter", "esc", "y"}, "divisibility 3R *; first=Ada second=Deep second-level=engine starts=1"},
		{"watched", [2]string{match.EngineLevel, match.EngineLevel}, nil, nil, "divisibility 7R 1-0 multiple; first=Ada second=Deep first-level=engine second-level=engine starts=1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onScreen(t, &memory{}, Start{}, func(s *screen) {
				t, ctx := s.t, s.t.Context()
				setup := match.Setup{Rules: digit.Divisibility, Names: [2]string{"Ada", "Deep"}, Levels: tt.levels}
				at, err := match.Open(ctx, "here", setup, new(match.Memory), s.rng())
				if err != nil {
					t.Fatal(err)
				}
				defer at.Close()
				if _, err := at.Begin(ctx); err != nil {
					t.Fatal(err)
				}
				k := &memory{}
				ada := &screen{t: t, memory: k, Model: New(k.world(), Start{Sitting: Sitting{Table: at, Mine: tt.mine}}), msgs: make(chan tea.Msg, 1000)}
				defer ada.Close() //nolint:errcheck // nothing is saved
				ada.run(ada.Init())
				ada.size(80, 24)
				ada.settle()
				for _, key := range tt.keys {
					if key == "y" {
						ada.shows("It cannot be continued")
					}
					ada.press(key)
					ada.settle()
				}
				if tt.mine == nil {
					m, err := digit.ParseMove("7R")
					if err == nil {
						_, err = at.Play(ctx, match.One, m, 0)
					}
					if err != nil {
						t.Fatal(err)
					}
					ada.settle()
				}
				var kept []string
				for _, rec := range k.games {
					kept = append(kept, rec.String())
				}
				if got := strings.Join(kept, "\n"); !strings.HasPrefix(got, tt.want) {
					t.Errorf("kept: %s\nwant  %s\n%s", got, tt.want, ada.text())
				}
			})
		})
	}
}

// TestWatchProgram watches a program that fails to name a legal move, until it has lost by that.
func TestWatchProgram(t *testing.T) {
	onScreen(t, &memory{}, Start{}, func(s *screen) {
		t, ctx := s.t, s.t.Context()
		setup := match.Setup{Rules: digit.Highest, Names: [2]string{"Robo", "Casual"}, Levels: [2]string{"", "casual"}, Openings: "5a 4a", Agent: match.Agent{Tries: 2}}
		at, err := match.Open(ctx, "far", setup, new(match.Memory), s.rng())
		if err != nil {
			t.Fatal(err)
		}
		defer at.Close()
		if _, err := at.Begin(ctx); err != nil {
			t.Fatal(err)
		}
		k := &memory{}
		start := Start{Sitting: Sitting{Table: at, Remote: &away{people: both, changed: make(chan struct{})}}}
		eve := &screen{t: t, memory: k, Model: New(k.world(), start), msgs: make(chan tea.Msg, 1000)}
		defer eve.Close() //nolint:errcheck // nothing is saved
		eve.run(eve.Init())
		eve.size(80, 24)
		eve.settle()
		eve.shows("ROBO'S TURN", "The game starts with 5 in the hundreds place for Robo", "1 given")
		for _, want := range []string{"Robo made no legal move; 1 try left.", "Robo used every try without a legal move."} {
			if _, err := at.Fault(ctx, match.One, match.Unreadable); err != nil {
				t.Fatal(err)
			}
			eve.settle()
			eve.shows(want)
		}
		eve.shows("CASUAL WINS")
		eve.lacks("1 try left")
	})
}
