package speech

import (
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
)

// System returns the first message of every conversation about a game: its rules.
func System(s Speech) string {
	return "You are playing a game for two. The first player moves first, then both in turn. " +
		"These are its complete rules.\n\n" + strings.TrimSpace(s.Explain()) +
		"\n\nYou will be shown the position on your turn. Think it through, then end your answer " +
		"with one line of this form, with your move in place of the dots:\nMOVE: ..."
}

// Question returns the message that asks for a move.
func Question(s Speech, r digit.Rules, p digit.Position, showMoves bool) string {
	text := fmt.Sprintf("It is your turn. You are the %v player.\n\n%s\n", r.Turn(p), s.Board(p))
	if showMoves {
		var moves []string
		for m := range r.Moves(p) {
			moves = append(moves, s.Move(m))
		}
		slices.Sort(moves) // the order of the digits would give a disguise away
		text += "legal   " + strings.Join(moves, " ") + "\n"
	}
	return text + "\nWhat do you play?"
}
