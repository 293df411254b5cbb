package coach

import (
	"fmt"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// Outlook says who can force a win from the start, and how many first moves keep it.
func Outlook(s *solve.Solution) rulebook.Said {
	start := digit.Position{}
	choices := s.Choices(start)
	keep, all := solve.Keep(choices), len(choices)
	short, do := "The starter can force a win", "do"
	switch s.Value(start).Outcome {
	case solve.Loss:
		short = "The second player can force a win"
		return plain(short)
	case solve.Draw:
		short, do = "Nobody can force a win", "draw"
	case solve.Win:
	}
	if keep == 1 {
		do = map[string]string{"do": "does", "draw": "draws"}[do]
	}
	long := fmt.Sprintf("%s: %d of %d first moves %s.", short, keep, all, do)
	switch {
	case keep == all:
		long = fmt.Sprintf("%s: all %d first moves %s.", short, all, do)
	case do[:2] == "dr":
		long = fmt.Sprintf("%s: %d of %d first moves %s and %d %s.", short, keep, all, do, all-keep,
			plural(all-keep, "loses", "lose"))
	}
	return rulebook.Said{Short: short, Long: long, Spoken: long}
}

// Fairer advises on a fair match. It is empty if nobody can force a win from the start.
func Fairer(s *solve.Solution) string {
	if s.Value(digit.Position{}).Outcome == solve.Draw {
		return ""
	}
	return "Play two games and start one each."
}
