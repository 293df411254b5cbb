package coach

import (
	"testing"

	"digitduel/digit"
)

// TestFirstLesson plays the lesson: the computer stops one of two threats, and the learner wins with
// the other.
func TestFirstLesson(t *testing.T) {
	l := FirstLesson()
	p := digit.Position{}
	for i, m := range l.Moves {
		see, ask, ok := l.At(l.Moves[:i])
		if i%2 == 1 {
			if ok || l.Reply(p) != m {
				t.Errorf("after %d moves the computer answers %v, and the learner is asked for %v, %t", i, l.Reply(p), ask, ok)
			}
		} else if !ok || ask != m || see == "" {
			t.Errorf("after %d moves the learner sees %+v and is asked for %v, %t", i, see, ask, ok)
		}
		threats := 0
		for range l.Rules.Threats(p, digit.First) {
			threats++
		}
		if want := []int{0, 0, 0, 2, 1}[i]; threats != want {
			t.Errorf("after %d moves %d digits win, not %d", i, threats, want)
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
