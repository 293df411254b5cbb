package cli

import (
	"fmt"
	"io"
	"math"
	"strings"

	"digitduel/digit"
	"digitduel/lab"
	"digitduel/rulebook"
)

// PrintLab prints how even a game is, on one screen.
func PrintLab(out io.Writer, report lab.Report, levels []lab.LevelResult) {
	v := rulebook.Voice{Rules: report.Rules}
	switch winner, won := winnerOf(report); {
	case won && report.Plies == 1:
		fmt.Fprintf(out, "%v: with best play, %s with the first digit.\n",
			report.Rules, v.Does(winner, "win"))
	case won:
		fmt.Fprintf(out, "%v: with best play, %s %s.\n", report.Rules,
			v.Does(winner, "win"), v.Turns(report.Plies, winner.Other(), true))
	default:
		fmt.Fprintf(out, "%v: with best play, the game is a draw.\n", report.Rules)
	}
	first := report.FirstMoves
	fmt.Fprintf(out, "First moves: %d of %d win, %d draw and %d lose.\n\n",
		first.Win, first.Count(), first.Draw, first.Loss)
	fmt.Fprintf(out, "Player 1's score in 100 games (a draw counts half) if both players slip\n")
	for i, p := range report.Curve {
		fmt.Fprintf(out, "  %-26s %5.1f  %s\n", slipWords[i], 100*p.First, bar(p.First))
	}
	fmt.Fprintln(out, "\nIf both players slip 1 turn in 5 (a slip is a random move):")
	printCourse(out, report)
	if len(levels) > 0 {
		fmt.Fprintf(
			out,
			"\nTwo computers of the same level, %d games each: Player 1's score in 100 games,\n"+
				"with the 95%% interval:\n",
			levels[0].Games)
		for _, l := range levels {
			fmt.Fprintf(out, "  %-10s %5.1f ± %.1f\n", l.Level, 100*l.First, 100*l.Margin)
		}
	}
	fmt.Fprintf(out, "\n%s\n", advice(report))
}

// winnerOf returns the winner with best play.
func winnerOf(report lab.Report) (winner digit.Side, ok bool) {
	return winner, winner.UnmarshalText([]byte(report.Winner)) == nil
}

var slipWords = []string{
	"never (two experts)", "1 turn in 20", "1 turn in 10", "1 turn in 5", "3 turns in 10",
	"every other turn", "every turn (two beginners)",
}

// bar draws a share with a mark in the middle.
func bar(share float64) string {
	const width = 40
	full := int(math.Round(share * width))
	line := []rune(strings.Repeat("#", full) + strings.Repeat("·", width-full))
	return string(line[:width/2]) + "|" + string(line[width/2:])
}

// printCourse prints how long and how tense games are.
func printCourse(out io.Writer, r lab.Report) {
	fmt.Fprintf(out, "  Length     %.1f turns on average, at most %d\n",
		r.Length, r.Rules.Fills(digit.First)+r.Rules.Fills(digit.Second))
	fmt.Fprintf(out, "  Draws      %.1f of 100 games\n", 100*r.Draws)
	fmt.Fprintf(out, "  Decisions  %.1f turns a game on which a wrong choice costs something\n",
		r.Decisions)
	fmt.Fprintf(out, "  Right      %.0f of 100 choices on those turns are right\n", 100*r.Keep)
	fmt.Fprintf(out, "  Only move  %.1f turns a game with only one right choice\n", r.OnlyMoves)
	fmt.Fprintf(out, "  Changes    %.2f times a game the lead changes\n", r.LeadChanges)
	fmt.Fprintf(out, "  Drama      %.0f of 100 games are won by a player who was losing before\n",
		100*r.Drama)
	fmt.Fprintf(out, "  Settled    %.1f turns on average until the outcome is settled\n", r.Settled)
}

// The words for the lead of one side, if both players slip one turn in five.
const (
	evenBias = 0.05
	mildBias = 0.15
)

// advice suggests how to make the game fairer.
func advice(r lab.Report) string {
	ahead := "Player 1"
	if r.Bias < 0 {
		ahead = "Player 2"
	}
	pair := fmt.Sprintf(", with %.0f of 100: play two games and start one each.\n"+
		"`duel lab repair %v` looks for fairer rules.",
		math.Round(100*(0.5+math.Abs(r.Bias))), r.Rules)
	_, won := winnerOf(r)
	switch bias := math.Abs(r.Bias); {
	case bias < evenBias && !won:
		return "The game is even: nobody can force a win, and both players score about half."
	case bias < evenBias:
		return "The game is even between people, but not between experts: " +
			"play two games and start one each.\n" +
			"`duel lab repair " + r.Rules.String() +
			"` looks for rules in which nobody can force a win."
	case bias < mildBias:
		return ahead + " is a little ahead" + pair
	default:
		return ahead + " is far ahead" + pair
	}
}
