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

// swaps returns a start at a table of two people where the first move may be taken over.
func swaps() Start {
	start := people("highest")
	start.Play.Swap = true
	return start
}

// withRandomOpening returns a start at a table of two people with a random opening.
func withRandomOpening() Start {
	start := people("dilemma")
	start.Play.Pair, start.Play.RandomOpening = true, true
	return start
}

// currentTable returns the table on the screen.
func (s *screen) currentTable() *table {
	s.t.Helper()
	t, ok := s.onScreen().(*table)
	if !ok {
		s.t.Fatalf("no table is on the screen:\n%s", s.text())
	}
	return t
}

// TestSwap takes over the first move by key, command and mouse. Undo takes back the swap, and the
// moves before and after it.
func TestSwap(t *testing.T) {
	onScreen(t, &memory{}, swaps(), func(s *screen) {
		s.press("9", "a")
		s.shows("You may take over 9 in the hundreds place instead of moving.", "y take over")
		for name, take := range map[string]func(){
			"key":     func() { s.press("y") },
			"command": func() { s.press("space", "y") },
			"mouse":   func() { s.click("[y:") },
		} {
			take()
			if st := s.currentTable().state; !st.Swapped || st.Turn() != match.One {
				s.t.Fatalf("%s: swapped %v, %v to move", name, st.Swapped, st.Turn())
			}
			s.shows("Ben took over the first move.", "● Ben      9a")
			if s.press("y"); !s.currentTable().state.Swapped { // a second y does nothing
				s.t.Fatal("a second y takes over the move again")
			}
			s.press("space", "u")
			s.shows("Ben gave the first move back.", "● Ada      9a", "You may take over")
		}
		s.press("y", "1", "c") // Ada moves again
		s.shows("1 Ben      9a", "● Ada      1c")
		s.press("space", "u")
		s.shows("Ada took back 1 in the units place.", "● Ben      9a")
		s.press("space", "u", "space", "u") // the swap, and the first move
		s.shows("Ada took back 9 in the hundreds place.")
		s.press("space", "u")
		if st := s.currentTable().state; len(st.Moves) != 0 || st.Swapped {
			s.t.Errorf("the moves %v, or the swap, are not taken back", st.Moves)
		}
	})
}

// TestSwapHinted checks hint and analysis of the first move: its player learns that it may be taken
// over, and the opponent whether to do that. The analysis does not value the first moves.
func TestSwapHinted(t *testing.T) {
	start := swaps()
	start.Play.Hints = true
	const hide = "after each of your 27 moves one of you"
	const take = "Take over the first move: the player who has it can force a win."
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
		s.press("8", "space", "h") // also with a picked digit
		s.shows("Hint: " + take)
		s.press("backspace", "y", "space", "h")
		s.lacks("may be taken over", take)
	})
	onScreen(t, &memory{}, start, func(s *screen) {
		s.size(200, 40)
		s.press("1", "a", "space", "h") // a losing first move
		s.shows("Hint: ")
		s.lacks(take)
	})
}

// TestSwapDeclined plays a second move instead of taking over the first.
func TestSwapDeclined(t *testing.T) {
	onScreen(t, &memory{}, swaps(), func(s *screen) {
		s.press("9", "a", "8", "a")
		if strings.Contains(s.text(), "take over") {
			s.t.Errorf("the screen still offers to take over a move:\n%s", s.text())
		}
		s.press("y")
		if st := s.currentTable().state; st.Swapped || len(st.Moves) != 2 {
			s.t.Errorf("after y: swapped %v, moves %v", st.Swapped, st.Moves)
		}
	})
}

// TestComputerSwaps checks that the computer takes over a winning first move, with a message.
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
		t.Errorf("saved %v", k.games)
	}
}

// TestSwapResumed resumes a game after a swap.
func TestSwapResumed(t *testing.T) {
	k := &memory{}
	onScreen(t, k, swaps(), func(s *screen) { s.press("9", "a", "y", "1", "c", "esc") })
	onScreen(t, k.crashed(), Start{Continue: true}, func(s *screen) {
		s.shows("1 Ben      9a", "● Ada      1c", "BEN'S TURN")
	})
}

// TestRandomOpening checks that both games of a pair have the same random opening, which cannot be
// taken back, and that the next pair has another.
func TestRandomOpening(t *testing.T) {
	k, start := &memory{}, withRandomOpening()
	start.Play.Swap = true // which has no effect with a random opening
	onScreen(t, k, start, func(s *screen) {
		s.shows("The game starts with ", "1 given", "game 1 of 2")
		opening := s.currentTable().state.Moves
		if setup := s.currentTable().state.Setup; setup.Swap || setup.CheckEffect() != nil {
			s.t.Errorf("the table is %+v: %v", setup, setup.CheckEffect())
		}
		s.press("space", "u")
		s.shows("You have no move to take back")
		s.press("space", "x", "y")
		s.pass(time.Second)
		s.press("enter")
		st := s.currentTable().state
		if len(opening) != 2 || movesText(st.Moves) != movesText(opening) ||
			st.Opener() != match.Two || st.Given != 2 {
			s.t.Errorf("the first game began with %v, the second with %+v", opening, st)
		}
		s.press("space", "x", "y")
		s.pass(time.Second)
		s.shows("The two games are drawn, 1–1.")
		s.press("enter") // again, with another opening
		st = s.currentTable().state
		if st.Given != 2 || st.Game != 1 || movesText(st.Moves) == movesText(opening) {
			s.t.Errorf("the next pair begins with %+v, the first began with %v", st, opening)
		}
	})
	if len(k.games) != 2 || k.games[1].Tag("pair") != "2" || k.games[1].Given() != 2 {
		t.Errorf("saved %v", k.games)
	}
}

// TestRandomOpeningSlow checks that the screen works while the game is solved for a random opening.
// After that the table opens, unless the user is on another page.
func TestRandomOpeningSlow(t *testing.T) {
	var solved atomic.Bool
	slow := func(
		ctx context.Context, r digit.Rules, progress func(done, total int64),
	) (*solve.Solution, error) {
		for !solved.Load() {
			time.Sleep(time.Second) // in the bubble, where it takes no time
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

// TestNoRandomOpening checks the messages for games without a random opening.
func TestNoRandomOpening(t *testing.T) {
	onScreen(t, &memory{solve: refuses}, withRandomOpening(), func(s *screen) {
		s.shows("games of numbers", "no opening: the game is too large to solve")
	})
	none := withRandomOpening()
	none.Play.Book = "divisibility"
	none.Play.Rules = map[string]digit.Rules{"divisibility": rulesOf(t, "divisibility pool=1-2")}
	onScreen(t, &memory{}, none, func(s *screen) {
		s.shows("no opening: no short ones are even together")
	})
}

// TestFairStartRemembered checks that a pair of games and the swap rule are set up, and chosen
// again the next time.
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
		setup := s.currentTable().state.Setup
		if !setup.Pair || !setup.Swap || setup.CheckEffect() != nil {
			s.t.Errorf("the setup is %+v", setup)
		}
		s.press("esc")
	})
	onScreen(t, k, Start{}, func(s *screen) {
		s.press("1")
		s.shows("two games", "1 change")
	})
	for _, terms := range []match.Terms{{Pair: true}, {Swap: true}, {BestOf: 3}} {
		setup := match.Setup{Rules: digit.Dilemma, Terms: terms}
		got := SettingsOf(setup).mended().setup()
		if got.Pair != setup.Pair || got.Swap != setup.Swap || got.BestOf != setup.BestOf {
			t.Errorf("the settings of %+v set up %+v", setup, got)
		}
	}
	opening := match.Setup{
		Rules: digit.Dilemma, First: match.Two, Openings: "7a", Terms: match.Terms{Pair: true},
	}
	if got := SettingsOf(opening); !got.RandomOpening || got.First != PlayerTwo {
		t.Errorf("the settings of %+v are %+v", opening, got)
	}
	w := Settings{RandomOpening: true, Terms: match.Terms{Swap: true, BestOf: 3}}.mended()
	if !w.Pair || w.BestOf != 0 || w.setup().CheckEffect() != nil {
		t.Errorf("settings with a random opening are corrected to %+v", w)
	}
}
