package rulebook

import (
	"fmt"

	"digitduel/digit"
)

// A Fairness is why a fair game is fair, and how it feels. The lab works out its figures, between people who slip at one turn of five.
type Fairness struct {
	Draw, Loss int     // the first moves that draw and that lose; none wins
	First      float64 // what the first player gets, a draw counting half
	Draws      float64 // the share of games that are drawn
	Turns      float64 // of both players in a game
	Decisions  float64 // turns a game at which the choice matters
	Reckon     string  // how to see that the target is hit
}

// fairness has what is known of the fair games by their names.
var fairness = map[string]Fairness{
	"nines":    {3, 6, 0.505, 0.37, 5.8, 5.2, "Add the digits up: 9 or 18 makes a multiple of 9, in whatever order they stand."},
	"seesaw":   {9, 21, 0.500, 0.37, 5.9, 5.2, "A multiple of 21 is one of 3 and of 7: its digits add up to a multiple of 3."},
	"ducks":    {14, 22, 0.499, 0.32, 7.9, 6.5, "A multiple of 22 is even, and its first and third digit add up to as much as the other two, or to 11 more or less."},
	"tug":      {1, 8, 0.498, 0.22, 7.7, 6.3, "A multiple of 55 ends in 5 here, and every other digit adds up to as much as the rest, or to 11 more or less."},
	"marathon": {6, 3, 0.492, 0.29, 8.9, 7.1, "From four digits on add the last three, as a number, to those before: 111, 222 and so on up to 999 are multiples of 111."},
}

// FairnessOf returns what is known of rules that are those of a fair game.
func FairnessOf(r digit.Rules) (Fairness, bool) {
	f, ok := fairness[r.Named().Name]
	return f, ok
}

// Why tells in a sentence why the game is fair.
func (f Fairness) Why() string {
	return fmt.Sprintf("Nobody can force a win: of the %d first moves none wins, %s and %s.", f.Draw+f.Loss, counted(f.Draw, "draws", "draw"), counted(f.Loss, "loses", "lose"))
}

// Feels tells how it goes between people who slip now and then.
func (f Fairness) Feels() string {
	return fmt.Sprintf("Between people who slip at one turn of five the first player gets %.0f of 100 points, and %.0f of 100 games are drawn. A game has %.0f turns, of which %.0f decide something.",
		100*f.First, 100*f.Draws, f.Turns, f.Decisions)
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
