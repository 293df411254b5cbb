package coach

import (
	"fmt"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// Outlook tells who wins a game from its start with best play, when, and by how many of the first moves.
func Outlook(s *solve.Solution) rulebook.Said {
	start := digit.Position{}
	value, choices := s.Value(start), s.Choices(start)
	keep := solve.Keep(choices)
	short, result := "With best play it is a draw", "keep the draw"
	if winner, won := value.Winner(digit.First); won {
		who := map[digit.Side]string{digit.First: "whoever starts", digit.Second: "the second player"}[winner]
		short, result = fmt.Sprintf("With best play %s wins", who), "win"
		if value.Plies == 1 {
			short += " at once"
		}
	}
	long := short
	if value.Plies > 1 {
		long += fmt.Sprintf(", in %d turns", value.Plies)
	}
	switch {
	case value.Outcome == solve.Loss:
		long += ", whatever the first move."
	case keep == len(choices):
		long += ", by any first move."
	default:
		if keep == 1 {
			result = map[string]string{"win": "wins", "keep the draw": "keeps the draw"}[result]
		}
		long += fmt.Sprintf(". Of the %d first moves %d %s.", len(choices), keep, result)
	}
	return rulebook.Said{Short: short, Long: long, Spoken: long}
}

// better tells who has the better of a game; nothing where nobody has.
func better(s *solve.Solution) string {
	return map[solve.Outcome]string{solve.Win: "Whoever starts has the better of it", solve.Loss: "The second player has the better of it"}[s.Value(digit.Position{}).Outcome]
}

// Fairer tells who has the better of a game, and what is fairer; nothing where nobody has.
func Fairer(s *solve.Solution) string {
	if who := better(s); who != "" {
		return who + ": a pair is fairer."
	}
	return ""
}

// Fair tells how a match of a game is fair to both.
func Fair(s *solve.Solution) string {
	who := better(s)
	if who == "" {
		return "Neither player has the better of it, so any number of games is fair."
	}
	return who + ". The start changes with every game, so an even number is fair: each starts as often."
}
