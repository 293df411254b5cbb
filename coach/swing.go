package coach

import (
	"slices"
	"unicode/utf8"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A Swing is where a game turned: the last move that threw something away, since from there on who won never let go. Nothing is told of
// a game that was left unfinished.
type Swing struct {
	Ply     int           // of that move, counted from 1; 0: no move turned it, or the game was given up before it was lost
	Told    rulebook.Said // "It turned on your third move: 4 in the middle made 741."
	Instead rulebook.Said // "2 or 9 in the middle would have won: 721 = 7·103."; empty without such a move
}

// swing returns where a reviewed game turned.
func (rv Review) swing(s *solve.Solution, remark rulebook.Said, cast rulebook.Cast) Swing {
	winner, won := rv.Result.Winner()
	mistakes := rv.Mistakes()
	switch {
	case !rv.Result.Over():
		return Swing{}
	case remark.Short != "":
		return Swing{Told: remark}
	case len(mistakes) == 0:
		return Swing{Told: rulebook.NoMistake(cast, winner, won)}
	}
	last := mistakes[len(mistakes)-1]
	told := rulebook.Turned(rv.Rules, last.At, last.Move, cast)
	if won && cast.You[winner] && len(rv.Mistakes(winner)) == 0 {
		told = rulebook.AllRight(cast, winner).Then(told)
	}
	return Swing{last.Ply, told, instead(s, last, cast)}
}

// instead tells the moves that would not have thrown away what a move did.
func instead(s *solve.Solution, mistake Judged, cast rulebook.Cast) (said rulebook.Said) {
	would := " would have won"
	if mistake.Best.Outcome == solve.Draw {
		would = " would have kept the draw"
	}
	said.Long, said.Spoken = tell(s, mistake.At, cast, tone{past: true}, func(v *view) string {
		best := v.advice()
		moves := []digit.Move{best.Move}
		for _, c := range v.choices {
			if c.Value.Outcome == v.best.Outcome && c.Move != best.Move {
				moves = append(moves, c.Move)
			}
		}
		text := v.begin(v.either(v.position, moves)) + would
		if said.Short == "" { // what is read comes first
			said.Short = short(text, v.begin(v.Back(v.position, best.Move))+would, "Another move"+would)
		}
		f := rulebook.Finished(v.Rules, best.Next, v.Rules.Result(best.Next))
		if f.Result.Reason == digit.Multiple && best.Move.Call == (digit.Number{}) {
			text += ": " + v.Sum(f.Numbers[v.me])
		}
		return text + "."
	})
	return said
}

// short returns the first of some texts, from rich to poor, that is a short form.
func short(texts ...string) string {
	at := slices.IndexFunc(texts, func(text string) bool { return utf8.RuneCountInString(text) <= rulebook.MostShort })
	return texts[at]
}
