package coach

import (
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// Swap advises the player to move when the first move may be taken over: its player on what to look
// for, and the opponent to take it if it wins. It is empty if the advice is the same without a
// swap.
func Swap(s *solve.Solution, p digit.Position) rulebook.Said {
	switch {
	case p == digit.Position{}:
		return firstOfSwap(s)
	case s.Value(p).Outcome == solve.Loss:
		return rulebook.HintSwap
	default:
		return rulebook.Said{}
	}
}

// firstOfSwap advises on a first move that may be taken over.
func firstOfSwap(s *solve.Solution) rulebook.Said {
	choices, draws := s.Choices(digit.Position{}), 0
	for _, c := range choices {
		if s.Rules().Result(c.Next).Over() { // nobody can take it over
			return rulebook.Said{}
		}
		if c.Value.Outcome == solve.Draw {
			draws++
		}
	}
	return rulebook.HintFirst(draws, len(choices))
}
