package arena

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"digitduel/arena/engine"
)

// legend explains the figures that both matches and exams have.
const legend = "kept: decisions in which nothing was thrown away; " +
	"chance: what random moves would keep;\n" +
	"kappa: (kept - chance)/(1 - chance), which is 0 for chance and 1 for everything"

// forfeits explains how forfeits count in kappa.
const forfeits = "A forfeit in a position worth more than 0 is a decision that was not kept."

// Print prints a summary as text.
func (s *Summary) Print(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintln(&b, s.progress())
	for _, line := range s.again() {
		fmt.Fprintln(&b, line)
	}
	fmt.Fprintln(&b)
	s.printPlayers(&b)
	s.printCells(&b)
	s.printStrength(&b)
	fmt.Fprintf(&b, "\nregret: points thrown away a game; %s\n%s\n", legend, forfeits)
	_, err := io.WriteString(out, b.String())
	return err
}

// title returns the number of games.
func (s *Summary) title() string {
	if s.Open != nil {
		return fmt.Sprintf("%d games", s.Games)
	}
	return fmt.Sprintf("%d of %d games", s.Games, s.Planned)
}

// progress returns the number of games, and what is missing.
func (s *Summary) progress() string {
	title := s.title()
	switch {
	case s.Open != nil:
		if n := s.Open.Unpaired; n > 0 {
			title += fmt.Sprintf("; without a partner (the same start with the seats swapped): %d",
				n)
		}
		if n := s.Open.Unfinished; n > 0 {
			title += fmt.Sprintf("; begun and not over: %d", n)
		}
	case s.Games < s.Planned && s.Complete:
		title += "; the test has decided"
	case s.Complete:
	case strings.HasPrefix(s.Players[0].Player, agentPrefix):
		title += "; the run is not over: the agent continues with duel mcp --out"
	default:
		title += "; the match is not over: continue with --resume"
	}
	if s.Disguise != nil {
		title += fmt.Sprintf("; programs play in the words of disguise %d", *s.Disguise)
	}
	return title
}

// again returns a line for each of the rules with repeated starts. It omits those that only start
// from the beginning.
func (s *Summary) again() (all []string) {
	for _, r := range s.Rules {
		pairs := 0
		for _, c := range s.Cells {
			if c.Rules == r.Rules {
				pairs = max(pairs, c.Pairs)
			}
		}
		if 0 < r.Starts && r.Starts < pairs && s.Starts != fromBeginning {
			all = append(all, again(r.Rules, r.Starts, pairs))
		}
	}
	return all
}

// printPlayers prints the totals of each player.
func (s *Summary) printPlayers(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "player\tgames\tscore\twithout forfeits\tregret\tdecisions\tkept\tchance\t"+
		"kappa\t95 % from\tto\tfaults\t")
	for _, p := range s.Players {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t\n",
			p.Player, p.Games, percent(p.Score), percent(p.CleanScore), figure(p.Regret, "%.3f"),
			p.Decisions, percent(p.Kept), percent(p.Chance),
			figure(p.Kappa, "%.3f"), figure(p.KappaLow, "%.3f"), figure(p.KappaHigh, "%.3f"),
			faultsOf(&p))
	}
	_ = w.Flush() // writing to a strings.Builder cannot fail
	for _, p := range s.Players {
		if len(p.Faults) > 0 {
			fmt.Fprintf(out, "kappa of %s without forfeits: %s (95 %%: %s to %s)\n",
				p.Player, figure(p.CleanKappa, "%.3f"),
				figure(p.CleanKappaLow, "%.3f"), figure(p.CleanKappaHigh, "%.3f"))
		}
	}
	fmt.Fprintln(out)
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
		if e.LOS == nil {
			fmt.Fprintln(out, ", without an interval: no two pairs differ")
		} else {
			fmt.Fprintf(out, " (95 %%: %s to %s), normalised %s; better with a chance of %s\n",
				figure(e.Low, "%+.1f"), figure(e.High, "%+.1f"), figure(e.NElo, "%+.1f"),
				percent(e.LOS))
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
	for _, r := range s.Ratings.Players {
		fmt.Fprintf(w, "%s\t%+.0f\t%s\t%s\t\n",
			r.Name, r.Elo, figure(r.Low, "%+.0f"), figure(r.High, "%+.0f"))
	}
	for _, r := range s.Ratings.First {
		fmt.Fprintf(w, "to move first in %s\t%+.0f\t%s\t%s\t\n",
			r.Name, r.Elo, figure(r.Low, "%+.0f"), figure(r.High, "%+.0f"))
	}
	_ = w.Flush() // writing to a strings.Builder cannot fail
	if s.Ratings.Missed > bootstraps/40 {
		fmt.Fprintf(out, "Of %d draws of pairs %d have no ratings, so there are no intervals.\n",
			bootstraps, s.Ratings.Missed)
	}
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

// faultsOf lists the faults that lost games, and those that were retried.
func faultsOf(p *PlayerTotal) string {
	lost, retried := faultList(p.Faults), faultList(p.Retried)
	switch {
	case retried == "":
		return cmp.Or(lost, "none")
	case lost == "":
		return "retried: " + retried
	}
	return lost + "; retried: " + retried
}

func faultList(faults map[Fault]int) string {
	var all []string
	for _, f := range engine.Faults {
		if n := faults[f]; n > 0 {
			all = append(all, fmt.Sprintf("%d %s", n, f))
		}
	}
	return strings.Join(all, ", ")
}
