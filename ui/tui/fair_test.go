package tui

import (
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// TestFairGames plays a fair game from the menu. At the next start it is chosen, and after a change
// of its rules they can be reset.
func TestFairGames(t *testing.T) {
	k := &memory{}
	last := digit.Fair[len(digit.Fair)-1]
	onScreen(t, k, Start{}, func(s *screen) {
		s.press("6")
		for _, b := range digit.Fair {
			s.shows("‹ "+b.Title+" ›", "Nobody can force a win: ")
			s.press("right")
		}
		s.press("left", "r") // the last one
		s.shows("Rules")
		s.press("esc")
		s.shows(last.Title, "as in the book", "Nobody can force a win")
		s.press("enter")
		if got := s.currentTable().state.Setup.Rules; got != last.Rules {
			s.t.Errorf("the table plays %v, want %v", got, last.Rules)
		}
		s.press("esc")
	})
	onScreen(t, k, Start{}, func(s *screen) {
		s.shows("▸ 6 Fair games")
		s.press("enter")
		s.shows("‹ " + last.Title + " ›")
		s.press("up", "enter", "right") // other digits
		s.press("u", "enter")
		if got := s.top().(*setup).rules(); got != last.Rules {
			s.t.Errorf("the rules are reset to %v, want %v", got, last.Rules)
		}
	})
	for _, b := range digit.Fair {
		w := SettingsOf(match.Setup{Rules: b.Rules}).mended()
		if w.Book != b.Name || w.setup().Rules != b.Rules {
			t.Errorf("settings for %s are for %s, by %v", b.Name, w.Book, w.setup().Rules)
		}
	}
}

// TestFairProved checks that each fair game is a draw, as its page says.
func TestFairProved(t *testing.T) {
	for _, b := range digit.Fair {
		s, err := solveOnce(t.Context(), b.Rules, func(int64, int64) {})
		if err != nil {
			t.Fatal(err)
		}
		if _, won := s.Value(digit.Position{}).Winner(digit.First); won {
			t.Errorf("%s is not a draw", b.Name)
		}
	}
}
