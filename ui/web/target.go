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

// askAim asks for the target of a game, and warns of those that make it short.
func askAim(r digit.Rules, text, chosen string) question {
	q := question{Name: "aim", Text: text}
	for _, r.Target = range rulebook.Aims(r) {
		value := strconv.Itoa(int(r.Target))
		q.Answers = append(q.Answers,
			formOption{Value: value, Text: value, Note: rulebook.Warning(r).Long})
	}
	return q.chosen(chosen).orTyped(chosen, "another number")
}
