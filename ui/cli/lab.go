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
	if s := report.Sample; s != nil {
		fmt.Fprintf(
			out,
			"There are too many positions to visit, so the figures are sampled, not proved:\n"+
				"%d games for each figure, seed %d; ± is the standard error.\n\n",
			s.Games, s.Seed)
	}
	fmt.Fprintf(out, "Player 1's score in 100 games (a draw counts half) if both players slip\n")
	for i, p := range report.Curve {
		fmt.Fprintf(out, "  %-26s %5.1f  %s\n", slipWords[i], 100*p.First, bar(p.First))
	}
	if s := report.Sample; s != nil {
		fmt.Fprintf(out, "  (± %.1f at most)\n", 100*s.Errors["first"])
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

// printCourse prints how long and how tense games are, with standard errors if they are sampled.
func printCourse(out io.Writer, r lab.Report) {
	line := func(label, name string, times float64, format string, value float64, after string) {
		fmt.Fprintf(out, "  %-10s "+format, label, times*value)
		if r.Sample != nil {
			fmt.Fprintf(out, " ± %.2g", times*r.Sample.Errors[name])
		}
		fmt.Fprintf(out, " %s\n", after)
	}
	line(
		"Length", "length", 1, "%.1f", r.Length,
		fmt.Sprintf("turns on average, at most %d",
			r.Rules.Fills(digit.First)+r.Rules.Fills(digit.Second)))
	line("Draws", "draws", 100, "%.1f", r.Draws, "of 100 games")
	line(
		"Decisions", "decisions", 1, "%.1f", r.Decisions,
		"turns a game on which a wrong choice costs something")
	line("Right", "keep", 100, "%.0f", r.Keep, "of 100 choices on those turns are right")
	line(
		"Only move", "only_moves", 1, "%.1f", r.OnlyMoves,
		"turns a game with only one right choice")
	line(
		"Changes", "lead_changes", 1, "%.2f", r.LeadChanges,
		"times a game the lead changes")
	line(
		"Drama", "drama", 100, "%.0f", r.Drama,
		"of 100 games are won by a player who was losing before")
	line(
		"Settled", "settled", 1, "%.1f", r.Settled,
		"turns on average until the outcome is settled")
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
