package solve

import "digitduel/digit"

// Classes returns the number of position classes of a ply, or 0 if positions of the ply have no
// classes: at the end of a game and, with folded layers, before the last digit.
func (s *Solution) Classes(ply int) int64 {
	switch {
	case s.plains != nil && ply < s.game.total:
		return s.game.countPlain(ply)
	case s.folds != nil && ply <= s.game.last:
		return int64(len(s.folds[ply].cells))
	default:
		return 0
	}
}

// Class returns the class of a position, a number from 0 and below [Solution.Classes] of its ply.
// The ply must have classes, and the game must not be over. Positions of one class are equivalent:
// choice by choice they lead to the same classes.
func (s *Solution) Class(p digit.Position) int64 {
	g := s.game
	ply := g.rules.Ply(p)
	if s.plains != nil {
		return g.newPlain(ply).index(g, p)
	}
	sides := [2]side{g.read(p, digit.First), g.read(p, digit.Second)}
	return s.folds[ply].index(g, g.pool&^(sides[0].set|sides[1].set), &sides)
}
