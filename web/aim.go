package web

import (
	"slices"
	"strconv"

	"digitduel/digit"
	"digitduel/rulebook"
)

// aims are the targets that pages offer where players agree on one. With 7 a single digit wins, which makes a short game; usualAim is
// the one that is set, since no digit alone is a multiple of it.
var aims = []uint16{7, 11, 13}

const usualAim = 13

// agreesOnAim reports whether the players of a game agree on its target.
func agreesOnAim(r digit.Rules) bool { return r.Place == digit.Ends && r.Target > 0 }

// An aim is a target as a form offers it, with what the game is then.
type aim struct {
	Value   string
	Chosen  bool
	Goal    goalView
	Line    string
	Warning string
}

// aimsOf returns the targets that are offered for a game; none: its target is not agreed on.
func aimsOf(r digit.Rules, chosen string) (all []aim) {
	if !agreesOnAim(r) {
		return nil
	}
	for _, r.Target = range aims {
		value := strconv.Itoa(int(r.Target))
		all = append(all, aim{value, value == chosen, goalOf(r), sentence(rulebook.Line(r)), rulebook.Warning(r).Long})
	}
	return all
}

// aimOf returns which of the targets that a form offers is that of a game.
func aimOf(r digit.Rules) string {
	if slices.Contains(aims, r.Target) {
		return strconv.Itoa(int(r.Target))
	}
	return typedAnswer
}

// withoutAim returns the rules as the book has them, as to a target that is offered.
func withoutAim(r digit.Rules) digit.Rules {
	if agreesOnAim(r) && slices.Contains(aims, r.Target) {
		r.Target = r.Book().Rules.Target
	}
	return r
}
