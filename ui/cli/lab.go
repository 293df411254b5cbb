package cli

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"digitduel/digit"
	"digitduel/lab"
	"digitduel/rulebook"
)

// PrintLab prints how even a game is, on one screen.
func PrintLab(out io.Writer, report lab.Report, levels []lab.LevelResult) {
	v := rulebook.Voice{Rules: report.Rules}
	result := "the game is a draw"
	switch winner, won := winnerOf(report); {
	case won && report.Plies == 1:
		result = v.Does(winner, "win") + " with the first digit"
	case won:
		result = v.Does(winner, "win") + " " + v.Turns(report.Plies, winner.Other(), true)
	}
	fmt.Fprintf(out, "%v: with best play, %s.\n", report.Rules, result)
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

const repairWidth = 78 // commands are not wrapped

// PrintRepairs prints how a game can be made fairer, and which changes do not help.
func PrintRepairs(out io.Writer, r digit.Rules, repairs []lab.Repair) {
	var b strings.Builder
	fmt.Fprintf(
		&b,
		"%v: ways to make it fairer, the fairest first.\n"+
			"In brackets: the score of the weaker side in 100 games (a draw counts half) if\n"+
			"both players slip 1 turn in 5. Below each: commands that check it.\n",
		r)
	var useless strings.Builder
	n := 0
	for _, repair := range repairs {
		to, text := &useless, fmt.Sprintf("-  %s\n   %s\n", repair.What, repair.Proof)
		if repair.Helps {
			n++
			to, text = &b, fmt.Sprintf(
				"%d. %s (%.0f)\n   %s\n", n, repair.What, 100*repair.Worse, repair.Proof)
		}
		fmt.Fprintf(to, "\n%s", wrap(text, repairWidth))
		for _, c := range repair.Check {
			fmt.Fprintf(to, "     %s\n", c.Command)
		}
	}
	fmt.Fprintf(out, "%s\nWhat does not help:\n%s",
		&b, cmp.Or(useless.String(), "   Nothing: all of these do.\n"))
}

// PrintSweep prints the results for the first of many rules.
func PrintSweep(out io.Writer, reports []lab.Report, fast bool, most int) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	head := "rules\twinner\tturns\tfirst moves win/draw/lose"
	if !fast {
		head += "\tPlayer 1 gets\tcut\tdraws\tlength\tdecisions\tdrama"
	}
	fmt.Fprintln(w, head)
	for _, r := range reports[:min(most, len(reports))] {
		fmt.Fprintf(
			w, "%v\t%s\t%d\t%d/%d/%d", r.Rules, r.Winner, r.Plies, r.FirstMoves.Win,
			r.FirstMoves.Draw, r.FirstMoves.Loss)
		if !fast {
			fmt.Fprintf(
				w, "\t%.3f\t%.3f\t%.3f\t%.1f\t%.1f\t%.2f", r.Bias+0.5, r.Cut, r.Draws, r.Length,
				r.Decisions, r.Drama)
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush() // the writer remembers its error
	if more := len(reports) - most; more > 0 {
		fmt.Fprintf(out, "… and %d more: --top %d lists them all\n", more, len(reports))
	}
}

// WriteSweepCSV writes a line for each of the rules.
func WriteSweepCSV(out io.Writer, reports []lab.Report, fast bool) error {
	w := csv.NewWriter(out)
	head := []string{"rules", "winner"}
	for _, f := range lab.Figures {
		if f.Fast || !fast {
			head = append(head, f.Name)
		}
	}
	_ = w.Write(head) // Flush reports it
	for _, r := range reports {
		line := []string{r.Rules.String(), r.Winner}
		for _, f := range lab.Figures {
			if f.Fast || !fast {
				line = append(line, strconv.FormatFloat(f.Of(&r), 'g', -1, 64))
			}
		}
		_ = w.Write(line)
	}
	w.Flush()
	return w.Error()
}
