package arena

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"digitduel/arena/engine"
)

// Legend explains the figures that matches, exams and evaluations have.
const Legend = "kept: decisions in which nothing was thrown away; " +
	"chance: what random moves would keep;\n" +
	"kappa: (kept - chance)/(1 - chance), which is 0 for chance and 1 for everything"

// forfeits explains how forfeits count in kappa.
const forfeits = "A forfeit in a position worth more than 0 is a decision that was not kept."

// RowsLegend explains the figures of rows.
const RowsLegend = "score: points per game in percent; regret: points thrown away a game;\n" +
	Legend + ".\n" + forfeits + "\nIn brackets: 95 % confidence intervals, in which games from " +
	"one start count together.\nThe score of games that are not all played is a range: with the " +
	"others lost, and with them won.\n"

// Print prints a summary as text.
func (s *Summary) Print(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintln(&b, s.progress())
	fmt.Fprintln(&b)
	s.printPlayers(&b)
	s.printCells(&b)
	s.printStrength(&b)
	fmt.Fprint(&b, "\n", RowsLegend)
	_, err := io.WriteString(out, b.String())
	return err
}

// title returns the number of games.
func (s *Summary) title() string {
	return fmt.Sprintf("%d of %d games", s.Games, s.Planned)
}

// progress returns the number of games, and what is missing.
func (s *Summary) progress() string {
	title := s.title()
	switch {
	case s.Games < s.Planned && s.Complete:
		title += "; the test has decided"
	case s.Complete:
	case strings.HasPrefix(s.Players[0].Player, agentPrefix):
		title += "; the run is not over: the agent continues with duel mcp --out"
	default:
		title += "; the match is not over: continue with --resume"
	}
	if s.Disguise != nil {
		title += "; programs play in the words of disguise " + s.DisguiseText()
	}
	return title
}

// rows returns the rows of all players, and whose they are: under each of the rules, and then
// under all, unless there is one.
func (s *Summary) rows() (players []string, rows []Row) {
	for _, p := range s.Players {
		of := append(slices.Clone(p.Rows), p.Row)
		if len(p.Rows) == 1 {
			of = p.Rows
		}
		for _, row := range of {
			players, rows = append(players, p.Player), append(rows, row)
		}
	}
	return players, rows
}

// CSV writes the figures of each player as a table.
func (s *Summary) CSV(out io.Writer) error {
	players, rows := s.rows()
	var heads [][]string
	for _, player := range players {
		heads = append(heads, []string{player, s.Arm()})
	}
	return WriteCSV(out, []string{"player", "arm"}, heads, rows)
}

// printPlayers prints the figures of each player.
func (s *Summary) printPlayers(out io.Writer) {
	players, rows := s.rows()
	for i := range players {
		players[i] += "\t" + rows[i].Rules
	}
	PrintRows(out, "player\tgame\tgames", players, rows)
	for _, p := range s.Players {
		if p.Forfeits > 0 {
			fmt.Fprintf(out, "%s without forfeits: score %s, kappa %s\n", p.Player,
				percent(p.CleanScore), Figure(p.CleanKappa, p.CleanKappaLow, p.CleanKappaHigh))
		}
		if len(p.Retried) > 0 {
			fmt.Fprintf(out, "%s retried: %s\n", p.Player, faultList(p.Retried))
		}
	}
	fmt.Fprintln(out)
}

// PrintRows prints rows as a table. Heads begin them; title has the headings of these columns and
// of the number of games.
func PrintRows(out io.Writer, title string, heads []string, rows []Row) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, title+"\tscore\tregret\tdecisions\tkept\tchance\tkappa\tfaults")
	for i, r := range rows {
		games := fmt.Sprint(r.Games)
		if r.Open > 0 {
			games += fmt.Sprintf(" of %d", r.Games+r.Open)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\n", heads[i], games,
			Percent(r.Score, r.ScoreLow, r.ScoreHigh), Figure(r.Regret, r.RegretLow, r.RegretHigh),
			r.Decisions, percent(r.Kept), percent(r.Chance),
			Figure(r.Kappa, r.KappaLow, r.KappaHigh), cmp.Or(faultList(r.Faults), "none"))
	}
	_ = w.Flush() // the writer keeps an error
}

// Percent formats a share as a percentage with its interval, or a range if only that is known.
func Percent(value, low, high *float64) string {
	switch {
	case low == nil || high == nil:
		return percent(value)
	case value == nil:
		return fmt.Sprintf("%.1f to %.1f %%", 100**low, 100**high)
	}
	return fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100**value, 100**low, 100**high)
}

// Figure formats a figure with its interval.
func Figure(value, low, high *float64) string {
	text := figure(value, "%.3f")
	if value != nil && low != nil && high != nil {
		text += fmt.Sprintf(" (%.3f to %.3f)", *low, *high)
	}
	return text
}

// printCells prints the results of each two players under each of the rules.
func (s *Summary) printCells(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "game\tplayer\tagainst\tscore\tpairs\twith 0 points\t½\t1\t1½\t2")
	for _, c := range s.Cells {
		pairs := fmt.Sprint(c.Pairs)
		if c.Score == nil {
			pairs = fmt.Sprintf("%d of %d", c.Pairs, c.Planned)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\n",
			c.Rules, c.Player, c.Opponent, percent(c.Score), pairs,
			c.Penta[0], c.Penta[1], c.Penta[2], c.Penta[3], c.Penta[4])
	}
	_ = w.Flush() // writing to a strings.Builder cannot fail
	fmt.Fprintln(out)
}

// printStrength prints the Elo difference, the test and the ratings.
func (s *Summary) printStrength(out io.Writer) {
	if e := s.Elo; e != nil {
		fmt.Fprintf(out, "Elo of %s over %s: %s",
			s.Players[0].Player, s.Players[1].Player, figure(e.Elo, "%+.1f"))
		fmt.Fprintf(out, " (95 %%: %s to %s)", figure(e.Low, "%+.1f"), figure(e.High, "%+.1f"))
		if e.LOS == nil {
			fmt.Fprintln(out, "; no two pairs differ")
		} else {
			fmt.Fprintf(out, ", normalised %s; better with a chance of %s\n",
				figure(e.NElo, "%+.1f"), percent(e.LOS))
		}
	}
	if t := s.SPRT; t != nil {
		verdict := map[string]string{
			"":   fmt.Sprintf("not decided; no fewer than %d pairs can", t.Least),
			"H0": fmt.Sprintf("H0 is accepted: %v Elo", t.Elo0),
			"H1": fmt.Sprintf("H1 is accepted: %v Elo", t.Elo1),
		}[t.Decided]
		fmt.Fprintf(out, "SPRT %v,%v %s: LLR %.2f, bounds %.2f and %.2f: %s\n",
			t.Elo0, t.Elo1, t.Model, t.LLR, t.Lower, t.Upper, verdict)
	}
	if s.Ratings.None != "" {
		fmt.Fprintf(out, "There are no ratings: %s.\n", s.Ratings.None)
		return
	}
	if s.Elo != nil {
		fmt.Fprintln(out)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "rating\tElo\t95 % from\tto\t")
	print := func(before string, ratings []Rating) {
		for _, r := range ratings {
			fmt.Fprintf(w, "%s%s\t%+.0f\t%s\t%s\t\n", before,
				r.Name, r.Elo, figure(r.Low, "%+.0f"), figure(r.High, "%+.0f"))
		}
	}
	print("", s.Ratings.Players)
	print("to move first in ", s.Ratings.First)
	_ = w.Flush() // writing to a strings.Builder cannot fail
}

// figure formats a number, or returns a dash for nil.
func figure(x *float64, format string) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf(format, *x)
}

// percent formats a share as a percentage, or returns a dash for nil.
func percent(x *float64) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100**x)
}

// faultList lists faults with their numbers.
func faultList(faults map[engine.Fault]int) string {
	var all []string
	for _, f := range engine.Faults {
		if n := faults[f]; n > 0 {
			all = append(all, fmt.Sprintf("%d %s", n, f))
		}
	}
	return strings.Join(all, ", ")
}
