package coach

import (
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// TestFirstLesson plays the lesson: the computer stops one of two threats, and the learner wins
// with the other.
func TestFirstLesson(t *testing.T) {
	l := FirstLesson()
	p := digit.Position{}
	for i, m := range l.Moves {
		see, ask, ok := l.At(l.Moves[:i])
		if i%2 == 1 {
			if ok || l.Reply(p) != m {
				t.Errorf("after %d moves the computer plays %v, the learner is asked for %v, %t",
					i, l.Reply(p), ask, ok)
			}
		} else if !ok || ask != m || see == "" {
			t.Errorf("after %d moves the learner sees %+v and is asked for %v, %t", i, see, ask, ok)
		}
		threats := 0
		for range l.Rules.Threats(p, digit.First) {
			threats++
		}
		if want := []int{0, 0, 0, 2, 1}[i]; threats != want {
			t.Errorf("after %d moves %d digits win, want %d", i, threats, want)
		}
		var err error
		if p, err = l.Rules.Play(p, m); err != nil {
			t.Fatal(err)
		}
	}
	if winner, won := l.Rules.Result(p).Winner(); !won || winner != digit.First {
		t.Errorf("the lesson ends in %v", l.Rules.Result(p))
	}
	if _, _, ok := l.At([]digit.Move{l.Moves[1], l.Moves[0]}); ok {
		t.Error("At accepts the moves of another game")
	}
}

// lessonLines holds the texts of the lessons.
var lessonLines = map[string][]string{
	"dilemma": {"Put 7 on the left. A digit that is taken is gone for both.", "Put 1 on the right: then 721 and 791 both win.",
		"The computer took 2, so 721 is gone. Put 9 in the middle: 791 = 7 × 113."},
	"sevens":  {"Take 2. You choose the order later.", "Take 8: then 0, 3, 6 and 7 all win.", "Take 7 and call 728 = 7 × 104."},
	"highest": {"Put 9 in the hundreds place: it's your only winning move.", "9 beats 7 in the hundreds place, so any digit wins. Put 5 in the units place."},
	"divisibility": {"Start with 5.", "Add 2 on the right: then 352 and 528 both win.",
		"The computer took 8, so 528 is gone. Add 3 on the left: 352 = 11 × 32."},
	"reverse": {"Put 1 in the hundreds place: it's your only winning move.", "1 beats 3 in the hundreds place, so any digit wins. Put 9 in the ones place."},
}

// TestLessons plays the lesson of each book: the learner wins within three moves, each move keeps
// the win, and every claim agrees with the solution.
func TestLessons(t *testing.T) {
	for i, taught := range rulebook.Lessons {
		rec := taught.Record()
		if rec.Rules.Book() != digit.Books[i] {
			t.Errorf("lesson %d is about %v", i, rec.Rules)
		}
		s := solved(t, rec.Rules.String())
		l := LessonOf(taught, s)
		if want := lessonLines[rec.Rules.Book().Name]; !slices.Equal(l.See, want) || len(l.See) > 3 {
			t.Errorf("%v: the learner reads\n%s", rec.Rules, strings.Join(l.See, "\n"))
		}
		p := l.Rules.After(l.Moves[:l.From])
		me := l.Rules.Turn(p)
		for n := l.From; n < len(l.Moves); n++ {
			see, ask, ok := l.At(l.Moves[:n])
			if ok != (l.Rules.Turn(p) == me) || ok && ask != l.Moves[n] {
				t.Errorf("%v: after %d moves the learner is asked for %v, %t", l.Rules, n, ask, ok)
			}
			q, err := l.Rules.Play(p, l.Moves[n])
			if err != nil {
				t.Fatal(err)
			}
			if ok {
				checkLesson(t, s, p, q, ask, see)
			}
			p = q
		}
		winner, won := l.Rules.Result(p).Winner()
		if !won || winner != me || l.Rules.Result(p) != l.Result {
			t.Errorf("%v: the lesson ends in %v", l.Rules, l.Rules.Result(p))
		}
	}
}

// checkLesson checks the claims of a line against the values of all moves.
func checkLesson(t *testing.T, s *solve.Solution, p, q digit.Position, ask digit.Move, see string) {
	t.Helper()
	r := s.Rules()
	me, wins, all := r.Turn(p), 0, 0
	for _, c := range s.Choices(p) {
		if all++; c.Value.Outcome == solve.Win {
			wins++
		}
	}
	threats := map[digit.Digit]string{} // the numbers that win next
	for m, n := range r.Threats(q, me) {
		threats[m.Digit] = n.String()
	}
	theirs := 0
	for range r.Threats(q, me.Other()) {
		theirs++
	}
	switch {
	case s.Choice(p, ask).Value.Outcome != solve.Win:
		t.Errorf("%v: %s: %v does not win", r, see, ask)
	case strings.Contains(see, "both win"):
		for _, n := range threats {
			if !strings.Contains(see, n) {
				t.Errorf("%v: %s: %s wins too", r, see, n)
			}
		}
		if len(threats) != 2 || theirs > 0 {
			t.Errorf("%v: %s: threats %v, and %d of the computer", r, see, threats, theirs)
		}
	case strings.Contains(see, "all win"):
		_, list, _ := strings.Cut(see, ": then ")
		for d := range r.Left(q).All() {
			if _, wins := threats[d]; wins != strings.Contains(list, d.String()) {
				t.Errorf("%v: %s: %v wins: %t", r, see, d, wins)
			}
		}
		if theirs > 0 {
			t.Errorf("%v: %s: the computer has %d threats", r, see, theirs)
		}
	case strings.Contains(see, "only winning") && wins != 1:
		t.Errorf("%v: %s: %d moves win", r, see, wins)
	case strings.Contains(see, "any digit wins") && wins != all:
		t.Errorf("%v: %s: %d of %d moves win", r, see, wins, all)
	}
}
