package rulebook_test

import (
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/rulebook"
)

// TestFirstLesson plays the lesson: what it says of the digits that are gone and of those that win is so, the computer stops one of
// the two ways to win as anybody would, and the learner wins.
func TestFirstLesson(t *testing.T) {
	l := rulebook.FirstLesson()
	p := digit.Position{}
	for i, m := range l.Moves {
		see, ask, ok := l.At(l.Moves[:i])
		if i%2 == 1 {
			if ok || l.Reply(p) != m {
				t.Errorf("after %d moves the computer answers %v, and the learner is asked for %v, %t", i, l.Reply(p), ask, ok)
			}
		} else if !ok || ask != m || see.Long == "" || strings.ContainsAny(see.Spoken, "=·+→_()/%") {
			t.Errorf("after %d moves the learner sees %+v and is asked for %v, %t", i, see, ask, ok)
		}
		ways := map[string]string{}
		for move, n := range l.Rules.Threats(p, digit.First) {
			ways[move.Digit.String()] = rulebook.Voice{Rules: l.Rules}.Sum(n)
		}
		switch i {
		case 2:
			next, _ := l.Rules.Play(p, m)
			for move := range l.Rules.Threats(next, digit.First) {
				ways[move.Digit.String()] = ""
			}
			if _, two := ways["2"]; !two || len(ways) != 2 || !strings.Contains(see.Long, "2 and 9") || !strings.Contains(see.Long, "took 3") {
				t.Errorf("%q is said, and %v win", see.Long, ways)
			}
		case 3:
			if _, stops := ways[m.Digit.String()]; !stops {
				t.Errorf("the computer plays %v and does not stop any of %v", m, ways)
			}
		case 4:
			if len(ways) != 1 || !strings.Contains(see.Long, ways["9"]) || !strings.Contains(see.Long, "took 2") {
				t.Errorf("%q is said, and %v win", see.Long, ways)
			}
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
		t.Error("another game is taken for the lesson")
	}
}
