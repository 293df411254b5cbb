package tui

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// swaps is a table of two people at which the first move may be taken over.
func swaps() Start {
	start := people("highest")
	start.Play.Swap = true
	return start
}

// withRandomOpening is a table of two people whose opening is random.
func withRandomOpening() Start {
	start := people("dilemma")
	start.Play.Pair, start.Play.RandomOpening = true, true
	return start
}

// tableOn returns the table on the screen.
func (s *screen) tableOn() *table {
	s.t.Helper()
	t, ok := s.onScreen().(*table)
	if !ok {
		s.t.Fatalf("no table is on the screen:\n%s", s.text())
	}
	return t
}

// TestSwap takes the first move over by its key, its command and the mouse, hands it back, and takes back what was played before and after.
func TestSwap(t *testing.T) {
	onScreen(t, &memory{}, swaps(), func(s *screen) {
		s.press("9", "a")
		s.shows("You may take over 9 in the hundreds place instead of moving.", "y take over")
		for name, take := range map[string]func(){
			"key": func() { s.press("y") }, "command": func() { s.press("space", "y") }, "mouse": func() { s.click("[y:") },
		} {
			take()
			if st := s.tableOn().state; !st.Swapped || st.Turn() != match.One {
				s.t.Fatalf("%s: swapped %v, %v to move", name, st.Swapped, st.Turn())
			}
			s.shows("Ben took over the first move.", "● Ben      9a")
			if s.press("y"); !s.tableOn().state.Swapped { // there is nothing to take over now
				s.t.Fatal("the move was taken over twice")
			}
			s.press("space", "u")
			s.shows("Ben gave the first move back.", "● Ada      9a", "You may take over")
		}
		s.press("y", "1", "c") // Ada moves again
		s.shows("1 Ben      9a", "● Ada      1c")
		s.press("space", "u")
		s.shows("Ada took back 1 in the units place.", "● Ben      9a")
		s.press("space", "u", "space", "u") // what was taken over, and what was played
		s.shows("Ada took back 9 in the hundreds place.")
		s.press("space", "u")
		if st := s.tableOn().state; len(st.Moves) != 0 || st.Swapped {
			s.t.Errorf("%v were not taken back", st.Moves)
		}
	})
}

// TestSwapHinted tells whoever makes the first move that it may be taken over, and the other one whether to: by a hint, and where the analysis is
// shown, which then says of no move that it wins.
func TestSwapHinted(t *testing.T) {
	start := swaps()
	start.Play.Hints = true
	const hide, take = "after each of your 27 moves one of you", "Take over the first move: the player who has it can force a win."
	onScreen(t, &memory{}, start, func(s *screen) {
		s.size(200, 40)
		s.press("space", "h")
		s.shows("Hint: Your first move may be taken over", hide)
		s.lacks("Space h shows more")
		s.press("space", "a")
		s.lacks("in 5 turns", "loses")
		s.press("9", "a")
		s.shows(take)
		s.press("space", "a", "space", "h")
		s.shows("Hint: " + take)
		s.press("8", "space", "h") // also who has picked a digit already
		s.shows("Hint: " + take)
		s.press("backspace", "y", "space", "h")
		s.lacks("may be taken over", take)
	})
	onScreen(t, &memory{}, start, func(s *screen) {
		s.size(200, 40)
		s.press("1", "a", "space", "h") // which loses
		s.shows("Hint: ")
		s.lacks(take)
	})
}

// TestSwapDeclined plays on instead of taking the move over.
func TestSwapDeclined(t *testing.T) {
	onScreen(t, &memory{}, swaps(), func(s *screen) {
		s.press("9", "a", "8", "a")
		if strings.Contains(s.text(), "take over") {
			s.t.Errorf("the second move may be taken over:\n%s", s.text())
		}
		s.press("y")
		if st := s.tableOn().state; st.Swapped || len(st.Moves) != 2 {
			s.t.Errorf("after y: swapped %v, moves %v", st.Swapped, st.Moves)
		}
	})
}

// TestComputerSwaps lets the computer take over what wins, and tells so.
func TestComputerSwaps(t *testing.T) {
	start := swaps()
	start.Play.Opponent, start.Play.Levels[match.Two] = Computer, "perfect"
	k := &memory{}
	onScreen(t, k, start, func(s *screen) {
		s.press("9", "a")
		s.pass(2 * time.Second)
		s.shows("YOUR TURN", "The computer took over 9 in the hundreds place, so it's your")
		s.press("space", "u")
		s.shows("You have no move to take back")
		s.press("space", "x", "y")
	})
	if len(k.games) != 1 || k.games[0].Tag("swap") != "taken" || k.games[0].Tag("starts") != "2" {
		t.Errorf("kept %v", k.games)
	}
}

// TestSwapResumed goes on with a game in which the first move was taken over.
func TestSwapResumed(t *testing.T) {
	k := &memory{}
	onScreen(t, k, swaps(), func(s *screen) { s.press("9", "a", "y", "1", "c", "esc") })
	onScreen(t, k.crashed(), Start{Continue: true}, func(s *screen) {
		s.shows("1 Ben      9a", "● Ada      1c", "BEN'S TURN")
	})
}

// TestRandomOpening begins both games of a pair with the same moves, which nobody can take back and nobody is blamed for.
func TestRandomOpening(t *testing.T) {
	k, start := &memory{}, withRandomOpening()
	start.Play.Swap = true // which has no effect where the first move is drawn
	onScreen(t, k, start, func(s *screen) {
		s.shows("The game starts with ", "1 given", "game 1 of 2")
		opening := s.tableOn().state.Moves
		if setup := s.tableOn().state.Setup; setup.Swap || setup.CheckEffect() != nil {
			s.t.Errorf("the table is %+v: %v", setup, setup.CheckEffect())
		}
		s.press("space", "u")
		s.shows("You have no move to take back")
		s.press("space", "x", "y")
		s.pass(time.Second)
		s.press("enter")
		if st := s.tableOn().state; len(opening) != 2 || movesText(st.Moves) != movesText(opening) || st.Opener() != match.Two || st.Given != 2 {
			s.t.Errorf("the first game began with %v, the second with %+v", opening, st)
		}
		s.press("space", "x", "y")
		s.pass(time.Second)
		s.shows("The two games are drawn, 1–1.")
		s.press("enter") // again, with another opening
		if st := s.tableOn().state; st.Given != 2 || st.Game != 1 || movesText(st.Moves) == movesText(opening) {
			s.t.Errorf("again: %+v after %v", st, opening)
		}
	})
	if len(k.games) != 2 || k.games[1].Tag("pair") != "2" || k.games[1].Given() != 2 {
		t.Errorf("kept %v", k.games)
	}
}

// TestLotSlow draws beside the screen, and opens the table once the game is solved, unless the user
// has gone to another page.
func TestLotSlow(t *testing.T) {
	var solved atomic.Bool
	slow := func(ctx context.Context, r digit.Rules, progress func(done, total int64)) (*solve.Solution, error) {
		for !solved.Load() {
			time.Sleep(time.Second) // in a bubble
		}
		return solveOnce(ctx, r, progress)
	}
	for _, page := range []string{"", "?"} {
		solved.Store(false)
		onScreen(t, &memory{solve: slow}, withRandomOpening(), func(s *screen) {
			s.shows("opening the table")
			s.follow(page)
			solved.Store(true)
			s.pass(2 * time.Second)
			if page == "" {
				s.shows("The game starts with ")
			} else {
				s.shows("one key map for every game")
			}
		})
	}
}

// TestNoRandomOpening shows why no opening is drawn.
func TestNoRandomOpening(t *testing.T) {
	onScreen(t, &memory{solve: refuses}, withRandomOpening(), func(s *screen) {
		s.shows("games of numbers", "no opening: the game is too large to solve")
	})
	none := withRandomOpening()
	none.Play.Book, none.Play.Rules = "divisibility", map[string]digit.Rules{"divisibility": rulesOf(t, "divisibility pool=1-2")}
	onScreen(t, &memory{}, none, func(s *screen) { s.shows("no opening: no short ones are even together") })
}

// TestFairStartRemembered holds that the way to play is chosen the next time too, and what is set up by it.
func TestFairStartRemembered(t *testing.T) {
	k := &memory{}
	onScreen(t, k, Start{}, func(s *screen) {
		s.press("1", "down", "down", "down")
		s.shows("Play two games and start one each.")
		s.press("right")
		s.shows("‹ two games ›", "each of you starts one. 1–1 is a draw")
		s.press("up", "up", "up", "up", "enter", "up", "right")
		s.shows("may be taken over", "Swap: the second player may take over the first move.")
		s.press("enter")
		s.shows("1 change")
		s.press("up", "enter")
		if setup := s.tableOn().state.Setup; !setup.Pair || !setup.Swap || setup.CheckEffect() != nil {
			s.t.Errorf("it is set up as %+v", setup)
		}
		s.press("esc")
	})
	onScreen(t, k, Start{}, func(s *screen) {
		s.press("1")
		s.shows("two games", "1 change")
	})
	for _, setup := range []match.Setup{{Rules: digit.Dilemma, Terms: match.Terms{Pair: true}}, {Rules: digit.Dilemma, Terms: match.Terms{Swap: true}}, {Rules: digit.Dilemma, Terms: match.Terms{BestOf: 3}}} {
		if got := SettingsOf(setup).mended().setup(); got.Pair != setup.Pair || got.Swap != setup.Swap || got.BestOf != setup.BestOf {
			t.Errorf("settings of %+v set up %+v", setup, got)
		}
	}
	if w := (Settings{RandomOpening: true, Terms: match.Terms{Swap: true, BestOf: 3}}).mended(); !w.Pair || w.BestOf != 0 || w.setup().CheckEffect() != nil {
		t.Errorf("a lot is mended to %+v", w)
	}
}
