package rulebook

import "digitduel/digit"

// aims are the targets that are offered where players agree on one.
var aims = []uint16{7, 11, 13}

// UsualAim is the one of them that is set: no digit alone is a multiple of it.
const UsualAim = 13

// Aims returns the targets that the players of a game are offered to agree on, and nothing where they do not agree on one.
func Aims(r digit.Rules) []uint16 {
	if r.Place != digit.Ends || r.Target == 0 {
		return nil
	}
	return aims
}
