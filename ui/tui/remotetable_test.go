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

// A fakeRemote is a RemoteTable whose presence and connection a test sets.
type fakeRemote struct {
	people  match.Presence
	lost    error
	changed chan struct{}
}

func (a *fakeRemote) Presence() (match.Presence, <-chan struct{}) { return a.people, a.changed }
func (a *fakeRemote) Lost() error                                 { return a.lost }

// set changes the presence and the connection.
func (a *fakeRemote) set(people match.Presence, lost error) {
	a.people, a.lost = people, lost
	close(a.changed)
	a.changed = make(chan struct{})
}

// A remoteTable is a table of another program. Ada plays there from a screen, and Ben from
// somewhere else.
type remoteTable struct {
	*match.Table
	remote *fakeRemote
	ada    *screen
}

// both is the presence of both players.
var both = match.Presence{Seats: [2]bool{true, true}}

const remoteLink = "http://localhost:8080/t/abc/seat/xyz"

// atRemoteTable runs a test at a remote table that waits for Ben. Ada plays on the seats, or
// watches.
func atRemoteTable(t *testing.T, seats []match.Seat, test func(*remoteTable)) {
	t.Helper()
	onScreen(t, &memory{}, Start{}, func(s *screen) {
		setup := match.Setup{
			Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}, Open: [2]bool{false, true},
		}
		at, err := match.Open(s.t.Context(), "far", setup, new(match.Memory), s.rng())
		if err != nil {
			s.t.Fatal(err)
		}
		defer at.Close()
		remote := &fakeRemote{people: both, changed: make(chan struct{})}
		k := &memory{}
		start := Start{Sitting: Sitting{Table: at, Mine: seats, Remote: remote, Invite: remoteLink}}
		ada := &screen{
			t: s.t, memory: k, Model: New(k.world(), start), msgs: make(chan tea.Msg, 1000),
		}
		defer ada.Close() //nolint:errcheck // nothing is saved
		ada.run(ada.Init())
		ada.size(80, 24)
		test(&remoteTable{at, remote, ada})
	})
}

// must fails if an action at the table failed, and updates the screen.
func (f *remoteTable) must(_ match.State, err error) {
	f.ada.t.Helper()
	if err != nil {
		f.ada.t.Fatal(err)
	}
	f.ada.settle()
}

// setRemote changes the presence and the connection.
func (f *remoteTable) setRemote(people match.Presence, lost error) {
	f.remote.set(people, lost)
	f.ada.settle()
}

// begins lets Ben sit down and begins the game.
func (f *remoteTable) begins() {
	f.must(f.Sit(f.ada.t.Context(), match.Two, "Ben", ""))
	f.must(f.Begin(f.ada.t.Context()))
}

// plays plays moves for the player to move.
func (f *remoteTable) plays(moves ...string) {
	for _, text := range moves {
		m, err := digit.ParseMove(text)
		if err != nil {
			f.ada.t.Fatal(err)
		}
		f.must(f.Play(f.ada.t.Context(), f.State().Turn(), m, f.State().Seq))
	}
}

// remoteScenes returns the scenes at a remote table.
func remoteScenes() []scene {
	ctx := context.Background()
	ben := match.Two
	return []scene{
		{name: "far-waiting", remote: func(*remoteTable) {}},
		{name: "far-waiting-table", remote: func(*remoteTable) {}, keys: "esc"},
		{name: "far-watching", watches: true, remote: func(f *remoteTable) { f.begins(); f.plays("9a", "8a") }},
		{name: "far-turn", remote: func(f *remoteTable) { f.begins(); f.plays("9a") }},
		{name: "far-commands", remote: func(f *remoteTable) { f.begins(); f.plays("9a", "8a") }, keys: "space"},
		{name: "far-undo", remote: func(f *remoteTable) { f.begins(); f.plays("9a", "8a"); f.must(f.Do(ctx, ben, match.Undo, "")) }},
		{name: "far-undo-asked", remote: func(f *remoteTable) { f.begins(); f.plays("9a") }, keys: "space u"},
		{name: "far-hints", remote: func(f *remoteTable) { f.begins(); f.must(f.Do(ctx, ben, match.AgreeHints, "")) }},
		{name: "far-rematch", remote: func(f *remoteTable) {
			f.begins()
			f.plays("9a", "8a", "2c", "7b", "5b", "6c")
			f.must(f.Do(ctx, ben, match.Rematch, ""))
		}},
		{name: "far-lost", remote: func(f *remoteTable) {
			f.begins()
			f.plays("9a", "8a")
			f.setRemote(both, errors.New("the wire is cut"))
		}},
		{name: "far-rekeyed", remote: func(f *remoteTable) { f.begins(); f.plays("9a", "8a"); f.setRemote(both, match.ErrRekeyed) }},
		{name: "far-absent", remote: func(f *remoteTable) {
			f.begins()
			f.plays("9a")
			f.setRemote(match.Presence{Seats: [2]bool{true, false}}, nil)
		}},
		{name: "far-left", remote: func(f *remoteTable) { f.begins(); f.plays("9a"); f.must(f.Leave(ctx, ben)) }},
		{name: "far-left-commands", remote: func(f *remoteTable) { f.begins(); f.plays("9a"); f.must(f.Leave(ctx, ben)) }, keys: "space"},
		{name: "far-leave", remote: func(f *remoteTable) { f.begins(); f.plays("9a", "8a") }, keys: "esc"},
	}
}

// TestElsewhere plays at a remote table, from the wait for a player to a rematch.
func TestElsewhere(t *testing.T) {
	atRemoteTable(t, []match.Seat{match.One}, func(f *remoteTable) {
		ada, at, must := f.ada, f.Table, f.must
		t, ctx, k := ada.t, ada.t.Context(), ada.memory
		ada.shows("Waiting for a player", remoteLink)
		f.begins()
		ada.shows("YOUR TURN")
		ada.press("space")
		ada.shows("ask for hints")
		ada.lacks("what every move is worth")
		ada.press("h")
		ada.settle()
		ada.shows("You agreed to hints. They start when Ben agrees.")
		if at.State().HintsAllowed() {
			t.Error("hints are on though only one player agreed")
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
		f.setRemote(match.Presence{Seats: [2]bool{true, false}}, nil)
		ada.shows("Ben isn't here now.")
		f.setRemote(both, errors.New("the wire is cut"))
		ada.shows("The connection to the server is lost.")
		f.setRemote(both, nil)
		ada.lacks("The connection to the server is lost.", "Ben isn't here now.")
		ada.press("9", "a")
		must(at.Leave(ctx, match.Two))
		must(at.Return(ctx, match.Two))
		ada.shows("Ben is back.") // and the picked move stays
		ada.press("enter")
		ada.settle()
		if got := len(at.State().Moves); got != 1 {
			t.Errorf("%d moves are played, want 1", got)
		}
		must(at.Leave(ctx, match.Two))
		ada.shows("Ben has left.")
		ada.press("space")
		ada.shows("take the win")
		ada.press("c")
		ada.settle()
		ada.shows("Ben left")
		if got := at.State().Result.String(); got != "1-0 left" {
			t.Errorf("the result is %s, want 1-0 left", got)
		}
		ada.pass(2 * moment) // during which keys are ignored
		must(at.Return(ctx, match.Two))
		must(at.Do(ctx, match.Two, match.Rematch, ""))
		ada.shows("Ben wants a rematch.")
		ada.press("n")
		ada.settle()
		if at.State().Again != [2]bool{} {
			t.Error("the rematch is not declined")
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
			t.Errorf("saved games: %v, want one", k.games)
		}
	})
}

// TestRemoteScore checks that the score of all games is shown after a rematch at a remote table.
func TestRemoteScore(t *testing.T) {
	atRemoteTable(t, []match.Seat{match.One}, func(f *remoteTable) {
		ctx := f.ada.t.Context()
		f.begins()
		for _, loser := range match.Seats {
			f.must(f.Do(ctx, loser, match.Resign, ""))
			for _, seat := range match.Seats {
				if loser == match.One {
					f.must(f.Do(ctx, seat, match.Rematch, ""))
				}
			}
		}
		f.ada.shows("It's 1–1.")
	})
}

// TestLateEvent plays a move while an event that does not affect it is on its way: it is accepted.
func TestLateEvent(t *testing.T) {
	atRemoteTable(t, []match.Seat{match.One}, func(f *remoteTable) {
		f.begins()
		f.ada.press("9")
		if _, err := f.Do(f.ada.t.Context(), match.Two, match.AgreeHints, ""); err != nil {
			t.Fatal(err)
		}
		f.ada.press("a")
		if moves := f.State().Moves; len(moves) != 1 {
			t.Errorf("the moves are %v, want one\n%s", moves, f.ada.text())
		}
	})
}

// TestPickedStays checks that a picked digit stays picked while the opponent asks to take back a
// move, and that the question can still be answered.
func TestPickedStays(t *testing.T) {
	for keys, moves := range map[string]int{"b": 3, "y": 1, "n b": 3} {
		atRemoteTable(t, []match.Seat{match.One}, func(f *remoteTable) {
			f.begins()
			f.plays("9a", "8a")
			f.ada.press("7")
			f.must(f.Do(f.ada.t.Context(), match.Two, match.Undo, ""))
			f.ada.shows("y allows it")
			f.ada.press(strings.Fields(keys)...)
			if got := f.State().Moves; len(got) != moves {
				f.ada.t.Errorf("after %q the moves are %v, want %d\n%s", keys, got, moves, f.ada.text())
			}
		})
	}
}

// TestRefusedAct asks to take back a move once too often: the screen shows the reason.
func TestRefusedAct(t *testing.T) {
	atRemoteTable(t, []match.Seat{match.One}, func(f *remoteTable) {
		f.begins()
		f.plays("9a", "8a")
		for range match.MostAsked {
			f.must(f.Do(f.ada.t.Context(), match.One, match.Undo, ""))
			f.must(f.Do(f.ada.t.Context(), match.One, match.WithdrawUndo, ""))
		}
		f.ada.press("space", "u")
		f.ada.shows("You have asked for too much in this series")
	})
}

// TestHintsInTurn checks that a remote table where both agreed to hints gives none in the
// opponent's turn, not even for earlier positions.
func TestHintsInTurn(t *testing.T) {
	atRemoteTable(t, []match.Seat{match.One}, func(f *remoteTable) {
		f.begins()
		for _, seat := range match.Seats {
			f.must(f.Do(f.ada.t.Context(), seat, match.AgreeHints, ""))
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
		f.plays("7b") // it is Ben's turn, but the game ends
		f.must(f.Do(f.ada.t.Context(), match.Two, match.Resign, ""))
		f.ada.pass(2 * moment)
		f.ada.press("<", "space", "h")
		f.ada.shows("Hint: ")
	})
}

// TestHintsDeclined declines hints: the question returns only if the opponent asks again.
func TestHintsDeclined(t *testing.T) {
	const asks = "y agrees, n does not."
	atRemoteTable(t, []match.Seat{match.One}, func(f *remoteTable) {
		ctx := f.ada.t.Context()
		f.begins()
		for range 2 {
			f.must(f.Do(ctx, match.Two, match.AgreeHints, ""))
			f.ada.shows(asks)
			f.ada.press("n")
			f.ada.lacks(asks)
			f.plays("9a", "8a")
			f.ada.lacks(asks)
			f.must(f.Do(ctx, match.Two, match.EndHints, ""))
			f.must(f.Do(ctx, match.One, match.Undo, ""))
			f.must(f.Do(ctx, match.Two, match.AgreeUndo, ""))
		}
		if f.State().Hints != [2]bool{} {
			f.ada.t.Errorf("hints are agreed: %v, want none", f.State().Hints)
		}
	})
}

// TestLeaveElsewhere checks that leaving a remote table needs a confirmation only during a game of
// one's own.
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
		atRemoteTable(t, tt.seats, func(f *remoteTable) {
			f.begins()
			f.plays("9a", "8a")
			if tt.ends {
				f.must(f.Do(f.ada.t.Context(), match.Two, match.Resign, ""))
				f.ada.pass(2 * moment)
			}
			f.ada.press("esc")
			asks := strings.Contains(f.ada.text(), "Leave the table?")
			if asks != tt.asks || f.ada.quit == tt.asks {
				f.ada.t.Errorf("%s: asked: %v, left: %v:\n%s",
					tt.name, asks, f.ada.quit, f.ada.text())
			}
		})
	}
}

// TestAnalysisEnds looks at a finished game with analysis, and plays again: the next game has no
// analysis, since the players did not agree to hints.
func TestAnalysisEnds(t *testing.T) {
	atRemoteTable(t, []match.Seat{match.One}, func(f *remoteTable) {
		ctx := f.ada.t.Context()
		f.begins()
		f.plays("9a", "8a")
		f.must(f.Do(ctx, match.Two, match.Resign, ""))
		f.ada.pass(2 * moment)
		f.ada.press(",", "space", "a")
		f.ada.shows("Best play", "loses")
		for _, seat := range match.Seats {
			f.must(f.Do(ctx, seat, match.Rematch, ""))
		}
		f.plays("9a")
		f.ada.shows("YOUR TURN")
		f.ada.lacks("Best play", "loses")
	})
}

// lacks fails if one of some texts is on the screen.
func (s *screen) lacks(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if strings.Contains(s.text(), text) {
			s.t.Errorf("%q is on the screen:\n%s", text, s.text())
		}
	}
}

// TestEngine checks that games against an engine, or between two, are saved when they are over or
// left. The screen says that a game that is left cannot be continued.
func TestEngine(t *testing.T) {
	for _, tt := range []struct {
		name   string
		levels [2]string
		mine   []match.Seat
		keys   []string
		want   string
	}{
		{
			"over", [2]string{"", match.EngineLevel}, []match.Seat{match.One}, []string{"7", "enter"},
			"divisibility 7R 1-0 multiple; first=Ada second=Deep second-level=engine starts=1",
		},
		{
			"left", [2]string{"", match.EngineLevel}, []match.Seat{match.One},
			[]string{"3", "enter", "esc", "y"},
			"divisibility 3R *; first=Ada second=Deep second-level=engine starts=1",
		},
		{
			"watched", [2]string{match.EngineLevel, match.EngineLevel}, nil, nil,
			"divisibility 7R 1-0 multiple; " +
				"first=Ada second=Deep first-level=engine second-level=engine starts=1",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onScreen(t, &memory{}, Start{}, func(s *screen) {
				t, ctx := s.t, s.t.Context()
				setup := match.Setup{
					Rules: digit.Divisibility, Names: [2]string{"Ada", "Deep"}, Levels: tt.levels,
				}
				at, err := match.Open(ctx, "here", setup, new(match.Memory), s.rng())
				if err != nil {
					t.Fatal(err)
				}
				defer at.Close()
				if _, err := at.Begin(ctx); err != nil {
					t.Fatal(err)
				}
				k := &memory{}
				start := Start{Sitting: Sitting{Table: at, Mine: tt.mine}}
				ada := &screen{
					t: t, memory: k, Model: New(k.world(), start), msgs: make(chan tea.Msg, 1000),
				}
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
				var saved []string
				for _, rec := range k.games {
					saved = append(saved, rec.String())
				}
				if got := strings.Join(saved, "\n"); !strings.HasPrefix(got, tt.want) {
					t.Errorf("saved %s\nwant  %s\n%s", got, tt.want, ada.text())
				}
			})
		})
	}
}

// TestWatchProgram watches a program that makes no legal move until it loses.
func TestWatchProgram(t *testing.T) {
	onScreen(t, &memory{}, Start{}, func(s *screen) {
		t, ctx := s.t, s.t.Context()
		setup := match.Setup{
			Rules: digit.Highest, Names: [2]string{"Robo", "Casual"}, Levels: [2]string{"", "casual"},
			Openings: "5a 4a", Agent: match.Agent{Tries: 2},
		}
		at, err := match.Open(ctx, "far", setup, new(match.Memory), s.rng())
		if err != nil {
			t.Fatal(err)
		}
		defer at.Close()
		if _, err := at.Begin(ctx); err != nil {
			t.Fatal(err)
		}
		k := &memory{}
		remote := &fakeRemote{people: both, changed: make(chan struct{})}
		start := Start{Sitting: Sitting{Table: at, Remote: remote}}
		eve := &screen{
			t: t, memory: k, Model: New(k.world(), start), msgs: make(chan tea.Msg, 1000),
		}
		defer eve.Close() //nolint:errcheck // nothing is saved
		eve.run(eve.Init())
		eve.size(80, 24)
		eve.settle()
		eve.shows("ROBO'S TURN", "The game starts with 5 in the hundreds place for Robo", "1 given")
		for _, want := range []string{
			"Robo made no legal move; 1 try left.", "Robo used every try without a legal move.",
		} {
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
