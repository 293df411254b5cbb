package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"digitduel/digit"
	"digitduel/solve"
)

// PrintSolution tells what perfect play comes to on one screen.
func PrintSolution(ctx context.Context, out io.Writer, s *solve.Solution, took time.Duration) error {
	rep, r := s.Report(), s.Rules()
	if rep.Winner == "draw" {
		fmt.Fprintf(out, "%v: a draw if both play perfectly.\n\n", r)
	} else {
		fmt.Fprintf(out, "%v: the %s player wins in %s if both play perfectly.\n\n", r, rep.Winner, plies(rep.Plies))
	}
	var start digit.Position
	choices := s.Choices(start)
	count := map[solve.Outcome]int{}
	for _, c := range choices {
		count[c.Value.Outcome]++
	}
	fmt.Fprintf(out, "First moves: %d of %d win", count[solve.Win], len(choices))
	if count[solve.Draw] > 0 {
		fmt.Fprintf(out, ", %d draw", count[solve.Draw])
	}
	fmt.Fprintf(out, ", %d lose.\n", count[solve.Loss])
	if err := printChoices(out, choices); err != nil {
		return err
	}
	p := start
	for _, m := range rep.Line {
		p, _ = r.Play(p, m) // a best line is legal
	}
	fmt.Fprintf(out, "Best line: %s  →  %s  %v\n\n", joined(rep.Line), r.Text(p), r.Result(p))
	if err := printCensus(ctx, out, s); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "Solved in %v: %s classes in %s KiB.\n",
		took.Round(100*time.Microsecond), thousands(rep.Classes), thousands((s.Size().Bytes+1023)/1024))
	return err
}

// printCensus tells how many positions there are of each kind, unless they are too many to count for a person who waits.
func printCensus(ctx context.Context, out io.Writer, s *solve.Solution) error {
	const most = 5_000_000
	if s.CountPositions() > most {
		return nil
	}
	c, err := s.Census(ctx)
	if err != nil {
		return err
	}
	open := c.Open.First + c.Open.Second + c.Open.Draw
	percent := func(part int64) int64 { return (200*part + open) / (2 * open) }
	fmt.Fprintf(out, "Positions: %s, of which %s are finished. Of the others the first player wins %d%% and the second %d%%",
		thousands(c.Count()), thousands(c.Count()-open), percent(c.Open.First), percent(c.Open.Second))
	if c.Open.Draw > 0 {
		fmt.Fprintf(out, "; %d%% are drawn", percent(c.Open.Draw))
	}
	fmt.Fprintf(out, ".\nLongest fight: %s from %s.\n", plies(c.Plies), s.Rules().Text(c.Longest))
	return nil
}

// PrintAnalysis tells what every choice in a position is worth.
func PrintAnalysis(out io.Writer, s *solve.Solution, p digit.Position) error {
	r := s.Rules()
	if result := r.Result(p); result.Over() {
		_, err := fmt.Fprintf(out, "%v  %s: the game is over, %v.\n", r, r.Text(p), result)
		return err
	}
	fmt.Fprintf(out, "%v  %s: the %v player is to move and %s.\n\n", r, r.Text(p), r.Turn(p), verdict(s.Value(p)))
	return printChoices(out, s.Choices(p))
}

// printChoices lists choices by what they are worth, the best first.
func printChoices(out io.Writer, choices []solve.Choice) error {
	slices.SortStableFunc(choices, func(a, b solve.Choice) int { return b.Value.Compare(a.Value) })
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i := 0; i < len(choices); {
		v := choices[i].Value
		var moves []digit.Move
		for ; i < len(choices) && choices[i].Value == v && len(moves) < 16; i++ {
			moves = append(moves, choices[i].Move)
		}
		fmt.Fprintf(w, "  %s\t%s\n", verdict(v), joined(moves))
	}
	return w.Flush()
}

// verdict says a value in words: "wins in 3", "loses in 4", "draws".
func verdict(v solve.Value) string {
	switch v.Outcome {
	case solve.Win:
		return fmt.Sprintf("wins in %d", v.Plies)
	case solve.Loss:
		return fmt.Sprintf("loses in %d", v.Plies)
	default:
		return "draws"
	}
}

func plies(n int) string {
	if n == 1 {
		return "1 ply"
	}
	return fmt.Sprintf("%d plies", n)
}

func joined(moves []digit.Move) string {
	words := make([]string, len(moves))
	for i, m := range moves {
		words[i] = m.String()
	}
	return strings.Join(words, " ")
}

// thousands writes a number with commas.
func thousands(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// A Perft counts positions and games ply by ply.
type Perft struct {
	Rules     digit.Rules   `json:"rules"`
	Plies     []digit.Perft `json:"plies"`
	Positions int           `json:"positions"`
	Games     uint64        `json:"games"`
}

// Add adds the next ply.
func (c *Perft) Add(ply digit.Perft) {
	c.Plies = append(c.Plies, ply)
	c.Positions += ply.Positions
	c.Games += ply.Games
}

// Print writes a table.
func (c Perft) Print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "ply\tpositions\tfinished\tgames\t")
	finished := 0
	for _, p := range c.Plies {
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t\n", p.Ply, p.Positions, p.Finished, p.Games)
		finished += p.Finished
	}
	fmt.Fprintf(w, "all\t%d\t%d\t%d\t\n", c.Positions, finished, c.Games)
	return w.Flush()
}

// A Progress tells how much of some work is done, how fast, and how long the rest will take. It shows nothing in the first half second.
type Progress struct {
	out          io.Writer
	began, shown time.Time
}

// NewProgress begins to tell about some work.
func NewProgress(out io.Writer) *Progress { return &Progress{out: out, began: time.Now()} }

// Show tells how much is done.
func (b *Progress) Show(done, total int64) {
	now := time.Now()
	if now.Sub(b.began) < 500*time.Millisecond || now.Sub(b.shown) < 100*time.Millisecond || done == 0 {
		return
	}
	b.shown = now
	rate := float64(done) / now.Sub(b.began).Seconds()
	left := time.Duration(float64(total-done) / rate * float64(time.Second)).Round(time.Second)
	full := int(30 * done / max(total, 1))
	fmt.Fprintf(b.out, "\r[%s%s] %3d%%  %.1f million/s  %v left \x1b[K", strings.Repeat("#", full), strings.Repeat(".", 30-full), 100*done/max(total, 1), rate/1e6, left)
}

// Clear takes away what was shown.
func (b *Progress) Clear() {
	if !b.shown.IsZero() {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
