package cli

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/lab"
	"digitduel/rulebook"
)

// PrintLab prints how even a game is, on one screen.
func PrintLab(out io.Writer, report lab.Report, levels []lab.LevelResult) error {
	var b strings.Builder
	v := rulebook.Voice{Rules: report.Rules}
	switch winner, won := winnerOf(report); {
	case won && report.Plies == 1:
		fmt.Fprintf(
			&b, "%v: %s with the first digit if both play perfectly.\n", report.Rules,
			v.Does(winner, "win"))
	case won:
		fmt.Fprintf(
			&b, "%v: %s %s if both play perfectly.\n", report.Rules, v.Does(winner, "win"),
			v.Turns(report.Plies, winner.Other(), false))
	default:
		fmt.Fprintf(&b, "%v: a draw if both play perfectly.\n", report.Rules)
	}
	fmt.Fprintf(
		&b, "Of the %d first moves, %d can force a win, %d a draw, and %d lose.\n\n",
		report.FirstMoves.Count(), report.FirstMoves.Win, report.FirstMoves.Draw,
		report.FirstMoves.Loss)
	if s := report.Sample; s != nil {
		fmt.Fprintf(
			&b,
			"There are too many positions to go through, so what follows is sampled, not proved:\n"+
				"%d games for each figure, seed %d; ± is the standard error.\n\n",
			s.Games, s.Seed)
	}
	fmt.Fprintf(&b, "What Player 1 gets of 100 games, a draw being half a win, if both slip:\n")
	for i, p := range report.Curve {
		fmt.Fprintf(&b, "  %-26s %5.1f  %s\n", slipWords[i], 100*p.First, bar(p.First))
	}
	if s := report.Sample; s != nil {
		fmt.Fprintf(&b, "  (± %.1f at most)\n", 100*s.Errors["first"])
	}
	b.WriteString(
		"\nIf both slip at 1 turn in 5, which is to put a random digit in a random place:\n")
	printCourse(&b, report)
	if len(levels) > 0 {
		fmt.Fprintf(
			&b,
			"\nTwo computer players of a level, %d games each: what Player 1 gets of 100,\n"+
				"with the interval of 95 %%:\n",
			levels[0].Games)
		for _, l := range levels {
			fmt.Fprintf(&b, "  %-10s %5.1f ± %.1f\n", l.Level, 100*l.First, 100*l.Margin)
		}
	}
	fmt.Fprintf(&b, "\n%s\n", advice(report))
	_, err := io.WriteString(out, b.String())
	return err
}

// winnerOf returns the winner with best play.
func winnerOf(report lab.Report) (winner digit.Side, ok bool) {
	return winner, winner.UnmarshalText([]byte(report.Winner)) == nil
}

var slipWords = []string{
	"never, as two experts", "at 1 turn in 20", "at 1 turn in 10", "at 1 turn in 5",
	"at 3 turns in 10", "at every other turn", "always, as two beginners",
}

// bar draws a share with a mark in the middle.
func bar(share float64) string {
	const width = 40
	full := int(math.Round(share * width))
	line := []rune(strings.Repeat("#", full) + strings.Repeat("·", width-full))
	return string(line[:width/2]) + "|" + string(line[width/2:])
}

// printCourse prints how long and how tense games are, with standard errors if they are sampled.
func printCourse(b *strings.Builder, r lab.Report) {
	line := func(label, name string, times float64, format string, value float64, after string) {
		fmt.Fprintf(b, "  %-10s "+format, label, times*value)
		if r.Sample != nil {
			fmt.Fprintf(b, " ± %.2g", times*r.Sample.Errors[name])
		}
		fmt.Fprintf(b, " %s\n", after)
	}
	line(
		"Length", "length", 1, "%.1f", r.Length,
		fmt.Sprintf(
			"of at most %d turns of both players: %s",
			r.Rules.Fills(digit.First)+r.Rules.Fills(digit.Second), lengthsText(r.Lengths)))
	line("Draws", "draws", 100, "%.1f", r.Draws, "of 100 games")
	line(
		"Decisions", "decisions", 1, "%.1f", r.Decisions,
		"turns a game at which a wrong choice costs something")
	line("Right", "keep", 100, "%.0f", r.Keep, "of 100 choices at those turns")
	line(
		"Only move", "only_moves", 1, "%.1f", r.OnlyMoves,
		"turns a game at which a single choice is right")
	line(
		"Changes", "lead_changes", 1, "%.2f", r.LeadChanges,
		"times a game it changes who can force a win")
	line(
		"Drama", "drama", 100, "%.0f", r.Drama,
		"of 100 games are won by a player who was lost before")
	line(
		"Settled", "settled", 1, "%.1f", r.Settled,
		"turns on average until nothing changes")
}

// lengthsText prints the turns at which most games end.
func lengthsText(shares []float64) string {
	const most = 2
	var turns []int
	for turn, share := range shares {
		if share >= 0.005 {
			turns = append(turns, turn)
		}
	}
	slices.SortStableFunc(turns, func(a, b int) int { return cmp.Compare(shares[b], shares[a]) })
	turns = turns[:min(most, len(turns))]
	slices.Sort(turns)
	var ends []string
	for _, turn := range turns {
		end := "%.0f %% at %d"
		if ends == nil {
			end = "%.0f %% end at %d"
		}
		ends = append(ends, fmt.Sprintf(end, 100*shares[turn], turn))
	}
	return strings.Join(ends, ", ")
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
	points := math.Round(100 * (0.5 + math.Abs(r.Bias)))
	_, won := winnerOf(r)
	switch bias := math.Abs(r.Bias); {
	case bias < evenBias && !won:
		return "It is even: nobody can force a win, and between people both get about half."
	case bias < evenBias:
		return "It is even between people, but not between experts: " +
			"let each start one game of two.\n" +
			"`duel lab repair " + r.Rules.String() +
			"` looks for rules in which nobody can force a win."
	case bias < mildBias:
		return fmt.Sprintf(
			"%s is a little ahead, with %.0f of 100: let each start one game of two.\n"+
				"`duel lab repair %v` looks for fairer rules.",
			ahead, points, r.Rules)
	default:
		return fmt.Sprintf(
			"%s is far ahead, with %.0f of 100: let each start one game of two.\n"+
				"`duel lab repair %v` looks for fairer rules.",
			ahead, points, r.Rules)
	}
}
