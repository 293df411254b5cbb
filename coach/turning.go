package coach

import (
	"cmp"
	"fmt"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A TurningPoint is the last change of a game: from there on, nobody gave anything up.
type TurningPoint struct {
	Ply     int           // of that move, counted from 1; 0: none, or the game was given up
	Text    rulebook.Said // "Your third move decided it."
	Instead rulebook.Said // "2 or 9 in the middle would have won."; may be empty
}

// turningPoint returns the turning point of a reviewed game. A game that is not over has none
// without a change.
func (rv Review) turningPoint(s *solve.Solution, remark rulebook.Said,
	cast rulebook.Cast) TurningPoint {
	changes := rv.Mistakes()
	switch {
	case remark.Short != "":
		return TurningPoint{Text: remark}
	case len(changes) == 0 && !rv.Result.Over():
		return TurningPoint{}
	case len(changes) == 0:
		return TurningPoint{Text: rv.flawless(cast)}
	}
	last := changes[len(changes)-1]
	out := TurningPoint{Ply: last.Ply}
	if len(changes) > 2 {
		out.Text = rulebook.Sentence(fmt.Sprintf("The lead changed %d times", len(changes)))
		out.Instead = rv.lastChance(cast)
		return out
	}
	out.Text = rulebook.SaySentence(rv.Rules, cast, func(v rulebook.Voice) string {
		nth := rulebook.InOrder(rv.Rules.Held(last.At, last.Side).Len() + 1)
		return fmt.Sprintf("%s %s %s decided it", v.Whose(last.Side), nth, noun(rv.Rules))
	})
	out.Instead = instead(s, last, cast)
	return out
}

// flawless describes a finished game without a change.
func (rv Review) flawless(cast rulebook.Cast) rulebook.Said {
	value, turn, since := rv.Value, digit.Side(len(rv.Moves)%2), "from the start"
	for _, j := range rv.Moves {
		if j.Grade != Given {
			value, turn = j.Best, j.Side
			break
		}
		since = "from there"
	}
	winner, won := value.Winner(turn)
	return rulebook.Say(rv.Rules, cast, func(v rulebook.Voice) string {
		if !won {
			return "Nobody made a mistake, and nobody could force a win."
		}
		return fmt.Sprintf("Nobody made a mistake. %s could force a win %s.", v.Who(winner), since)
	}).Titled("Nobody made a mistake")
}

// lastChance names the last change of the reader, or of the loser if the reader won or watched. It
// is empty if that player made none.
func (rv Review) lastChance(cast rulebook.Cast) (said rulebook.Said) {
	side := rv.Mistakes()[0].Side
	if winner, won := rv.Result.Winner(); won {
		side = winner.Other()
	}
	for _, s := range digit.Sides {
		if winner, won := rv.Result.Winner(); cast.You[s] && !(won && winner == s) {
			side = s
		}
	}
	changes := rv.Mistakes(side)
	if len(changes) == 0 {
		return said
	}
	chance := fmt.Sprintf(" last chance was move %d", changes[len(changes)-1].Ply)
	said = rulebook.Sentence(rulebook.LongVoice(rv.Rules, cast).Whose(side) + chance)
	return said.Titled(rulebook.Fit(said.Short, "The"+chance))
}

// instead names moves that would have kept the outcome that a change gave up.
func instead(s *solve.Solution, change Judged, cast rulebook.Cast) (said rulebook.Said) {
	would := "would have won"
	if change.Best.Outcome == solve.Draw {
		would = "would have kept the draw"
	}
	said.Long, said.Spoken = phrase(s, change.At, cast, func(v *view) string {
		keep := v.keep()
		var moves []digit.Move
		for _, c := range keep {
			moves = append(moves, c.Move)
		}
		short, more := v.either(v.position, moves), ""
		if len(keep) > 2 {
			short = v.say("%s ${move}s", rulebook.InWords(len(keep)))
			more = fmt.Sprintf("; %s was one", v.Back(v.position, v.advice().Move))
		}
		short = v.begin(short) + " " + would
		said.Short = cmp.Or(said.Short, short) // the text to be read comes first
		return short + more + "."
	})
	return said.Titled(rulebook.Fit(said.Short, "Another move "+would))
}
