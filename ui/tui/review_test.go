package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"digitduel/digit"
)

// fitsAllSizes fails if something on the page is cut or outside the window, in any of the sizes.
func (s *screen) fitsAllSizes(name string) {
	s.t.Helper()
	for _, size := range windows {
		s.size(size[0], size[1])
		if lost := s.canvas().Lost; len(lost) > 0 {
			s.t.Errorf("%s, %d×%d: %q does not fit", name, size[0], size[1], lost)
		}
	}
	s.size(80, 24)
}

// TestReviewIsWhole checks that nothing is cut in reviews of games of each book and in their best
// lines, with short and long names.
func TestReviewIsWhole(t *testing.T) {
	long := `; first="` + strings.Repeat("Wilhelmina ", 2) + `Ada of Aa"` +
		` second="` + strings.Repeat("Bartholomew", 2) + ` the 2nd"`
	for _, line := range []string{
		"dilemma 7a 2b 3c 6c 1b 8a 0-1 multiple", "dilemma 2c 9b 3b 6a 8a 7c 1-0 above",
		"dilemma 7a 3b 0-1 resigned", "sevens 7 5 1 8 2=721 1-0 multiple",
		"sevens 8 1 3 9 5=538 0-1 miscalled", "highest 7b 9a 2a 8b 6c 3c 0-1 higher",
		"divisibility 2R 3R 4R 9L 6L 5L 7R 1L 8R 1-0 below",
		"divisibility 1R 2R 3R 1-0 resigned", "reverse 7b 1a 3a 9b 8c 4c 0-1 lower", "reverse *",
	} {
		for _, tags := range []string{"", long} {
			rec, err := digit.ParseRecord(line + tags)
			if err != nil {
				t.Fatal(err)
			}
			onScreen(t, &memory{}, Start{Games: []digit.Record{rec}}, func(s *screen) {
				s.press("home")
				for i := range max(1, len(rec.Moves)) {
					s.fitsAllSizes(fmt.Sprintf("%v, move %d", rec, i+1))
					s.press("b", "end")
					s.fitsAllSizes(fmt.Sprintf("%v, best line of move %d", rec, i+1))
					s.press("b")
					s.press("right")
				}
			})
		}
	}
}

// TestReviewKeys opens the games of a file at their turning points, and goes to mistakes, best
// lines and the next game.
func TestReviewKeys(t *testing.T) {
	var games []digit.Record
	for _, line := range []string{
		`dilemma 7a 2b 3c 6c 1b 8a 0-1 multiple; first="Ada" second="Ben"`,
		"divisibility 4R 3R 2R 1-0 multiple",
	} {
		rec, err := digit.ParseRecord(line)
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, rec)
	}
	onScreen(t, &memory{}, Start{Games: games}, func(s *screen) {
		s.shows("game 1 of 2", "Move 3 of 6: Ada put 3 on the right.",
			"? After it, Ben could force a win.", "This was the turning point.",
			"▸3c?", "7a✓", "2b·")
		s.press("b")
		s.shows("The best line from move 3, 1 of 3. Ada: 4 on the right.",
			"Ada wins: 784 = 7 × 112.")
		s.press("right", "right", "right")
		s.shows("3 of 3. Ada: 8 in the middle.")
		s.press("b", "right")
		s.shows("Move 4 of 6: Ben put 6 on the right.", "✓ ")
		s.press("m")
		s.shows("Move 3 of 6")
		s.press("t")
		s.shows("Move 3 again", "Find a move that wins.")
		s.press("esc", "tab")
		s.shows("game 2 of 2", "Move 2 of 3: Player 2 started with 3.")
		s.press("m")
		s.shows("Move 1 of 3")
		s.press("tab")
		s.shows("game 1 of 2")
		if s.quit {
			t.Error("going to the next game ended the program")
		}
	})
}

// TestSlower checks that a sign and a sentence mark a win that is slower than the best one.
func TestSlower(t *testing.T) {
	rec, err := digit.ParseRecord("dilemma 7a 0a 3b *")
	if err != nil {
		t.Fatal(err)
	}
	onScreen(t, &memory{}, Start{Games: []digit.Record{rec}}, func(s *screen) {
		s.shows("7a✓", "3b~", "~ This won too, but 1 on the right was faster.", "Better: Put ")
	})
}

// TestReviewHasNoClock checks that no clock is shown after a timed game, at its table and in its
// review.
func TestReviewHasNoClock(t *testing.T) {
	c := *people("highest").Play
	c.TurnTime = 30 * time.Second
	onScreen(t, &memory{}, Start{Play: &c}, func(s *screen) {
		s.follow(keysOf(digit.Highest, record(t, "highest").Moves) + " 40s")
		s.lacks("0:")
		s.press("v")
		s.shows("Review")
		for _, key := range []string{"home", "right", "b", "t", "?"} {
			s.press(key)
			s.lacks("0:")
		}
		s.press("esc", "esc", "esc", ",")
		s.lacks("0:")
	})
}

// TestReviewEmptyNumber checks that a review draws a number without digits as a table does.
func TestReviewEmptyNumber(t *testing.T) {
	rec := record(t, "divisibility")
	onScreen(t, &memory{games: []digit.Record{rec}}, Start{}, func(s *screen) {
		s.follow("g enter home")
		s.shows("Move 1 of", "╭╌╌╌╌╌╮")
	})
}
