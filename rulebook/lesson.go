package rulebook

import (
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
)

// A Lesson is a short game in which a learner, who starts, plays what is asked for and wins.
type Lesson struct {
	digit.Record
	See []Said // what there is to see before each turn of the learner
	End Said   // what is to be learnt from it
}

// FirstLesson returns the lesson for whoever comes for the first time: take a digit, put it somewhere, see that it is gone for both, have two ways
// to win of which the other player can stop only one.
func FirstLesson() Lesson {
	game, err := digit.ParseRecord("dilemma 7a 3b 1c 2a 9b 1-0 multiple")
	if err != nil {
		panic("rulebook: the lesson is a game: " + err.Error())
	}
	l := Lesson{Record: game, End: plain("Two ways to win: one was left", "You had two ways to win, and the other player could stop only one. That is the whole art.")}
	p := digit.Position{}
	for i, m := range game.Moves {
		if i%2 == 0 {
			long, spoken := Tell(game.Rules, Cast{You: [2]bool{true, false}}, func(v Voice) string { return v.lesson(p, game.Moves[:i]) })
			l.See = append(l.See, Said{Long: long, Spoken: spoken})
		}
		p, _ = game.Rules.Play(p, m) // it is a game
	}
	return l
}

// lesson tells what there is to see after some moves of the first lesson.
func (v Voice) lesson(p digit.Position, played []digit.Move) string {
	switch len(played) {
	case 0:
		return fmt.Sprintf("These digits are for both of you. Fill your %s places. %s.", InWords(int(v.Rules.Width)), goalShort(v.Rules))
	case 2:
		return fmt.Sprintf("The computer took %v: it is gone for you too. With 1 on the right, 2 and 9 would both win.", played[1].Digit)
	default:
		var text strings.Builder
		text.WriteString(fmt.Sprintf("The computer took %v to stop you. One way is left: ", played[3].Digit))
		for _, n := range v.Rules.Threats(p, digit.First) {
			text.WriteString(v.Made(n))
		}
		return text.String() + "."
	}
}

// At returns what there is to see after some moves of the lesson, and what the learner is asked to play; ok is false when the learner is not to
// move or has left the lesson.
func (l Lesson) At(moves []digit.Move) (see Said, ask digit.Move, ok bool) {
	n := len(moves)
	if n%2 == 1 || n >= len(l.Moves) || !slices.Equal(moves, l.Moves[:n]) {
		return Said{}, digit.Move{}, false
	}
	return l.See[n/2], l.Moves[n], true
}

// Reply returns what the computer answers in a position of the lesson.
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
