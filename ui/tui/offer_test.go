package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
)

// lostTo returns the record of a game that a person lost to a level.
func lostTo(rules, level string) string {
	move := "7R"
	if !strings.HasPrefix(rules, "divisibility") {
		move = "7a"
	}
	const tags = "first=Ada second=X second-level="
	return fmt.Sprintf("%s %s 0-1 resigned; %s%s starts=1", rules, move, tags, level)
}

// wonAgainst returns the record of a game that a person won against a level.
func wonAgainst(rules, level string) string {
	return strings.Replace(lostTo(rules, level), "0-1", "1-0", 1)
}

// TestOffer checks that another level is offered after exactly three wins or losses in a row, and
// not after a win with help.
func TestOffer(t *testing.T) {
	for _, tt := range []struct {
		level  string
		before string // the results of the games before: W or L
		keys   string // in this game
		loser  match.Seat
		want   string // the offer; empty: none
		next   string
	}{
		{"casual", "WW", "", match.Two, "3 wins in a row. Try skilled?", "skilled"},
		{"casual", "W", "", match.Two, "", ""},
		{"casual", "WWW", "", match.Two, "", ""},
		{"casual", "WL", "", match.Two, "", ""},
		{"casual", "LL", "", match.One, "3 losses in a row. Try novice?", "novice"},
		{"casual", "LLL", "", match.One, "", ""},
		{"casual", "LL", "", match.Two, "", ""},
		{"beginner", "LL", "", match.One, "", ""},
		{"perfect", "WW", "", match.Two, "", ""},
		{"casual", "WW", "space h", match.Two, "", ""},
		{"casual", "WW", "space a", match.Two, "", ""},
		{"casual", "WW", "space u 7 a 2s", match.Two, "", ""},
		{"casual", "WW", "space n", match.Two, "3 wins in a row. Try skilled?", "skilled"},
		{"casual", "LL", "space h", match.One, "3 losses in a row. Try novice?", "novice"},
	} {
		k := &memory{}
		for _, letter := range tt.before {
			text := lostTo("dilemma", tt.level)
			if letter == 'W' {
				text = wonAgainst("dilemma", tt.level)
			}
			k.games = append(k.games, parsed(t, text)...)
		}
		c := Defaults()
		c.Levels[1], c.TurnTime = tt.level, time.Minute
		onScreen(t, k, Start{Play: &c}, func(s *screen) {
			s.follow("7 a 2s " + tt.keys)
			s.resigns(tt.loser)
			name := fmt.Sprint(tt.level, " ", tt.before, " ", tt.keys)
			if tt.want == "" {
				s.lacks("in a row", "o play")
				s.press("o")
				s.pass(time.Second)
				if tb := s.top().(*table); !tb.state.Result.Over() {
					s.t.Errorf("%s: o starts a game:\n%s", name, s.text())
				}
				return
			}
			for _, size := range [][2]int{{80, 24}, {54, 18}} {
				s.size(size[0], size[1])
				s.shows(tt.want, "o play "+tt.next)
				s.isWhole()
			}
			s.press("o")
			s.pass(time.Second)
			tb, ok := s.top().(*table)
			if !ok || tb.state.Levels[1] != tt.next || tb.state.Setup.TurnTime != time.Minute ||
				tb.state.Starter() != match.Two {
				s.t.Errorf("%s: wrong level, clock or starter:\n%s", name, s.text())
			}
			kept, err := ParseSettings(s.memory.settings)
			if kept.Switches = (Switches{}); err != nil || !kept.same(Defaults()) {
				s.t.Errorf("%s: the settings of the offer were saved", name)
			}
		})
	}
}

// resigns lets a seat resign.
func (s *screen) resigns(seat match.Seat) {
	s.send(s.top().(*table).acts(seat, match.Resign))
	s.pass(time.Second)
}

// TestOfferDeclined declines an offer: the next game is against the same level, and the offer is
// repeated only after another run of wins, even after a restart.
func TestOfferDeclined(t *testing.T) {
	k := &memory{games: parsed(t, wonAgainst("dilemma", "casual"), wonAgainst("dilemma", "casual"))}
	c := Defaults()
	onScreen(t, k, Start{Play: &c}, func(s *screen) {
		s.follow("7 a 2s")
		s.resigns(match.Two)
		s.shows("Try skilled?")
		s.press("enter")
		s.pass(2 * time.Second)
		s.shows("Computer (casual)")
		s.follow("3 b 2s")
		s.resigns(match.Two)
		s.shows("YOU WIN")
		s.lacks("in a row")
	})
	if len(k.games) != 4 {
		t.Fatalf("%d games are saved, want 4", len(k.games))
	}
	onScreen(t, k, Start{Play: &c}, func(s *screen) {
		s.follow("7 a 2s")
		s.resigns(match.One)
		s.press("enter")
		for range 3 {
			s.pass(2 * time.Second)
			s.lacks("in a row")
			s.follow("3 b 2s")
			s.resigns(match.Two)
			if len(s.memory.games) < 8 {
				s.press("enter")
			}
		}
		s.shows("3 wins in a row. Try skilled?")
	})
}

// TestOfferInSeries checks that an offer due in the first game of a series waits for its end.
func TestOfferInSeries(t *testing.T) {
	k := &memory{games: parsed(t, wonAgainst("dilemma", "casual"), wonAgainst("dilemma", "casual"))}
	c := Defaults()
	c.BestOf = 3
	onScreen(t, k, Start{Play: &c}, func(s *screen) {
		s.follow("7 a 2s")
		s.resigns(match.Two)
		s.lacks("in a row")
		s.follow("enter 2s 3 b 2s")
		s.resigns(match.Two)
		s.shows("4 wins in a row. Try skilled?")
		s.press("o")
		if w := s.top().(*table).settings; w.BestOf != 3 {
			s.t.Errorf("the next series is best of %d", w.BestOf)
		}
	})
}

// TestOfferRemembered accepts an offer. The setup page shows the results against the chosen level,
// and has the new level the next time.
func TestOfferRemembered(t *testing.T) {
	k := &memory{games: parsed(t,
		lostTo("dilemma", "casual"), wonAgainst("dilemma", "casual"),
		wonAgainst("dilemma", "casual"),
		lostTo("highest", "casual"), lostTo("dilemma", "skilled"))}
	k.settings = Defaults().Text()
	onScreen(t, k, Start{}, func(s *screen) {
		s.press("1")
		s.shows("You play against the computer. Against casual: 2 won, 1 lost.")
		s.press("down", "right")
		s.shows("Against skilled: 0 won, 1 lost.")
		s.press("right")
		s.lacks("Against")
		s.press("left", "left", "enter")
		s.pass(time.Second)
		s.follow("7 a 2s")
		s.resigns(match.Two)
		s.press("o")
		s.pass(time.Second)
		w, err := ParseSettings(s.memory.settings)
		if err != nil || w.Levels[1] != "skilled" || w.Book != digit.Books[0].Name {
			s.t.Errorf("the saved settings are %+v, %v", w, err)
		}
	})
}

// TestTallyFits checks that large numbers of games fit on the setup page of every book, at every
// level and size.
func TestTallyFits(t *testing.T) {
	k := &memory{}
	for _, b := range digit.Books {
		for _, level := range bot.LevelNames() {
			for _, score := range []digit.Score{digit.FirstWins, digit.SecondWins, digit.Draw} {
				rec := digit.Record{
					Rules: usual(b), Result: digit.Result{Score: score},
					Tags: []digit.Tag{{Key: "second-level", Value: level}},
				}
				k.games = append(k.games, slices.Repeat([]digit.Record{rec}, 99)...)
			}
		}
	}
	onScreen(t, k, Start{}, func(s *screen) {
		for i := range digit.Books {
			s.press(fmt.Sprint(i+1), "down")
			for range bot.Levels {
				for _, size := range windows {
					s.size(size[0], size[1])
					s.shows(": 99 won, 99 lost, 99 drawn.")
					s.isWhole()
				}
				s.press("right")
			}
			s.press("esc")
		}
	})
}
