package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
)

// TestPuzzlesPage chooses days, games and levels on the page of puzzles. Nothing is cut.
func TestPuzzlesPage(t *testing.T) {
	today := coach.DayOf(time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC))
	k := &memory{streak: coach.Diary{Days: map[coach.Day]coach.Mark{
		today - 3: coach.Solved, today - 2: coach.Missed, today - 1: coach.Late,
	}}}
	onScreen(t, k, Start{}, func(s *screen) {
		t := s.t
		s.world.Now = func() time.Time { return today.Date().Add(time.Hour) }
		s.press("p")
		s.shows("of the day", "Today counts if your first try is right.",
			"Day       15 November 2026")
		s.fitsAllSizes("today")
		s.press("down")
		for _, tt := range []struct{ key, shows, why string }{
			{"left", "~ 14 November 2026", "That day doesn't count: you solved it later."},
			{
				"left", "✗ 13 November 2026",
				"That day doesn't count: your first try was wrong, or the answer was",
			},
			{"left", "✓ 12 November 2026", "That day counts: your first try was right."},
			{"pgup", "‹ 5 November 2026", "Past days are for practice. Only today's puzzle counts."},
			{"pgdown", "✓ 12 November 2026", "That day counts"},
			{"pgdown", "‹ 15 November 2026", "Today counts if"}, // the last day
		} {
			s.press(tt.key)
			s.shows(tt.shows, tt.why)
		}
		s.press(strings.Fields(strings.Repeat("pgup ", 100))...)
		s.shows("1 January 2025", "Past days are for practice") // the first day
		s.press(strings.Fields(strings.Repeat("pgdown ", 100) + " pgup pgup pgup pgup left")...)
		s.fitsAllSizes("another day")
		s.press("enter")
		s.shows("Puzzle of 17 October 2026", "Past days are for practice", "Computer")
		s.press("space", "h", "space", "h", "space", "h")
		s.lacks("Player 1", "Player 2")
		s.press("esc", "up", "right")
		s.shows("Digit Dilemma", "First three-digit multiple of 7 wins.")
		s.press("down", "left")
		s.shows("‹ master ›", "Missed by master, found by perfect.")
		s.press("right", "right", "right")
		s.shows("‹ novice ›")
		s.fitsAllSizes("a level")
		s.press("enter")
		trial := s.top().(*exercise)
		z := coach.Puzzle{
			Rules: trial.picker.rules, At: trial.from,
			Move: trial.study.solution.Line(trial.from)[0],
		}
		players := bot.Choosers(trial.study.solution)
		if z.Rules != digit.Dilemma || !coach.Fails(z, players[1]) || coach.Fails(z, players[2]) {
			t.Errorf("the puzzle for a novice is %v", z)
		}
	})
}

// TestStartPuzzle starts with a puzzle from the command line. The next puzzle is for the same
// level, and Esc leads to the page of puzzles.
func TestStartPuzzle(t *testing.T) {
	s, err := solveOnce(t.Context(), digit.Dilemma, nil)
	if err != nil {
		t.Fatal(err)
	}
	casual := slices.Index(bot.LevelNames(), "casual")
	half := func(n int) int { return n / 2 }
	z, err := coach.Fitting(t.Context(), s, bot.Choosers(s), casual, half)
	if err != nil {
		t.Fatal(err)
	}
	start := Start{Puzzle: &Puzzle{Puzzle: z, Level: "casual"}, Solution: s}
	onScreen(t, &memory{}, start, func(s *screen) {
		difficulty := coach.Difficulty(z, bot.Choosers(s.start.Solution))
		hard := rulebook.Missed(difficulty, len(bot.Levels))
		s.shows("Puzzle", hard.Short, "Only one of your", "multiple of")
		if at := s.top().(*exercise).from; at != z.At {
			s.t.Errorf("the puzzle is %v, want %v", at, z.At)
		}
		s.press("space", "p")
		if next := s.top().(*exercise); next.next == nil || next.picker.rules != digit.Dilemma {
			s.t.Errorf("the next puzzle is %v", next)
		}
		s.press("esc")
		s.shows("Level     casual", "‹ Digit Dilemma ›")
	})
}

// TestLookedAt checks that a day counts as missed if the last hint or the analysis showed the
// answer.
func TestLookedAt(t *testing.T) {
	for _, keys := range []string{"h", "h h", "h h h", "a"} {
		k := &memory{}
		onScreen(t, k, Start{}, func(s *screen) {
			s.press("p", "enter")
			for key := range strings.FieldsSeq(keys) {
				s.press("space", key)
				if _, asks := s.top().(*confirmation); asks {
					s.press("y")
				}
			}
			b := s.top().(*exercise).board
			revealed := b.analysis || b.hint != nil && b.hint.step == 2
			if got := k.streak.Mark(s.today()); (got == coach.Missed) != revealed {
				s.t.Errorf("after %s the day is %v", keys, got)
			}
		})
	}
}

// TestPastDay solves the puzzle of a past day: that day is marked, and today's streak is unchanged.
func TestPastDay(t *testing.T) {
	today := coach.DayOf(time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC))
	onScreen(t, &memory{}, Start{}, func(s *screen) {
		s.world.Now = func() time.Time { return today.Date().Add(time.Hour) }
		s.press("p", "down", "left", "left", "enter")
		tr := s.top().(*exercise)
		s.send(act(func(m *Model) { tr.try(m, tr.study.solution.Line(tr.from)[0]) }))
		s.settle()
		s.shows("RIGHT", "Puzzle of 13 November 2026")
		for day, want := range map[coach.Day]coach.Mark{
			today - 2: coach.Late, today: coach.Untried,
		} {
			if got := s.streak.Mark(day); got != want {
				s.t.Errorf("%v is %v, want %v", day, got, want)
			}
		}
		if s.streak.Tried != 0 {
			s.t.Errorf("the streak is %+v", s.streak.Streak)
		}
	})
}

// TestTrialIsWhole checks that nothing is cut after a wrong answer, after every hint and after the
// right answer to a puzzle of each book.
func TestTrialIsWhole(t *testing.T) {
	for _, book := range digit.Books {
		onScreen(t, &memory{}, Start{}, func(s *screen) {
			s.press("p")
			for coach.DailyBook(s.top().(*puzzles).day).Name != book.Name {
				s.world.Now = func() time.Time { return s.now.Add(24 * time.Hour) }
				s.send(nil)
				s.world.Now = func() time.Time { return s.now }
				s.press("pgdown")
			}
			s.press("enter")
			tr := s.top().(*exercise)
			right := tr.study.solution.Line(tr.from)[0]
			for m := range book.Rules.Moves(tr.from) {
				if m.Uncalled() != right.Uncalled() {
					s.send(act(func(model *Model) { tr.try(model, m) }))
					s.settle()
					break
				}
			}
			s.fitsAllSizes(book.Name + ", wrong")
			for range 3 {
				s.press("space", "h")
				s.fitsAllSizes(book.Name + ", a hint")
			}
			s.send(act(func(m *Model) { tr.try(m, right) }))
			s.settle()
			s.fitsAllSizes(book.Name + ", right")
		})
	}
}
