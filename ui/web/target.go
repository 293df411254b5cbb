package web

import (
	"slices"
	"strconv"

	"digitduel/digit"
	"digitduel/rulebook"
)

// choosesTarget reports whether the players of a game agree on its target.
func choosesTarget(r digit.Rules) bool { return rulebook.Aims(r) != nil && !isFair(r) }

// isFair reports whether rules are those of a fair game, which with another target would be none.
func isFair(r digit.Rules) bool {
	return slices.ContainsFunc(digit.Fair, func(b digit.Book) bool { return b.Rules == r })
}

// A targetOption is a target as a form offers it, with what the game is then.
type targetOption struct {
	Value   string
	Chosen  bool
	Goal    goalView
	Line    string
	Warning string
}

// targetOptions returns the targets that are offered for a game; none: its target is not agreed on.
func targetOptions(r digit.Rules, chosen string) (all []targetOption) {
	if !choosesTarget(r) {
		return nil
	}
	for _, r.Target = range rulebook.Aims(r) {
		value := strconv.Itoa(int(r.Target))
		all = append(all, targetOption{value, value == chosen, goalOf(r), sentence(rulebook.Line(r)), rulebook.Warning(r).Long})
	}
	return all
}

// chosenTarget returns which of the targets that a form offers is that of a game.
func chosenTarget(r digit.Rules) string {
	if slices.Contains(rulebook.Aims(r), r.Target) {
		return strconv.Itoa(int(r.Target))
	}
	return typedAnswer
}
