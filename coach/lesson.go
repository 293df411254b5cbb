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
	learner := digit.Side(t.From % 2)
	cast := Reader(learner)
	cast.Computer[learner.Other()] = true
	for i := t.From; i < len(l.Moves); i += 2 {
		l.See = append(l.See, LessonLine(s, l.Moves[:i], l.Moves[i], cast))
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
	for i, m := range l.Moves {
		if l.Rules.After(l.Moves[:i]) == at {
			return m
		}
	}
	return digit.Move{}
}

// LessonLine explains the next move of a lesson after some moves. If the move teaches nothing, it
// only asks for it.
func LessonLine(s *solve.Solution, played []digit.Move, next digit.Move,
	cast rulebook.Cast) string {
	text, _ := phrase(s, s.Rules().After(played), cast, func(v *view) string {
		c := s.Choice(v.position, next)
		put := v.begin(v.Put(v.position, next.Uncalled()))
		mine, ok := v.Rules.Number(v.position, v.me).At(0)
		theirs, both := v.Rules.Number(v.position, v.other).At(0)
		threats, keep := v.threatLine(put, played, c), solve.Keep(v.choices)
		switch win := c.Value.Outcome == solve.Win; {
		case threats != "":
			return threats
		case win && keep == 1:
			return v.say("%s: it's ${my} only winning ${move}.", v.begin(v.Put(v.position, next)))
		case win && keep == len(v.choices) && v.ranked() && ok && both &&
			(mine > theirs) == (v.Rules.Final[0] == digit.Higher):
			return fmt.Sprintf("%v beats %v %s, so any digit wins. %s.", mine, theirs,
				v.Where(digit.SlotAt(0)), put)
		case next.Calls():
			return put + " and call " + v.Sum(next.Call) + "."
		default:
			return put + "."
		}
	})
	return text
}

// threatLine explains a choice that makes two threats or more, or one that wins after the opponent
// stopped another. It is empty if the choice does neither.
func (v *view) threatLine(put string, played []digit.Move, c solve.Choice) string {
	if many := v.manyWin(c); many != "" && v.winning(c.Next, v.other) == 0 {
		return put + ": " + many + "."
	}
	if len(played) == 0 || v.Rules.Result(c.Next).Reason != digit.Multiple {
		return ""
	}
	last := len(played) - 1
	taken := played[last].Digit
	gone := v.completes(v.Rules.After(played[:last]), v.me, digit.PoolOf(taken))
	if len(gone) == 0 {
		return ""
	}
	return v.say("${They} took %v, so %s %s gone. %s: %s.", taken,
		v.numbers(gone, "and"), plural(len(gone), "is", "are"), put,
		v.Sum(v.finish(c).Numbers[v.me]))
}
