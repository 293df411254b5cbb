package rulebook

import (
	"fmt"
	"strconv"
	"strings"

	"digitduel/digit"
)

// aims are the targets that are offered where players agree on one.
var aims = []uint16{7, 11, 13, UsualAim}

// UsualAim is the default among them: the most even target, by the lab's figures, that is easy to
// compute with.
const UsualAim = 33

// Aims returns the targets that players may agree on, or nil if the game has its own. A fair game
// keeps the target that makes it fair.
func Aims(r digit.Rules) []uint16 {
	if _, fair := FairnessOf(r); fair || r.Place != digit.Ends || r.Target == 0 {
		return nil
	}
	return aims
}

// Usual returns the rules of a book with the target that is the default where players agree on one.
func Usual(r digit.Rules) digit.Rules {
	if Aims(r) != nil {
		r.Target = UsualAim
	}
	return r
}

// AskAim asks the players of a book for the target on which they agree.
func AskAim(r digit.Rules) string {
	var offered []string
	for _, aim := range Aims(r) {
		text := strconv.Itoa(int(aim))
		if aim == r.Target {
			text += " (the book's example)"
		}
		offered = append(offered, text)
	}
	return fmt.Sprintf("Agree on a target: %s, other. Enter for %d:",
		strings.Join(offered, ", "), UsualAim)
}
