package eval

import (
	"fmt"
	"slices"
	"strings"

	"digitduel/arena/answer"
	"digitduel/arena/speech"
	"digitduel/digit"
)

// System returns the first message of every conversation about a game: its rules.
func System(s speech.Speech) Message {
	return Message{"system", "You are playing a game for two. The first player moves first, then " +
		"both in turn. These are its complete rules.\n\n" + strings.TrimSpace(s.Explain()) +
		"\n\nYou will be shown the position on your turn. Think it through, then end your answer " +
		"with one line of this form, with your move in place of the dots:\nMOVE: ..."}
}

// Question returns the message that asks for a move.
func Question(s speech.Speech, r digit.Rules, p digit.Position, showMoves bool) Message {
	text := fmt.Sprintf("It is your turn. You are the %v player.\n\n%s\n", r.Turn(p), s.Board(p))
	if showMoves {
		var moves []string
		for m := range r.Moves(p) {
			moves = append(moves, s.Move(m))
		}
		slices.Sort(moves) // the order of the digits would give a disguise away
		text += "legal   " + strings.Join(moves, " ") + "\n"
	}
	return Message{"user", text + "\nWhat do you play?"}
}

// again returns the message that asks for another answer.
func again(text string, why error) Message {
	quoted, ok := answer.Read(text)
	if !ok {
		quoted = text
	}
	return Message{"user", fmt.Sprintf("%q cannot be played: %v. Answer again, and end with the "+
		"line MOVE: ...", short(quoted), why)}
}
