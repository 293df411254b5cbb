package rulebook

import (
	"strings"

	"digitduel/digit"
)

// By says who chose a move.
type By uint8

const (
	Player   By = 0 // the player
	Chance   By = 1 // the clock, at random
	AutoCall By = 2 // the game made the call; may be combined with Chance
)

// Played describes a move that was just played, the number it made and, if it ended the game by the
// rules, the ending.
func Played(r digit.Rules, before digit.Position, m digit.Move, c Cast, by By) Said {
	side := r.Turn(before)
	next, err := r.Play(before, m)
	if err != nil {
		return Sentence("Nothing was played")
	}
	said := sayAll(r, c,
		func(v Voice) []string {
			verb, _ := v.put(before, m)
			call := ""
			if m.Calls() {
				call = ", called " + m.Call.String()
			}
			did := v.Who(side) + " " + v.Did(before, m.Uncalled())
			return []string{did + call, did, v.Who(side) + " " + pasts[verb] + " " +
				m.Digit.String()}
		},
		func(v Voice) string { return v.played(before, next, m, by) })
	result := r.Result(next)
	if !result.Over() || result.Reason == digit.Multiple {
		return said
	}
	return said.Then(Ending(r, next, result, c))
}

// Random says that time ran out and the clock played a move.
func (v Voice) Random(before digit.Position, m digit.Move) string {
	return v.Whose(v.Rules.Turn(before)) + " time ran out, so a random digit was played: " +
		v.Back(before, m.Uncalled())
}

// played describes a move and the number it made. A winning multiple comes with its sum.
func (v Voice) played(before, next digit.Position, m digit.Move, by By) string {
	side, result := v.Rules.Turn(before), v.Rules.Result(next)
	did := v.Who(side) + " " + v.Did(before, m.Uncalled())
	if by&Chance != 0 {
		did = v.Random(before, m)
	}
	won := result.Reason == digit.Multiple
	switch {
	case m.Calls() && !won: // the ending repeats the call
	case m.Calls() && by&AutoCall != 0:
		did += ". The game called " + v.Made(m.Call) + v.sign("", ",") + " for " + v.Whom(side)
	case m.Calls():
		did += v.then(by, side, " and called ", "called ") + v.Made(m.Call)
	case result.Over() && !won: // the ending compares the numbers
	default:
		did += v.made(next, side, won, by)
	}
	if won {
		return did + ". " + v.Does(side, "win") + "!"
	}
	return did + "."
}

// made returns the number that a move made, as the end of a sentence.
func (v Voice) made(next digit.Position, side digit.Side, won bool, by By) string {
	r, n := v.Rules, v.Rules.Number(next, side)
	if won {
		n = Finished(r, next, r.Result(next)).Numbers[side]
	}
	switch {
	case won && n.Len() == 1:
		return v.fill(", a multiple of ${t} on its own")
	case won:
		return v.then(by, side, ": ", "") + v.Sum(n)
	case r.Place != digit.Hand && r.Win == digit.WhenFull && r.Full(next, side):
		return v.then(by, side, ": ", "") + v.Sum(n) + v.noWin(n)
	case r.Place != digit.Slots && n.Len() == 1:
		return ""
	case r.Place == digit.Hand:
		hold := v.Verb(side, "hold") + " "
		return v.then(by, side, " and "+hold, hold) + Digits(n.Pool())
	default:
		return v.then(by, side, ": ", v.Verb(side, "have")+" ") + v.Row(n)
	}
}

// then joins the number to the move: with the first words, or in a sentence of its own if the move
// has a colon already or is heard. The other words follow the player there, if there are any.
func (v Voice) then(by By, side digit.Side, words, verb string) string {
	switch alone := by&Chance != 0 || v.form == heard && strings.HasPrefix(words, ":"); {
	case !alone:
		return words
	case verb == "":
		return ". "
	default:
		return ". " + v.Who(side) + " " + verb
	}
}

// noWin says why a full number doesn't win.
func (v Voice) noWin(n digit.Number) string {
	if v.Value(n)%int(v.Rules.Target) == 0 {
		return ", but it starts with 0, so it can't win"
	}
	return ", so no win"
}
