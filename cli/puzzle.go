package cli

import (
	"math/rand/v2"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// choosers returns the levels of the computer as what tries puzzles.
func choosers(s *solve.Solution) []coach.Chooser {
	all := make([]coach.Chooser, len(bot.Levels))
	for i, l := range bot.Levels {
		all[i] = func(p digit.Position, seed uint64) digit.Move {
			return bot.New(l, s, rand.New(rand.NewPCG(seed, uint64(i)))).Choose(p)
		}
	}
	return all
}

// PuzzleFor returns a puzzle for a level, one of [bot.Levels] but the last: the level fails it, and the next stronger one does not.
func PuzzleFor(s *solve.Solution, level int, intn func(int) int) (z coach.Puzzle, ok bool) {
	all := choosers(s)
	return coach.Random(s, intn, func(z coach.Puzzle) bool {
		return z.Choices >= 4 && coach.Fails(z, all[level]) && !coach.Fails(z, all[level+1])
	})
}

// PuzzleQuestion says what to look for in a puzzle, and how hard it is.
func PuzzleQuestion(s *solve.Solution, z coach.Puzzle) string {
	missed := coach.Difficulty(z, choosers(s))
	return rulebook.Puzzle(z.Choices, z.Plies == 1).Long + " " + rulebook.Missed(missed, len(bot.Levels)).Long
}
