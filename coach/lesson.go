package coach

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A Lesson is a short game in which the learner plays the moves asked for, and wins.
type Lesson struct {
	digit.Record
	rulebook.Lesson
	See []string // the explanation before each turn of the learner
	End string
}

// LessonOf returns a lesson with its explanations. The solution is that of its rules.
func LessonOf(t rulebook.Lesson, s *solve.Solution) Lesson {
	l := Lesson{Record: t.Record(), Lesson: t}
	learner := l.Rules.Turn(positionAfter(l.Rules, l.Moves[:t.From]))
	cast := Reader(learner)
	cast.Computer[learner.Other()] = true
	for i := t.From; i < len(l.Moves); i += 2 {
		l.See = append(l.See, lessonStep(s, l.Moves[:i], l.Moves[i], cast))
	}
	l.See[0] = strings.TrimSpace(l.See[0] + " " + t.More)
	return l
}

// FirstLesson returns the first lesson for a player who knows nothing yet: a digit is for both
// players, and two threats win.
func FirstLesson() Lesson {
	first := rulebook.Lessons[0]
	first.More = ""
	s, err := solve.Solve(context.Background(), first.Record().Rules, solve.Config{})
	if err != nil {
		panic("coach: the lesson is not solved: " + err.Error())
	}
	l := LessonOf(first, s)
	l.See[0] = fmt.Sprintf("Both of you take from these digits. %s. %s",
		rulebook.Goal(l.Rules).Short, l.See[0])
	l.End = "You had two ways to win, and the computer could stop only one."
	return l
}

// At returns the explanation and the move asked for after some moves of the lesson; ok is false if
// it isn't the learner's turn or the game has left the lesson.
func (l Lesson) At(moves []digit.Move) (see string, ask digit.Move, ok bool) {
	n := len(moves)
	if n < l.From || (n-l.From)%2 == 1 || n >= len(l.Moves) ||
		!slices.Equal(moves, l.Moves[:n]) {
		return "", digit.Move{}, false
	}
	return l.See[(n-l.From)/2], l.Moves[n], true
}

// Reply returns the computer's move in a position of the lesson.
func (l Lesson) Reply(at digit.Position) digit.Move {
	p := digit.Position{}
	for _, m := range l.Moves {
		if p == at {
			return m
		}
		p, _ = l.Rules.Play(p, m)
	}
	return digit.Move{}
}

// lessonStep explains the next move of a lesson, or only asks for it.
func lessonStep(s *solve.Solution, played []digit.Move, next digit.Move,
	cast rulebook.Cast) string {
	if text := LessonLine(s, played, next, cast); text != "" {
		return text
	}
	p := positionAfter(s.Rules(), played)
	text, _ := phrase(s, p, cast, func(v *view) string {
		put := v.begin(v.Put(p, next.Uncalled()))
		if next.Call != (digit.Number{}) {
			put += " and call " + v.Sum(next.Call)
		}
		return put + "."
	})
	return text
}

// LessonLine explains the next move of a lesson after some moves. It is empty if the move teaches
// nothing.
func LessonLine(s *solve.Solution, played []digit.Move, next digit.Move,
	cast rulebook.Cast) string {
	r := s.Rules()
	if text := threatLine(r, played, next, cast); text != "" {
		return text
	}
	p := positionAfter(r, played)
	text, _ := phrase(s, p, cast, func(v *view) string {
		put := v.begin(v.Put(p, next))
		switch keep := solve.Keep(v.choices); {
		case v.best.Outcome != solve.Win || s.Choice(p, next).Value.Outcome != solve.Win:
			return ""
		case keep == 1:
			return fmt.Sprintf("%s: it's %s only winning %s.", put, v.Possessive(v.me), v.kind())
		case keep == len(v.choices) && v.ranked():
			mine, ok := r.Number(p, v.me).At(0)
			theirs, both := r.Number(p, v.other).At(0)
			if better := (mine > theirs) == (r.Final[0] == digit.Higher); ok && both && better {
				return fmt.Sprintf("%v beats %v %s, so any digit wins. %s.", mine, theirs,
					v.Where(digit.SlotAt(0)), put)
			}
		}
		return ""
	})
	return text
}

// threatLine explains a legal move that makes two threats or more, or one that wins after the
// opponent stopped another. It is empty if the move does neither.
func threatLine(r digit.Rules, played []digit.Move, next digit.Move, cast rulebook.Cast) string {
	p := positionAfter(r, played)
	q, _ := r.Play(p, next)
	return rulebook.Say(r, cast, func(voice rulebook.Voice) string {
		v := &view{Voice: voice, position: p, me: r.Turn(p), other: r.Turn(p).Other()}
		put := v.begin(v.Put(p, next.Uncalled()))
		switch open := v.winning(q, v.me); {
		case v.winning(q, v.other) != 0:
		case open.Len() == 2:
			return fmt.Sprintf("%s: then %s both win.", put, v.numbers(v.threats(q, v.me), "and"))
		case open.Len() > 2:
			return fmt.Sprintf("%s: then %s.", put, allWin(open))
		}
		if len(played) == 0 || r.Result(q).Reason != digit.Multiple {
			return ""
		}
		last := played[len(played)-1]
		before := positionAfter(r, played[:len(played)-1])
		gone := v.completes(before, v.me, digit.PoolOf(last.Digit))
		if len(gone) == 0 {
			return ""
		}
		made := rulebook.Finished(r, q, r.Result(q)).Numbers[v.me]
		return fmt.Sprintf("%s took %v, so %s %s gone. %s: %s.", v.Who(v.other), last.Digit,
			v.numbers(gone, "and"), plural(len(gone), "is", "are"), put, v.Sum(made))
	}).Long
}

// positionAfter returns the position after legal moves.
func positionAfter(r digit.Rules, moves []digit.Move) (p digit.Position) {
	for _, m := range moves {
		p, _ = r.Play(p, m)
	}
	return p
}
