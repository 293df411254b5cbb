package rulebook

import (
	"fmt"

	"digitduel/digit"
)

// A Fairness holds the figures of a fair game. The lab computes them for players who slip one turn
// in five.
type Fairness struct {
	Draw, Loss int     // first moves that draw and that lose; none wins
	First      float64 // score of the first player, with a draw as half
	Draws      float64 // share of drawn games
	Turns      float64 // turns a game, of both players
	Decisions  float64 // turns a game in which the choice matters
	Reckon     string  // how to recognize a multiple
}

// fairness has the figures of the fair games by name.
var fairness = map[string]Fairness{
	"nines": {3, 6, 0.505, 0.37, 5.8, 5.2,
		"Add the digits up: 9 or 18 makes a multiple of 9, in any order."},
	"seesaw": {9, 21, 0.500, 0.37, 5.9, 5.2,
		"A multiple of 21 is one of 3 and of 7: its digits add up to a multiple of 3."},
	"ducks": {14, 22, 0.499, 0.32, 7.9, 6.5,
		"A multiple of 22 is even, and its first and third digits add up to as much as the " +
			"other two, or to 11 more or less."},
	"tug": {1, 8, 0.498, 0.22, 7.7, 6.3,
		"A multiple of 55 ends in 5 here, and every other digit adds up to as much as the rest, " +
			"or to 11 more or less."},
	"marathon": {6, 3, 0.492, 0.29, 8.9, 7.1,
		"From four digits on, add the last three, as a number, to those before: 111, 222 and so " +
			"on up to 999 are multiples of 111."},
}

// FairnessOf returns the figures of rules that are those of a fair game.
func FairnessOf(r digit.Rules) (Fairness, bool) {
	f, ok := fairness[r.Named().Name]
	return f, ok
}

// Why says that nobody can force a win.
func (f Fairness) Why() string { return Outlook(0, f.Draw, f.Loss).Long }

// Feels describes games between players who slip now and then.
func (f Fairness) Feels() string {
	return fmt.Sprintf("If both players slip one turn in five, the starter scores %.0f%% and "+
		"%.0f%% of games are drawn. A game takes about %.0f turns, and the choice matters in %.0f.",
		100*f.First, 100*f.Draws, f.Turns, f.Decisions)
}

// Outlook says who can force a win from the start, by the number of first moves that win, draw and
// lose.
func Outlook(win, draw, loss int) Said {
	short, keep, do, does := "The starter can force a win", win, "do", "does"
	switch {
	case win == 0 && draw == 0:
		return Sentence("The second player can force a win")
	case win == 0:
		short, keep, do, does = "Nobody can force a win", draw, "draw", "draws"
	}
	all := fmt.Sprintf("of %d first moves ", win+draw+loss)
	long := short + ": " + oneOr(keep, all+does, all+do)
	switch {
	case keep == win+draw+loss:
		long = fmt.Sprintf("%s: all %d first moves %s", short, keep, do)
	case win == 0:
		long += " and " + oneOr(loss, "loses", "lose")
	}
	return plain(short, long+".")
}

// oneOr returns a number with the words for one or for many.
func oneOr(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}
