package solve

import "digitduel/digit"

// Classes returns how many classes there are of the positions of a ply; 0 where positions are not told apart by class: at the end of a game,
// and with folded layers before the last digit too.
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

// Class returns which one of the classes of its ply a position is in, from 0 on. There must be classes of that ply, and the game must go on.
// From two positions of one class the same game goes on: choice by choice they lead to the same classes.
func (s *Solution) Class(p digit.Position) int64 {
	g := s.game
	ply := g.rules.Ply(p)
	if s.plains != nil {
		return g.newPlain(ply).index(g, p)
	}
	sides := [2]side{g.read(p, digit.First), g.read(p, digit.Second)}
	return s.folds[ply].index(g, g.pool&^(sides[0].set|sides[1].set), &sides)
}
