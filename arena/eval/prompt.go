package eval

import (
	"fmt"

	"digitduel/arena/answer"
	"digitduel/arena/speech"
	"digitduel/digit"
)

// System returns the first message of every conversation about a game.
func System(s speech.Speech) Message { return Message{"system", speech.System(s)} }

// Question returns the message that asks for a move.
func Question(s speech.Speech, r digit.Rules, p digit.Position, showMoves bool) Message {
	return Message{"user", speech.Question(s, r, p, showMoves)}
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
