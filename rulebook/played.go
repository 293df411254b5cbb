package rulebook

import (
	"fmt"
	"strings"

	"digitduel/digit"
)

// By is who chose a move that a player did not choose alone.
type By uint8

const (
	Player   By = 0 // the player did
	Chance   By = 1 // time ran out, and chance played
	AutoCall By = 2 // the game called for the player, also after chance: Chance | AutoCall
)

// Played tells a move that was just played from a position, what it made, and if it ended the game by the rules, how.
func Played(r digit.Rules, before digit.Position, m digit.Move, c Cast, by By) Said {
	side := r.Turn(before)
	next, err := r.Play(before, m)
	if err != nil {
		return plain("Nothing was played", "Nothing was played.")
	}
	said := told(r, c,
		func(v Voice) []string {
			verb, rest := v.put(before, m)
			played := v.Does(side, verb) + " " + rest
			if m.Call != (digit.Number{}) {
				return []string{fmt.Sprintf("%s, calls %v", played, m.Call), fmt.Sprintf("%s %v", v.Does(side, "call"), m.Call)}
			}
			return []string{played, fmt.Sprintf("%s %v", v.Does(side, verb), m.Digit)}
		},
		func(v Voice) string { return v.played(before, next, m, by) })
	result := r.Result(next)
	if !result.Over() || result.Reason == digit.Multiple {
		return said
	}
	return said.Then(Ending(r, next, result, c))
}

// played tells a move and what it made; a multiple that wins is told with its sum.
func (v Voice) played(before, next digit.Position, m digit.Move, by By) string {
	r, side := v.Rules, v.Rules.Turn(before)
	verb, rest := v.put(before, m)
	text := v.Does(side, verb) + " " + rest
	if by&Chance != 0 {
		text = v.Whose(side) + " time ran out, so a random digit was played: " + v.Back(before, m.Uncalled())
	}
	n := r.Number(next, side)
	won := r.Result(next).Reason == digit.Multiple
	finish := Finished(r, next, r.Result(next))
	win := ". " + v.Does(side, "win") + "!"
	switch {
	case m.Call != (digit.Number{}) && !won:
		return text + "." // the ending tells what was called
	case m.Call != (digit.Number{}) && by&AutoCall != 0:
		text += fmt.Sprintf(". The game calls %s for %s", v.Made(m.Call), v.Whom(side))
	case m.Call != (digit.Number{}):
		text += " and " + v.verb(side, "call") + " " + v.Made(m.Call)
	case r.Place == digit.Hand && won:
		text += ": " + v.Sum(finish.Numbers[side])
	case r.Place == digit.Hand && (n.Len() == 1 || r.Result(next).Over()):
	case r.Place == digit.Hand:
		text += " and " + v.verb(side, "hold") + " " + Digits(n.Pool())
	case r.Result(next).Over() && !won: // the ending tells the numbers
	case won, r.Win == digit.WhenFull && r.Full(next, side):
		text += v.colon() + v.Sum(n) + v.noMultiple(n, won)
	case r.Place == digit.Ends && n.Len() == 1:
	case v.form == heard:
		text += ". " + v.Does(side, "have") + " " + v.Row(n)
	default:
		text += ": " + v.Row(n)
	}
	if won {
		return text + win
	}
	return text + "."
}

// colon stands between what was done and what it made.
func (v Voice) colon() string { return v.sign(": ", ". ") }

// noMultiple tells that a full number is none, or why it does not count.
func (v Voice) noMultiple(n digit.Number, won bool) string {
	switch {
	case won:
		return ""
	case n.Value(v.Rules.Base())%int(v.Rules.Target) == 0:
		return ", but it begins with 0 and cannot win"
	default:
		return fmt.Sprintf(", no multiple of %d", v.Rules.Target)
	}
}

// Moves tells the moves of a line of play from a position, each as something to do: "put 7 on the left, put 3 in the middle".
func (v Voice) Moves(p digit.Position, moves []digit.Move) string {
	var said []string
	for _, m := range moves {
		said = append(said, v.Put(p, m))
		p, _ = v.Rules.Play(p, m) // a move that is told was played
	}
	return strings.Join(said, ", ")
}
