package eval

import (
	"fmt"

	"digitduel/arena/answer"
)

// again returns the message that asks for another answer.
func again(text string, why error) Message {
	quoted, ok := answer.Read(text)
	if !ok {
		quoted = text
	}
	return Message{"user", fmt.Sprintf("%q cannot be played: %v. Answer again, and end with the "+
		"line MOVE: ...", short(quoted), why)}
}
