package coach

import (
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// Outlook says who can force a win from the start, and how many first moves keep it.
func Outlook(s *solve.Solution) string {
	count := map[solve.Outcome]int{}
	for _, c := range s.Choices(digit.Position{}) {
		count[c.Value.Outcome]++
	}
	return rulebook.Outlook(count[solve.Win], count[solve.Draw], count[solve.Loss]).Long
}

// Fairer advises on a fair match. It is empty if nobody can force a win from the start.
func Fairer(s *solve.Solution) string {
	if s.Value(digit.Position{}).Outcome == solve.Draw {
		return ""
	}
	return "Play two games and start one each."
}
