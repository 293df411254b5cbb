package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
)

// changesOf returns the options in which rules differ from their book. A fair game has a name of
// its own, and so none.
func changesOf(r digit.Rules) string {
	if isFair(r) {
		return ""
	}
	_, changes, _ := strings.Cut(withoutTarget(r).String(), " ")
	if r.Target > 0 && r.Target != r.Book().Rules.Target {
		changes = strings.TrimSpace(fmt.Sprintf("multiples of %d %s", r.Target, changes))
	}
	return changes
}

// withoutTarget returns rules with the target of their book, because the goal shows the real one.
func withoutTarget(r digit.Rules) digit.Rules {
	if !isFair(r) {
		r.Target = r.Book().Rules.Target
	}
	return r
}

// choosesTarget reports whether the players of a game agree on its target.
func choosesTarget(r digit.Rules) bool { return rulebook.Aims(r) != nil && !isFair(r) }

// isFair reports whether rules are those of a fair game, which another target would change.
func isFair(r digit.Rules) bool {
	return slices.ContainsFunc(digit.Fair, func(b digit.Book) bool { return b.Rules == r })
}

// lineOf returns the sentence that describes a game in a list.
func lineOf(r digit.Rules) string { return rulebook.Complete(rulebook.Line(r)) }

// whyFair returns the reason why a game is fair; empty: it is not one of the fair games.
func whyFair(r digit.Rules) string {
	if f, ok := rulebook.FairnessOf(r); ok {
		return f.Why()
	}
	return ""
}

// shortName returns the name of a game in a list: that of a fair game is its title.
func shortName(b digit.Book) string {
	if isFair(b.Rules) {
		return b.Title
	}
	return rulebook.Name(b.Rules)
}

// named returns the games that pages know by name: the books, then the fair games.
func named() []digit.Book { return slices.Concat(digit.Books, digit.Fair) }

// A goalView is the goal of a game as every page shows it: a symbol in a ring, and words.
type goalView struct {
	Ring  string // the target, or the direction
	Short string
	Like  string // a number that wins
	Note  string // the rule if nobody makes one
	Step  string // the same for a beginner
}

func goalOf(r digit.Rules) goalView {
	view := goalView{Ring: ringOf(r), Short: rulebook.Goal(r).Short,
		Note: rulebook.GoalNote(r).Long}
	if like, note, found := strings.Cut(view.Note, ". "); found && r.Reachable() {
		view.Like, view.Note = like+".", note
	}
	return view
}

// ringOf returns the symbol of a goal. That of a hand has a mark of its own.
func ringOf(r digit.Rules) string {
	orders := r.Orders()
	switch {
	case r.Place == digit.Hand && r.Reachable():
		return strconv.Itoa(int(r.Target)) + "!"
	case r.Reachable(), len(orders) > 0 &&
		(orders[0] == digit.Above || orders[0] == digit.Below || orders[0] == digit.Nearest):
		return strconv.Itoa(int(r.Target))
	case len(orders) > 0 && orders[0] == digit.Higher:
		return "▲"
	case len(orders) > 0 && orders[0] == digit.Lower:
		return "▼"
	default:
		return "="
	}
}

// Wide returns the number of characters of the symbol, since many are written smaller.
func (g goalView) Wide() int { return len([]rune(g.Ring)) }
