package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/match"
)

// fullHand is the keys up to the page that asks for a call, with 1, 2 and 7 in the hand.
const fullHand = "7 enter 5 enter 1 enter 8 enter 2"

// TestCall types calls. Enter does nothing before the number is complete, a message explains a
// digit that is not in the hand, and n plays without a call.
func TestCall(t *testing.T) {
	for _, tt := range []struct {
		keys, shows string
		moves       int // the number of moves after the keys
	}{
		{"enter enter enter", "Your call  _ _ _", 4},
		{"7 2 enter enter", "Your call  7 2 _", 4},
		{"9", "✗ 9 isn't in your hand. Use 1, 2 and 7, each once.", 4},
		{"7 7", "✗ You have only one 7. Use 1, 2 and 7, each once.", 4},
		{"7 2 1", "Enter calls 721. A wrong call loses at once.", 4},
		{"7 2 1 backspace", "Your call  7 2 _", 4},
		{"7 2 1 enter", "ADA WINS", 5},
		{"1 2 7 enter", "Ada called 127, but 127 = 7 × 18 + 1: one left", 5},
		{"7 n", "BEN'S TURN", 5},
		{"x", "✗ x does nothing here", 4},
		{"esc", "ADA'S TURN", 4},
	} {
		scene{start: people("sevens"), keys: fullHand + " " + tt.keys}.play(t, func(s *screen) {
			s.shows(tt.shows)
			if tb := s.Model.onScreen().(*table); len(tb.state.Moves) != tt.moves {
				t.Errorf("%q: %d moves, want %d", tt.keys, len(tb.state.Moves), tt.moves)
			}
		})
	}
	needs := "space n " + fullHand
	scene{start: people("sevens"), keys: needs + " 7 2 1"}.play(t, func(s *screen) {
		s.shows("721 = 7 × 103 ✓ Enter calls it and wins.")
	})
	scene{start: people("sevens"), keys: needs + " 2 7 1"}.play(t, func(s *screen) {
		s.shows("271 = 7 × 38 + 5: no multiple. Calling it loses.")
	})
	none := "space n 1 enter 5 enter 2 enter 8 enter 4 n" // 1, 2 and 4 make no multiple
	scene{start: people("sevens"), keys: none}.play(t, func(s *screen) { s.shows("BEN'S TURN") })
}

// TestOneKeyMap checks that letters and digits belong to the board, commands follow Space, and
// other keys do nothing.
func TestOneKeyMap(t *testing.T) {
	onScreen(t, &memory{}, people("divisibility"), func(s *screen) {
		tb := s.top().(*table)
		s.press("h", "a", "r", "f", "u", "x", "q", "v", "n", "w", "s", "g")
		if s.top() != page(tb) || tb.analysis || tb.needs || tb.flip || tb.stage() != pick {
			s.t.Errorf("a letter does something at a table:\n%s", s.text())
		}
		for key, answer := range map[string]string{
			"h": "Hint: press Space, then h", "u": "Take back: press Space, then u",
			"z": "z does nothing here; ? shows the keys",
		} {
			s.press(key)
			s.shows(answer)
		}
		s.press("f1")
		s.shows("one key map for every game")
		s.press("f1", "space", "z")
		s.shows("Z is not a command here.")
		s.press("space")
		if s.top() != page(tb) {
			s.t.Error("Space does not close the commands")
		}
		s.press("4", "enter", "3", "enter", "8", "R") // a capital letter works too
		if got := s.text(); tb.state.Position == (digit.Position{}) || !strings.Contains(got, "8R") {
			s.t.Errorf("R is not the right end:\n%s", got)
		}
		s.press(",")
		s.shows("LOOKING BACK", "Move 2 of 3.")
		s.press("<")
		s.shows("Before the first move.")
		s.press(".")
		s.shows("Move 1 of 3.")
		s.press(">")
		s.shows("BEN'S TURN")
	})
}

// TestAltIsEscape checks that Alt with a key counts as Escape and then the key: multiplexers join
// the two.
func TestAltIsEscape(t *testing.T) {
	onScreen(t, &memory{}, people("dilemma"), func(s *screen) {
		tb := s.top().(*table)
		s.press("7", "alt+3") // puts the 7 back and picks the 3
		if tb.stage() != place || tb.picker.digit != 3 {
			s.t.Errorf("Alt-3 is not Escape, 3:\n%s", s.text())
		}
		s.send(tea.KeyPressMsg{Code: tea.KeyBackspace, Mod: tea.ModAlt})
		if tb.stage() != pick {
			s.t.Errorf("Alt-Backspace is not Escape, Backspace:\n%s", s.text())
		}
	})
}

// TestTooSmall makes the window too small: a message is shown, and keys do nothing until it is
// large enough again.
func TestTooSmall(t *testing.T) {
	onScreen(t, &memory{}, people("dilemma"), func(s *screen) {
		s.press("7")
		s.size(50, 16)
		s.shows("This window is 50×16; 54×18 is enough.", "Esc quit")
		s.press("a", "enter") // without effect
		s.size(54, 18)
		if tb := s.top().(*table); tb.stage() != place || len(tb.state.Moves) > 0 {
			s.t.Errorf("keys count in a window that is too small:\n%s", s.text())
		}
	})
}

// TestClockStops checks that the clock of a local table stops while a page hides it, and is shown
// on that page. A drawer does not stop it.
func TestClockStops(t *testing.T) {
	c := *people("highest").Play
	c.TurnTime = 30 * time.Second
	onScreen(t, &memory{}, Start{Play: &c}, func(s *screen) {
		tb := s.top().(*table)
		s.pass(5 * time.Second)
		s.shows("0:25")
		s.press("?")
		s.shows("clock stopped, 0:25")
		s.pass(time.Minute)
		s.shows("clock stopped, 0:25")
		s.press("esc")
		s.shows("0:25")
		if !tb.state.Playing() {
			s.t.Fatal("time ran out while the help was open")
		}
		s.press("space")
		s.pass(5 * time.Second)
		s.shows("0:20")
		s.press("r")
		s.pass(10 * c.TurnTime)
		s.press("esc")
		s.pass(19 * time.Second)
		if !tb.state.Playing() {
			s.t.Fatal("time ran out while the rules were open")
		}
		s.pass(2 * time.Second)
		s.shows("BEN WINS")
	})
}

// TestEnd checks that keys are ignored for a moment after the end of a game, and that the screen
// shows the turning point and the next keys.
func TestEnd(t *testing.T) {
	rec := record(t, "dilemma")
	onScreen(t, &memory{}, people("dilemma"), func(s *screen) {
		s.press(strings.Fields(keysOf(digit.Dilemma, rec.Moves))...)
		s.press("enter", "v")
		s.shows("BEN WINS", "✓ wins", "532 = 7 × 76", "Ada's third move decided it.",
			"Enter play again", "v review", "t try it again")
		if strings.Contains(s.text(), "hint") {
			s.t.Errorf("a hint is offered after the end:\n%s", s.text())
		}
		s.pass(time.Second)
		s.press("space")
		s.lacks("hint", "analysis", "needs")
		s.press("esc", ",")
		s.shows("▶ Ben") // whose turn it was
		s.press("space")
		s.shows("hint", "analysis", "needs")
		s.press("esc", ".", "t")
		s.shows("Move 5 again")
		s.press("esc", "enter")
		s.played(0)
	})
}

// TestEscapeAtOnce checks that a single Escape byte is reported at once, and that sequences are not
// changed.
func TestEscapeAtOnce(t *testing.T) {
	for read, want := range map[string]string{
		"": "", "7": "7", "\x1b": "\x1b[27u", "7\x1b": "7\x1b[27u", "\x1b[A": "\x1b[A",
		"\x1b?": "\x1b?", "\x1b\x1b": "\x1b\x1b[27u",
	} {
		p := make([]byte, 16)
		n := copy(p, read)
		if got := string(p[:wholeEscape(p, n)]); got != want {
			t.Errorf("%q is read as %q, want %q", read, got, want)
		}
	}
	if got := wholeEscape([]byte{0x1b}, 1); got != 1 {
		t.Errorf("in a full buffer %d bytes are read, want 1", got)
	}
}

// TestChanceWhileLookingBack lets time run out while the screen shows an earlier position.
func TestChanceWhileLookingBack(t *testing.T) {
	c := *people("highest").Play
	c.TurnTime, c.OnTimeout = 10*time.Second, match.Random
	scene{start: Start{Play: &c}, keys: "9 a < 11s >"}.play(t, func(s *screen) {
		s.played(2)
		s.shows("Ben's time ran out, so a random digit was played: ")
	})
}

// TestFooterTellsTheMove checks that the smallest window always shows the keys of the next step.
func TestFooterTellsTheMove(t *testing.T) {
	onScreen(t, &memory{}, people("highest"), func(s *screen) {
		s.size(MinWidth, MinHeight)
		for _, step := range []struct{ key, shows string }{
			{"", "1-9 digit"}, {"9", "Enter play 9 hundreds  Space commands"}, {"a", "1-9 digit"},
		} {
			if step.key != "" {
				s.press(step.key)
			}
			s.shows(step.shows)
		}
	})
}

// TestCallRefused calls a number that begins with 0: a message is shown, and another number can be
// called.
func TestCallRefused(t *testing.T) {
	onScreen(t, &memory{}, people("sevens"), func(s *screen) {
		s.follow("0 enter 5 enter 1 enter 8 enter 2 0 1 2 enter")
		s.shows("Call a multiple of 7?", "✗ A call can't start with 0.")
		s.follow("2 1 0 enter")
		s.shows("ADA WINS", "210 = 7 × 30")
	})
}

// TestOtherStarts plays again after games and series: the players take turns to begin, unless a
// coin is tossed each time.
func TestOtherStarts(t *testing.T) {
	against := Defaults()
	against.First = PlayerTwo
	series, tossed := *people("highest").Play, *people("highest").Play
	series.BestOf, tossed.First = 3, CoinToss
	pair := *people("highest").Play
	pair.Pair = true
	for _, tt := range []struct {
		name     string
		settings Settings
		keys     string // after the end
		starts   string // the seats that begin each series
	}{
		{"people", *people("highest").Play, "enter", "1 2 1 2"},
		{"a series", series, "enter", "1 2 1"},
		{"a series of two games", pair, "enter", "1 2 1"},
		{"the computer", against, "enter", "2 1 2"},
		{"a coin", tossed, "enter", "2 2 1 1 2 1"},
	} {
		onScreen(t, &memory{}, Start{Play: &tt.settings}, func(s *screen) {
			var starts []string
			for range strings.FieldsSeq(tt.starts) {
				tb := s.top().(*table)
				starts = append(starts, fmt.Sprintf("%d", tb.state.Starter()+1))
				s.press("space", "x", "y")
				for s.pass(time.Second); !tb.state.SeriesOver(); s.pass(time.Second) {
					s.press("enter", "space", "x", "y")
				}
				s.press(tt.keys)
			}
			if got := strings.Join(starts, " "); got != tt.starts {
				s.t.Errorf("%s: seats %s begin, want %s", tt.name, got, tt.starts)
			}
		})
	}
}

// TestHintWhileWaiting asks for a hint about an earlier position in the turn of a computer.
func TestHintWhileWaiting(t *testing.T) {
	c := Defaults()
	c.Hints = true
	onScreen(t, &memory{}, Start{Play: &c}, func(s *screen) {
		s.press("7", "a")
		s.shows("is thinking")
		s.press("<", "space", "h")
		s.shows("Hint: ")
	})
}

// TestResignWhileWaiting resigns in the turn of a computer: the person loses, on either seat.
func TestResignWhileWaiting(t *testing.T) {
	for _, tt := range []struct {
		opponent      Opponent
		moves, result string
	}{
		{Computer, "7 a", "0-1 resigned"},
		{ComputerFirst, "", "1-0 resigned"},
	} {
		c := Defaults()
		c.Opponent = tt.opponent
		onScreen(t, &memory{}, Start{Play: &c}, func(s *screen) {
			tb := s.top().(*table)
			s.press(strings.Fields(tt.moves)...)
			s.shows("is thinking")
			s.press("space")
			s.shows("resign")
			s.press("x")
			s.shows("Resign? The computer wins then.")
			s.press("y")
			if got := tb.state.Result.String(); got != tt.result {
				s.t.Errorf("against %s the result is %s, want %s", tt.opponent, got, tt.result)
			}
			s.shows("NOT THIS TIME")
		})
	}
}

// fewer is a page without commands of its own.
type fewer struct{ boarded }

func (fewer) commands(*Model) []binding { return nil }

// TestFewerCommands removes commands while the drawer is open, as when a game ends: the selected
// command still runs.
func TestFewerCommands(t *testing.T) {
	onScreen(t, &memory{}, people("highest"), func(s *screen) {
		s.press("space", "up")
		s.shows("▸q quit")
		d := s.top().(*commands)
		d.page = fewer{d.page}
		s.shows("▸q quit", "settings")
		s.press("enter")
		if !s.quit {
			s.t.Errorf("the selected command does not run:\n%s", s.text())
		}
	})
}
