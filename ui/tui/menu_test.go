package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// TestFirstStart checks that the menu offers the lesson at the first start, and the last game after
// that.
func TestFirstStart(t *testing.T) {
	onScreen(t, &memory{}, Start{}, func(s *screen) {
		s.shows("▸ l Learn in one minute")
		s.press("enter")
		s.shows("Press 7, or click it.")
		s.press("esc")
		s.shows("l Learn ")
	})
	w := Defaults()
	w.Book = "highest"
	onScreen(t, &memory{settings: w.Text()}, Start{}, func(s *screen) {
		s.shows("▸ 3 Digit Duel: Highest", "l Learn ", "one move wins; find it")
	})
	today := coach.DayOf(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	diary := coach.Diary{}.After(today-1, today-1, true).After(today, today, true)
	onScreen(t, &memory{streak: diary}, Start{}, func(s *screen) { s.shows("2 days in a row") })
}

// TestContinue checks that the menu selects the game that was left, at once and at the next start,
// and resumes it.
func TestContinue(t *testing.T) {
	k := &memory{}
	onScreen(t, k, Start{}, func(s *screen) {
		s.press("1", "enter", "7", "a")
		s.pass(botTime)
		s.press("esc")
		s.shows("▸ c Continue your game against casual", "Digit Dilemma, your turn, just now")
	})
	onScreen(t, k, Start{}, func(s *screen) {
		s.size(54, 18)
		s.shows("▸ c Continue your game against casual", "Digit Dilemma, your turn, just now")
		s.size(80, 24)
		s.press("enter")
		s.played(2)
	})
}

// TestContinueLast checks that the menu offers the game, here or at a server, that was left last.
func TestContinueLast(t *testing.T) {
	k := &memory{}
	onScreen(t, k, people("dilemma"), func(s *screen) { s.press("7", "a") })
	for later, want := range map[time.Duration]string{
		-time.Minute: "Continue the game of Ada and Ben",
		time.Minute:  "Continue your game at a server",
	} {
		for _, kept := range k.tables {
			k.servers.seats = []SavedSeat{{"http://far/t/abc", "http://far", kept.left.Add(later)}}
		}
		onScreen(t, k, Start{}, func(s *screen) { s.shows("▸ c " + want) })
	}
}

// TestLearn plays the lesson. It accepts only the moves that it asks for, is not saved, and ends
// with the offer of a game against the computer.
func TestLearn(t *testing.T) {
	k := &memory{}
	onScreen(t, k, Start{Learn: true}, func(s *screen) {
		s.press("8")
		s.shows("For now, press 7.")
		s.press("enter") // the cursor is at the digit of the lesson
		s.shows("Now its place: press a, for the left.")
		s.press("b")
		s.shows("For now, press a")
		s.press("a")
		s.pass(botTime)
		s.shows("Put 1 on the right: then 721 and 791 both win.", "Press 1, or click it.")
		s.press("1", "c")
		s.pass(botTime)
		s.shows("The computer took 2, so 721 is gone.", "Press 9, or click it.")
		s.press("4")
		s.shows("For now, press 9.")
		s.press("9", "enter")
		s.pass(botTime)
		s.shows("YOU WIN", "You had two ways to win", "Enter play the computer")
		if len(k.games) > 0 {
			s.t.Errorf("the lesson was saved: %v", k.games)
		}
		s.press("enter")
		tb := s.top().(*table)
		if tb.lesson != nil || tb.state.Levels[match.Two] != "beginner" || !tb.here(match.One) {
			s.t.Errorf("the game after the lesson is not against a beginner: %+v", tb.state.Levels)
		}
	})
	onScreen(t, k, Start{Learn: true}, func(s *screen) {
		s.press("7", "a", "esc")
		if _, ok := s.top().(*menu); !ok || len(k.games) > 0 {
			s.t.Errorf("Esc does not skip the lesson:\n%s", s.text())
		}
	})
}

// botTime is longer than a computer takes for a move.
const botTime = 2 * tickTime * 10

// TestSetupCancelled checks that Esc undoes the changes on the setup page and in the house rules.
func TestSetupCancelled(t *testing.T) {
	onScreen(t, &memory{}, Start{}, func(s *screen) {
		before := s.settings
		before.Book = "divisibility"
		s.press("4", "right", "down", "right", "down", "right",
			"down", "right", "down", "right", "down", "right")
		for s.notAtRow("House rules") {
			s.press("down")
		}
		s.press("enter")
		s.shows("House rules", "Multiples of")
		s.press("down", "right", "enter")
		s.shows("1 change")
		s.press("esc")
		if !s.settings.same(before) {
			s.t.Errorf("Esc leaves %+v, want %+v", s.settings, before)
		}
		s.press("4", "up", "enter", "down", "right", "esc")
		s.shows("as in the book", "the computer", "casual")
		s.press("down", "down", "right", "enter", "esc")
		if s.settings.Levels[match.Two] != "skilled" {
			s.t.Errorf("after a game against skilled, the levels are %v", s.settings.Levels)
		}
	})
}

// TestHouseTerms checks that the terms of a table count as changes of the house rules, and that
// they can be reset.
func TestHouseTerms(t *testing.T) {
	for _, test := range []struct {
		set  func(*match.Terms)
		want string
	}{
		{func(*match.Terms) {}, "as in the book"},
		{func(t *match.Terms) { t.AutoCall = true }, "1 change"},
		{func(t *match.Terms) { t.OnTimeout = match.Random }, "as in the book"}, // without a clock
		{func(t *match.Terms) { t.TurnTime = 30 * time.Second }, "as in the book"},
		{func(t *match.Terms) {
			t.AutoCall, t.TurnTime, t.OnTimeout = true, 30*time.Second, match.Random
		}, "2 changes"},
		{func(t *match.Terms) { t.AutoCall, t.Swap = true, true }, "2 changes"},
	} {
		w := Defaults()
		w.Book = "sevens"
		test.set(&w.Terms)
		onScreen(t, &memory{settings: w.Text()}, Start{}, func(s *screen) {
			s.press("2", "up")
			s.shows(test.want)
			s.press("enter", "u", "enter")
			s.shows("as in the book")
			if got := s.top().(*setup).settings.TurnTime; got != w.TurnTime {
				s.t.Errorf("%s: the clock is set to %v, want %v", test.want, got, w.TurnTime)
			}
		})
	}
}

// TestOpponents checks the name of each opponent on the setup page.
func TestOpponents(t *testing.T) {
	onScreen(t, &memory{}, Start{}, func(s *screen) {
		s.press("1")
		var names []string
		for range 4 {
			p := s.top().(*setup)
			names = append(names, p.list(s.Model)[0].value)
			s.press("right")
		}
		want := []string{"the computer", "two computers", "a person here", "the computer"}
		if !slices.Equal(names, want) {
			t.Errorf("opponents %q, want %q", names, want)
		}
	})
	w := Defaults()
	w.Opponent, w.Levels = ComputerFirst, [2]string{"expert", "novice"}
	onScreen(t, &memory{settings: w.Text()}, Start{}, func(s *screen) {
		s.press("1")
		s.shows("the computer", "expert")
	})
}

// TestNameTyped types a name of letters that are commands elsewhere. They do not run, and the
// footer does not show them.
func TestNameTyped(t *testing.T) {
	onScreen(t, &memory{}, Start{}, func(s *screen) {
		s.press("1", "left", "down")
		s.press(strings.Split("Rqs?", "")...)
		s.shows("Rqs?_", "Enter done   Esc as it was")
		footer := strings.TrimSpace(s.text()[strings.LastIndex(s.text(), "\n"):])
		if footer != "Enter done   Esc as it was" {
			t.Errorf("while a name is typed, the footer is %q", footer)
		}
		s.press("esc")
		s.shows("Player 1       no name", "▸ Player 2")
		s.send(tea.PasteMsg{Content: "مهدی\u200cزاده\n"})
		s.press("enter", "enter")
		if got := s.top().(*table).state.Setup.Names; got != [2]string{"", "مهدی\u200cزاده"} {
			t.Errorf("the names are %q", got)
		}
	})
}

// TestTargetsOffered checks the targets on the setup page: the fair one comes first, and a warning
// explains the one that may end the game with the first digit.
func TestTargetsOffered(t *testing.T) {
	onScreen(t, &memory{}, Start{}, func(s *screen) {
		s.press("4", "down", "down", "down", "down")
		s.shows("▸ Target", "33", "Or type another number.")
		s.press("right")
		s.shows("7 is a multiple of 7 on its own")
		s.press("right", "enter")
		if r := s.top().(*table).state.Setup.Rules; r.Target != 11 {
			t.Errorf("the target is %d", r.Target)
		}
	})
	w := Defaults()
	for _, b := range digit.Books {
		if r := w.RulesFor(b); rulebook.Warning(r).Long != "" {
			t.Errorf("%v is the default, but has a warning", r)
		}
	}
}

// TestHelpAsked checks that by default a table gives hints, but shows neither the digits that
// numbers need nor the analysis.
func TestHelpAsked(t *testing.T) {
	onScreen(t, &memory{}, Start{}, func(s *screen) {
		s.press("1", "enter")
		if tb := s.top().(*table); tb.needs || tb.analysis || !tb.state.Setup.Hints {
			t.Errorf("needs %v, analysis %v, hints %v", tb.needs, tb.analysis, tb.state.Setup.Hints)
		}
		s.press("esc")
		s.press("1")
		for s.notAtRow("Help") {
			s.press("down")
		}
		s.press("right", "right", "enter")
		if tb := s.top().(*table); !tb.needs || !tb.analysis || !tb.state.Setup.Hints {
			t.Errorf("needs %v, analysis %v, hints %v", tb.needs, tb.analysis, tb.state.Setup.Hints)
		}
	})
}

// notAtRow reports whether a row other than the named one is selected on the setup page.
func (s *screen) notAtRow(name string) bool {
	p := s.top().(*setup)
	return p.current(s.Model).name != name
}

// TestPagesWhole checks that nothing is cut on the pages around a game, in every size.
func TestPagesWhole(t *testing.T) {
	for _, keys := range []string{
		"", "down", "c", "1", "1 left", "1 left down A d a", "4 left left", "2 up enter",
		"4 up enter", "4 up enter up", "1 up enter down down right right right", "s", "s up A",
		"?", "? end", "l", "l 7", "l 7 a",
	} {
		for _, again := range []bool{false, true} {
			k := &memory{}
			if again {
				k.settings = standardSettings().Text()
			}
			onScreen(t, k, Start{}, func(s *screen) {
				s.press(strings.Fields(keys)...)
				for _, size := range [][2]int{
					{54, 18}, {60, 20}, {80, 23}, {80, 24}, {100, 30}, {120, 40}, {200, 60},
				} {
					s.size(size[0], size[1])
					if lost := s.canvas().Lost; len(lost) > 0 {
						t.Errorf("%q at %v: %q does not fit:\n%s", keys, size, lost, s.text())
					}
				}
			})
		}
	}
}

// TestSameName checks that two people cannot have the same name, and that a longer one is accepted.
func TestSameName(t *testing.T) {
	onScreen(t, &memory{}, Start{}, func(s *screen) {
		s.follow("1 left down A d a down A d a")
		s.shows("That name is taken. Choose another.")
		s.press("m")
		s.lacks("is taken")
		if got := s.top().(*setup).settings.Names; got != [2]string{"Ada", "Adam"} {
			s.t.Errorf("the names are %q", got)
		}
	})
}
