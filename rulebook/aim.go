package rulebook

import "digitduel/digit"

// aims are the targets that are offered where players agree on one.
var aims = []uint16{7, 11, 13, UsualAim}

// UsualAim is the one of them that is set: by the figures of the lab the most even one that is easy to reckon with.
const UsualAim = 33

// Aims returns the targets that the players of a game are offered to agree on, and nothing where they do not agree on one: a fair game has
// the target that makes it fair.
func Aims(r digit.Rules) []uint16 {
	if _, fair := FairnessOf(r); fair || r.Place != digit.Ends || r.Target == 0 {
		return nil
	}
	return aims
}
