package coach

import (
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// Swap tells whoever is to move where the first move may be taken over: the one who makes it what to look for, and the other one that it is worth
// taking. It is empty where the advice is the same as without a swap.
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

// firstOfSwap tells what to look for in a first move that may be taken over.
func firstOfSwap(s *solve.Solution) rulebook.Said {
	choices, draws := s.Choices(digit.Position{}), 0
	for _, c := range choices {
		if s.Rules().Result(c.Next).Over() { // which nobody can take over
			return rulebook.Said{}
		}
		if c.Value.Outcome == solve.Draw {
			draws++
		}
	}
	return rulebook.HintFirst(draws, len(choices))
}
