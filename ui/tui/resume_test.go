package tui

import (
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
)

// openTable returns the open table, which another page may cover.
func (s *screen) openTable() *table {
	s.t.Helper()
	for _, l := range s.layers {
		if t, ok := l.page.(*table); ok {
			return t
		}
	}
	s.t.Fatalf("no table is on the screen:\n%s", s.text())
	return nil
}

// continueGame resumes the game that was left last.
func (s *screen) continueGame() *table {
	s.t.Helper()
	u, ok := s.unfinished()
	if !ok {
		s.t.Fatal("there is no unfinished game")
	}
	s.send(act(func(m *Model) { m.resume(u) }))
	s.settle()
	return s.openTable()
}

// withoutClock returns the parts of a state that do not change when a table is resumed.
func withoutClock(s match.State) match.State {
	s.TurnBegan, s.Stood, s.Began = time.Time{}, 0, s.Began.Round(0)
	return s
}

// TestCrash kills the program after each move of a series against a computer, and resumes the
// table: its state is the same.
func TestCrash(t *testing.T) {
	settings := Defaults()
	settings.Book, settings.BestOf = "highest", 3
	settings.TurnTime, settings.Hints = time.Minute, true
	var states []match.State
	var worlds []*memory
	k := &memory{}
	onScreen(t, k, Start{Play: &settings}, func(s *screen) {
		for range 20 {
			s.press("enter", "enter", "enter")
			s.pass(time.Second)
			at := s.openTable()
			if len(at.state.Moves) > 0 {
				states, worlds = append(states, withoutClock(at.state)), append(worlds, k.crashed())
			}
			if at.state.Result.Over() {
				if at.state.Game == 2 {
					break
				}
				s.press("n")
			}
		}
	})
	if len(states) < 6 || states[len(states)-1].Game != 2 {
		t.Fatalf("%d states, the last of game %d", len(states), states[len(states)-1].Game)
	}
	for i, want := range states {
		if want.SeriesOver() {
			continue
		}
		onScreen(t, worlds[i], Start{}, func(s *screen) {
			s.pass(5 * time.Minute)
			at := s.continueGame()
			if got := withoutClock(at.state); !reflect.DeepEqual(got, want) {
				s.t.Errorf("after event %d: got\n%+v\nwant\n%+v", want.Seq, got, want)
			}
			if at.state.Levels[match.Two] != "casual" || !at.state.Setup.Hints {
				s.t.Errorf("the opponent is %q, hints %v",
					at.state.Levels[match.Two], at.state.Setup.Hints)
			}
			s.pass(3 * time.Second)
			if at.state.Playing() && at.state.Turn() == match.Two {
				s.t.Errorf("the computer does not move after the restart")
			}
		})
	}
}

// TestComputersTurn leaves a game in the turn of the computer, which moves when it is resumed.
func TestComputersTurn(t *testing.T) {
	k, settings := &memory{}, Defaults()
	onScreen(t, k, Start{Play: &settings}, func(s *screen) {
		s.press("7", "a")
		s.played(1)
	})
	onScreen(t, k, Start{Continue: true}, func(s *screen) {
		s.played(1)
		s.pass(3 * time.Second)
		s.played(2)
	})
}

// TestLeft leaves a timed game, after reading the help: the clock stands while the table is left or
// hidden, and keeps the time used before.
func TestLeft(t *testing.T) {
	settings := *people("dilemma").Play
	settings.TurnTime = 30 * time.Second
	k := &memory{}
	onScreen(t, k, Start{Play: &settings}, func(s *screen) {
		s.press("7", "a")
		s.pass(10 * time.Second)
		s.press("?")
		s.pass(10 * settings.TurnTime)
	})
	onScreen(t, k, Start{}, func(s *screen) {
		s.pass(10 * settings.TurnTime)
		at := s.continueGame()
		s.shows("0:20")
		s.pass(19 * time.Second)
		if at.state.Result.Over() {
			s.t.Error("the time ran out too early")
		}
		s.pass(2 * time.Second)
		if !at.state.Result.Over() {
			s.t.Error("the time did not run out")
		}
		if len(k.tables) != 0 || len(k.games) == 0 || !k.games[len(k.games)-1].Result.Over() {
			s.t.Errorf("after the game: %d tables, games %v", len(k.tables), k.games)
		}
		s.press("esc") // to the menu
		if u, ok := s.unfinished(); ok {
			s.t.Errorf("the finished game %v is offered", u)
		}
	})
}

// TestNothingToKeep checks that a table without a move is not saved.
func TestNothingToKeep(t *testing.T) {
	k := &memory{}
	onScreen(t, k, people("dilemma"), func(s *screen) {
		s.press("7")
		if len(k.tables) != 0 {
			s.t.Errorf("a table without a move is saved")
		}
	})
	if list, err := k.left(); len(list) != 0 || err != nil {
		t.Errorf("saved tables: %v, %v", list, err)
	}
}

// TestNoGame checks that a game without a move is not saved when its table is left.
func TestNoGame(t *testing.T) {
	k := &memory{}
	onScreen(t, k, people("dilemma"), func(s *screen) {
		if s.press("esc"); len(k.games) > 0 {
			s.t.Errorf("saved games: %v", k.games)
		}
	})
}

// TestLastSettings checks that settings that are not saved yet are saved when the model is closed.
func TestLastSettings(t *testing.T) {
	k := &memory{}
	m := New(k.world(), Start{})
	m.settings.Motion = false
	if err := m.Close(); err != nil || !strings.Contains(string(k.settings), `"motion": false`) {
		t.Errorf("%v; saved settings: %s", err, k.settings)
	}
}

// TestFullDisk continues a game while the disk is full. Once there is room, all events are saved.
func TestFullDisk(t *testing.T) {
	k := &memory{}
	onScreen(t, k, people("dilemma"), func(s *screen) {
		s.press("7", "a")
		var kept *savedTable
		for _, only := range k.tables {
			kept = only
		}
		kept.full = &fs.PathError{Op: "write", Path: "/a/long/way", Err: syscall.ENOSPC}
		s.press("3", "b")
		s.shows("this game is not saved: no space left on device")
		if n := len(s.openTable().state.Moves); n != 2 || len(kept.events) != 3 {
			s.t.Errorf("%d moves, want 2; %d saved events, want 3", n, len(kept.events))
		}
		kept.full = nil
		s.press("1", "b")
		if strings.Contains(s.text(), "no space") || len(kept.events) != 5 {
			s.t.Errorf("%d events are saved, want 5:\n%s", len(kept.events), s.text())
		}
	})
}

// TestBusyTable checks that a table that another program has open can be neither resumed nor
// deleted.
func TestBusyTable(t *testing.T) {
	k := &memory{}
	onScreen(t, k, people("dilemma"), func(s *screen) { s.press("7", "a") })
	onScreen(t, k, Start{}, func(s *screen) {
		u, _ := s.unfinished()
		k.tables[u.ID].busy = true
		s.send(act(func(m *Model) { m.resume(u) }))
		s.settle()
		s.shows("this game cannot be continued: it is open in another window")
		isTable := func(l layer) bool { _, ok := l.page.(*table); return ok }
		if slices.ContainsFunc(s.layers, isTable) {
			s.t.Error("the table is open twice")
		}
	})
	onScreen(t, k, Start{}, func(s *screen) {
		s.press("esc") // to the menu
		if u, ok := s.unfinished(); ok {
			s.t.Errorf("the open table %v is offered", u.ID)
		}
		s.send(act((*Model).openSaved))
		s.settle()
		s.press("d")
		s.shows("it is open in another window")
		s.press("y")
	})
	if len(k.tables) != 1 {
		t.Error("the open table was deleted")
	}
}

// TestWatchedIsNotOurs checks that the menu does not offer to continue a game of two computers.
func TestWatchedIsNotOurs(t *testing.T) {
	for opponent, offered := range map[Opponent]bool{Watch: false, Computer: true} {
		k := &memory{}
		c := Defaults()
		c.Opponent = opponent
		onScreen(t, k, Start{Play: &c}, func(s *screen) {
			if opponent == Computer {
				s.press("7", "a")
			}
			s.pass(time.Second)
		})
		onScreen(t, k, Start{}, func(s *screen) {
			got := strings.Contains(s.text(), "Continue your game")
			if len(k.tables) != 1 || got != offered {
				s.t.Errorf("%s: %d tables, offered: %v, want 1 and %v",
					opponent, len(k.tables), got, offered)
			}
		})
	}
}

// TestManyTables checks that the menu is shown before the tables that were left are read. Then the
// last one is selected, unless the user has moved the selection.
func TestManyTables(t *testing.T) {
	k := &memory{}
	onScreen(t, k, people("highest"), func(s *screen) { s.press("9", "a") })
	for _, keys := range []string{"", "down"} {
		synctest.Test(t, func(t *testing.T) {
			read := make(chan struct{})
			world := k.crashed().world()
			tables := world.Tables
			world.Tables = func() ([]Unfinished, error) { <-read; return tables() }
			s := &screen{
				t: t, memory: k, Model: New(world, Start{}), msgs: make(chan tea.Msg, 1000),
			}
			defer s.Close() //nolint:errcheck // nothing is saved
			s.run(s.Init())
			s.size(80, 24)
			s.shows("Digit Dilemma")
			s.lacks("Continue the game of Ada and Ben")
			s.follow(keys)
			close(read)
			s.settle()
			s.shows("Continue the game of Ada and Ben")
			if at := s.top().(*menu).at; (at == "c") != (keys == "") {
				t.Errorf("after keys %q the item %s is selected", keys, at)
			}
			s.pass(time.Minute)
		})
	}
}

// TestSwitchesAreKept checks that a game is resumed with its view, before and after a restart.
func TestSwitchesAreKept(t *testing.T) {
	k := &memory{}
	kept := func(s *screen) {
		tb := s.top().(*table)
		if !tb.needs || !tb.analysis || !tb.flip {
			s.t.Errorf("needs %v, analysis %v, flip %v", tb.needs, tb.analysis, tb.flip)
		}
	}
	onScreen(t, k, Start{}, func(s *screen) {
		s.follow("1 enter 7 a 2s space n space a space f esc c")
		kept(s)
		s.press("esc")
	})
	onScreen(t, k, Start{Continue: true}, kept)
	k = &memory{}
	onScreen(t, k, people("highest"), func(s *screen) { s.follow("9 a space a esc") })
	onScreen(t, k, Start{Continue: true}, func(s *screen) {
		if tb := s.openTable(); tb.needs || !tb.analysis || tb.flip {
			s.t.Errorf("needs %v, analysis %v, flip %v", tb.needs, tb.analysis, tb.flip)
		}
	})
}

// TestRematchScore checks that the score of all games is shown after a rematch.
func TestRematchScore(t *testing.T) {
	onScreen(t, &memory{}, people("dilemma"), func(s *screen) {
		s.follow("7 a space x y 1s")
		s.lacks("leads")
		s.press("enter")
		s.shows("Ada leads 1–0")
		s.follow("7 a space x y 1s")
		s.shows("It's 1–1.")
	})
}

// TestOnce checks that leaving the page ends a program that was started for a review or a puzzle.
func TestOnce(t *testing.T) {
	solution, err := solveOnce(t.Context(), digit.Dilemma, nil)
	if err != nil {
		t.Fatal(err)
	}
	z, err := coach.Random(t.Context(), solution, func(int) int { return 0 }, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, start := range map[string]Start{
		"review": {Games: []digit.Record{record(t, "dilemma")}},
		"puzzle": {Puzzle: &Puzzle{Puzzle: z}, Solution: solution},
	} {
		onScreen(t, &memory{}, start, func(s *screen) {
			s.press("?", "esc")
			if s.quit {
				s.t.Errorf("%s: leaving the help page ended the program", name)
			}
			for range len(s.layers) - 1 {
				s.press("esc")
			}
			if !s.quit {
				s.t.Errorf("%s: Esc does not end the program:\n%s", name, s.text())
			}
		})
	}
}
