package coach

import (
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A Lesson is a short game in which the learner starts, plays the moves asked for, and wins.
type Lesson struct {
	digit.Record
	See []rulebook.Said // the explanation before each turn of the learner
	End rulebook.Said
}

// learner is the cast of a lesson: the learner starts against the computer.
var learner = rulebook.Cast{Names: [2]string{"", "Computer"}, You: [2]bool{true, false}, Computer: [2]bool{false, true}}

// FirstLesson returns the first lesson: a digit is for both players, and two threats win.
func FirstLesson() Lesson {
	game, err := digit.ParseRecord("dilemma 7a 3b 1c 2a 9b 1-0 multiple")
	if err != nil {
		panic("coach: the lesson is not a game: " + err.Error())
	}
	l := Lesson{Record: game, End: plain("You had two ways to win")}
	l.End.Long = "You had two ways to win, and the computer could stop only one."
	l.End.Spoken = l.End.Long
	first := rulebook.Voice{Rules: game.Rules}.Put(digit.Position{}, game.Moves[0])
	goal := fmt.Sprintf("Both of you take from these digits. %s. P%s.", rulebook.Goal(game.Rules).Short, first[1:])
	l.See = append(l.See, rulebook.Said{Long: goal, Spoken: goal})
	for i := 2; i < len(game.Moves); i += 2 {
		said, _ := threatLine(game.Rules, game.Moves[:i], game.Moves[i], learner)
		l.See = append(l.See, said)
	}
	return l
}

// At returns the explanation and the move asked for after some moves of the lesson; ok is false if
// it isn't the learner's turn or the game has left the lesson.
func (l Lesson) At(moves []digit.Move) (see rulebook.Said, ask digit.Move, ok bool) {
	n := len(moves)
	if n%2 == 1 || n >= len(l.Moves) || !slices.Equal(moves, l.Moves[:n]) {
		return rulebook.Said{}, digit.Move{}, false
	}
	return l.See[n/2], l.Moves[n], true
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

// LessonLine explains the next move of a lesson after some moves. It is empty if the move teaches
// nothing.
func LessonLine(s *solve.Solution, played []digit.Move, next digit.Move, cast rulebook.Cast) rulebook.Said {
	r := s.Rules()
	if said, ok := threatLine(r, played, next, cast); ok {
		return said
	}
	p := positionAfter(r, played)
	var said rulebook.Said
	said.Long, said.Spoken = tell(s, p, cast, func(v *view) string {
		put := v.begin(v.Put(p, next))
		switch keep := solve.Keep(v.choices); {
		case v.best.Outcome != solve.Win || s.Choice(p, next).Value.Outcome != solve.Win:
			return ""
		case keep == 1:
			return fmt.Sprintf("%s: it's %s only winning %s.", put, v.whose(v.me), v.kind())
		case keep == len(v.choices) && v.ranked():
			mine, ok := r.Number(p, v.me).At(0)
			theirs, both := r.Number(p, v.other).At(0)
			if better := (mine > theirs) == (r.Final[0] == digit.Higher); ok && both && better {
				return fmt.Sprintf("%v beats %v %s, so any digit wins. %s.", mine, theirs, v.Where(digit.SlotAt(0)), put)
			}
		}
		return ""
	})
	return said
}

// threatLine explains a move that makes two threats, or one that wins after the opponent stopped
// another; ok is false if the move does neither.
func threatLine(r digit.Rules, played []digit.Move, next digit.Move, cast rulebook.Cast) (said rulebook.Said, ok bool) {
	p := positionAfter(r, played)
	q, err := r.Play(p, next)
	if err != nil {
		return said, false
	}
	said.Long, said.Spoken = rulebook.Tell(r, cast, func(voice rulebook.Voice) string {
		v := &view{Voice: voice, position: p, me: r.Turn(p), other: r.Turn(p).Other()}
		put := v.begin(v.Put(p, next.Uncalled()))
		if v.winning(q, v.me).Len() == 2 && v.winning(q, v.other) == 0 {
			return fmt.Sprintf("%s: then %s both win.", put, v.numbers(v.threats(q, v.me), "and"))
		}
		if len(played) == 0 || r.Result(q).Reason != digit.Multiple {
			return ""
		}
		last := played[len(played)-1]
		gone := v.completes(positionAfter(r, played[:len(played)-1]), v.me, digit.PoolOf(last.Digit))
		if len(gone) == 0 {
			return ""
		}
		return fmt.Sprintf("%s took %v, so %s %s gone. %s: %s.", v.Who(v.other), last.Digit, v.numbers(gone, "and"),
			plural(len(gone), "is", "are"), put, v.Sum(rulebook.Finished(r, q, r.Result(q)).Numbers[v.me]))
	})
	return said, strings.TrimSpace(said.Long) != ""
}

// positionAfter returns the position after legal moves.
func positionAfter(r digit.Rules, moves []digit.Move) (p digit.Position) {
	for _, m := range moves {
		p, _ = r.Play(p, m)
	}
	return p
}
