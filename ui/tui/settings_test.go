package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
)

// TestSettings writes settings and reads them back.
func TestSettings(t *testing.T) {
	c := Settings{
		Book:     "divisibility",
		Rules:    map[string]digit.Rules{"divisibility": rulesOf(t, "divisibility target=11 pool=0-9")},
		Opponent: Watch, Levels: [2]string{"perfect", "novice"}, Names: [2]string{"Ada", "Ben"},
		First: CoinToss,
		Terms: match.Terms{
			BestOf: 5, TurnTime: 30 * time.Second, OnTimeout: match.Random,
			Targets: match.Targets{11, 13}, AutoCall: true,
		},
		Colours: PaleColours, Signs: ASCIISigns, Plain: true,
	}
	got, err := ParseSettings(c.Text())
	if err != nil || !got.same(c) {
		t.Errorf("got %+v, %v, want %+v\n%s", got, err, c, c.Text())
	}
	if d, err := ParseSettings(nil); err != nil || !d.same(Defaults()) {
		t.Errorf("empty settings give %+v, %v, want the defaults", d, err)
	}
}

// TestSettingsMended reads invalid settings: some are corrected, others are an error.
func TestSettingsMended(t *testing.T) {
	for _, c := range []struct {
		text, err string
		check     func(Settings) bool
	}{
		{`{"book": "chess"}`, "", func(c Settings) bool { return c.Book == "dilemma" }},
		{`{"levels": ["god", "casual"]}`, "", func(c Settings) bool { return c.Levels == [2]string{"skilled", "casual"} }},
		{`{"names": ["Ada", "Ada"]}`, "", func(c Settings) bool { return c.Names == [2]string{} }},
		{`{"names": ["A\u0007", "B"]}`, "", func(c Settings) bool { return c.Names == [2]string{} }},
		{`{"best_of": 4}`, "", func(c Settings) bool { return c.BestOf == 0 }},
		{`{"turn_time": 5}`, "", func(c Settings) bool { return c.TurnTime == 0 }},
		{`{"rules": {"chess": "dilemma"}}`, "", func(c Settings) bool { return len(c.Rules) == 0 }},
		{`{"hints": false}`, "", func(c Settings) bool { return !c.Hints && c.Motion }},
		{`{"opponent": "cat", "hints": false}`, "", func(c Settings) bool { return c.Opponent == Computer && !c.Hints }},
		{`{"rules": {"dilemma": "dilemma width=9"}}`, "width", nil},
		{`{`, "remembered choices", nil},
	} {
		got, err := ParseSettings([]byte(c.text))
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) || !got.same(Defaults()) {
				t.Errorf("%s: %+v, %v, want the defaults and %q", c.text, got, err, c.err)
			}
		case err != nil || !c.check(got):
			t.Errorf("%s: %+v, %v", c.text, got, err)
		}
	}
}

// TestRemembered checks that choices are kept for the next start.
func TestRemembered(t *testing.T) {
	k := &memory{}
	onScreen(t, k, Start{}, func(s *screen) {
		s.press("4", "left") // divisibility, against a person
		for range 5 {
			s.press("down")
		}
		s.press("backspace", "backspace", "1", "1") // target 33 to 11
		s.press("down", "down", "right")            // hints to hints and needs
		s.press("enter", "esc")
	})
	onScreen(t, k, Start{}, func(s *screen) {
		s.shows("▸ 4 Divisibility Duel", "First multiple of 11 wins")
		s.press("enter")
		if r := s.settings.RulesFor(book("divisibility")); r.String() != "divisibility target=11" {
			s.t.Errorf("the saved rules are %v, want target 11", r)
		}
		s.shows("a person here", "Target         11", "hints and needs")
	})
}

// TestUnsaved checks that play continues, with a message, if settings or games cannot be saved or
// read.
func TestUnsaved(t *testing.T) {
	k := &memory{}
	onScreen(t, k, Start{}, func(s *screen) {
		broken := errors.New("the disk is full")
		s.world.Save = func([]byte) error { return broken }
		s.world.Keep = func(digit.Record) error { return broken }
		s.world.Games = func() ([]digit.Record, error) { return nil, broken }
		s.press("2")
		s.shows("the choices were not saved: the disk is full")
		s.press("esc", "g")
		s.shows("✗ the disk is full")
		s.press("esc", "1", "left", "enter", "7", "a", "space", "x", "y")
		s.shows("the game was not saved: the disk is full", "resigned")
		s.world.Save = func([]byte) error { return nil }
		s.saved = s.settings
	})
	if m := New(func() World {
		w := (&memory{}).world()
		w.Load = func() ([]byte, error) { return nil, errors.New("it cannot be read") }
		return w
	}(), Start{}); m.problem != "it cannot be read" || !m.settings.same(Defaults()) {
		t.Errorf("problem %q, settings %+v", m.problem, m.settings)
	}
}

// TestDaily solves the daily puzzle at the second try: only the first one counts.
func TestDaily(t *testing.T) {
	k := &memory{}
	onScreen(t, k, Start{}, func(s *screen) {
		t := s.t
		s.press("p", "enter")
		tb := s.top().(*exercise)
		z, ok := coach.Daily(tb.study.solution, coach.DayOf(time.Now().UTC()))
		if !ok || z.At != tb.picker.at {
			t.Fatalf("the puzzle is %v, want %v", tb.picker.at, z)
		}
		wrong := digit.Move{}
		for m := range z.Rules.Moves(z.At) {
			if m != z.Move {
				wrong = m
				break
			}
		}
		for i, m := range []digit.Move{wrong, z.Move} {
			s.press(m.Digit.String())
			if tb.stage() == place {
				s.press(m.Spot.String())
			} else {
				s.press("enter")
			}
			if i == 0 {
				s.shows("✗ Not ")
			} else {
				s.shows("RIGHT")
			}
		}
		want := coach.Streak{Last: coach.DayOf(time.Now().UTC()), Tried: 1}
		if got := s.memory.streak.Streak; got != want {
			t.Errorf("streak %+v, want %+v", got, want)
		}
		s.press("t")
		if tb.picker.at != z.At {
			t.Error("t does not restore the position")
		}
		s.press("esc")
		s.shows("0 days running. Best: 0.")
	})
}

// TestDailyAnswer checks that the analysis of the daily puzzle, which ends a streak, is shown only
// after a confirmation.
func TestDailyAnswer(t *testing.T) {
	onScreen(t, &memory{}, Start{}, func(s *screen) {
		today := s.today()
		s.follow("p enter space a")
		s.shows("Show the answer? Then today doesn't count, and your streak ends.",
			"Enter keep looking")
		s.press("enter")
		if tb := s.top().(*exercise); tb.analysis || s.streak.Mark(today) != coach.Untried {
			s.t.Errorf("the answer is shown, or the day counts as missed:\n%s", s.text())
		}
		s.follow("space a y")
		s.shows("or the answer")
		if tb := s.top().(*exercise); !tb.analysis || s.streak.Mark(today) != coach.Missed {
			s.t.Errorf("the answer is not shown, or the day is not missed:\n%s", s.text())
		}
		s.follow("space a space a") // off, and on again without a question
		if tb := s.top().(*exercise); !tb.analysis {
			s.t.Errorf("the answer is not shown again:\n%s", s.text())
		}
	})
}

// TestRetry retries the mistake of a game, and continues the game from an earlier move.
func TestRetry(t *testing.T) {
	start := people("dilemma")
	onScreen(t, &memory{}, start, func(s *screen) {
		s.press(strings.Fields(keysOf(digit.Dilemma, record(t, "dilemma").Moves))...)
		s.pass(time.Second)
		s.press("v")
		s.shows("Move 5 of 6: Ada put 4 in the middle.",
			"Ada missed 2 in the middle, which wins at once.")
		s.press("t", "4", "enter")
		s.shows("✗ Not ")
		s.press("9", "enter")
		s.shows("RIGHT", "791 = 7 × 113.")
		s.press("esc", "left", "left", "left")
		s.shows("Move 2 of 6")
		s.press("c")
		s.played(1)
		s.shows("7a")
	})
}

// TestBotNames checks that a computer has the given name, or one from its level.
func TestBotNames(t *testing.T) {
	for _, tt := range []struct {
		opponent Opponent
		given    [2]string
		want     [2]string
	}{
		{Computer, [2]string{"Ada", "Deep"}, [2]string{"Ada", "Deep"}},
		{Computer, [2]string{"Ada", ""}, [2]string{"Ada", "Casual bot"}},
		{ComputerFirst, [2]string{"", "Ada"}, [2]string{"Skilled bot", "Ada"}},
		{ComputerFirst, [2]string{"Deep", "Ada"}, [2]string{"Deep", "Ada"}},
		{Watch, [2]string{"Deep", "Blue"}, [2]string{"Deep", "Blue"}},
	} {
		w := Defaults()
		w.Opponent, w.Names, w.BotNames = tt.opponent, tt.given, tt.given
		if got := w.setup().Names; got != tt.want {
			t.Errorf("%s with names %q: got %q, want %q", tt.opponent, tt.given, got, tt.want)
		}
	}
	w := Defaults()
	w.Names, w.BotNames = [2]string{"Ada", "Deep"}, [2]string{"Ada", "Deep"}
	onScreen(t, &memory{}, Start{Play: &w}, func(s *screen) { s.shows("Deep") })
}
