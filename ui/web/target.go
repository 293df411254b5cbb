package web

import (
	"slices"
	"strconv"

	"digitduel/digit"
	"digitduel/rulebook"
)

// choosesTarget reports whether the players of a game agree on its target.
func choosesTarget(r digit.Rules) bool { return rulebook.Aims(r) != nil && !isFair(r) }

// isFair reports whether rules are those of a fair game, which another target would change.
func isFair(r digit.Rules) bool {
	return slices.ContainsFunc(digit.Fair, func(b digit.Book) bool { return b.Rules == r })
}

// A targetOption is a target that a form offers, with the game it makes.
type targetOption struct {
	Value   string
	Chosen  bool
	Goal    goalView
	Line    string
	Warning string
}

// targetOptions returns the targets offered for a game; none: its target is fixed.
func targetOptions(r digit.Rules, chosen string) (all []targetOption) {
	if !choosesTarget(r) {
		return nil
	}
	for _, r.Target = range rulebook.Aims(r) {
		value := strconv.Itoa(int(r.Target))
		all = append(all, targetOption{value, value == chosen, goalOf(r),
			sentence(rulebook.Line(r)), rulebook.Warning(r).Long})
	}
	return all
}

// chosenTarget returns the option of a form for the target of a game.
func chosenTarget(r digit.Rules) string {
	if slices.Contains(rulebook.Aims(r), r.Target) {
		return strconv.Itoa(int(r.Target))
	}
	return typedAnswer
}
