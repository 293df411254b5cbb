package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// PrintSolution prints the result of best play on one screen. Like the other functions that print,
// it leaves errors of writing to the writer.
func PrintSolution(
	ctx context.Context, out io.Writer, s *solve.Solution, took time.Duration,
) error {
	r, v := s.Rules(), rulebook.Voice{Rules: s.Rules()}
	var start digit.Position
	value := s.Value(start)
	result := "the game is a draw"
	if winner, won := value.Winner(digit.First); won {
		result = v.Does(winner, "win") + " " + v.Turns(value.Plies, winner.Other(), true)
	}
	fmt.Fprintf(out, "%v: with best play, %s.\n\n", r, result)
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
	printChoices(out, v, start, choices)
	p, line := start, s.Line(start)
	for _, m := range line {
		p, _ = r.Play(p, m) // a best line is legal
	}
	fmt.Fprintf(out, "Best line: %s  →  %s  %v\n\n", joined(line), r.Text(p), r.Result(p))
	if err := printCensus(ctx, out, s); err != nil {
		return err
	}
	fmt.Fprintf(out, "Solved in %v: %s classes in %s KiB.\n",
		took.Round(100*time.Microsecond), thousands(s.Size().Classes),
		thousands((s.Size().Bytes+1023)/1024))
	return nil
}

// printCensus prints the number of positions of each kind, or why they are not counted: it would
// take too long or too much memory.
func printCensus(ctx context.Context, out io.Writer, s *solve.Solution) error {
	const most = 5_000_000
	if n := s.CountPositions(); n > most {
		fmt.Fprintf(
			out, "Positions: not counted, since there may be %s and more than %s take too long.\n",
			thousands(n), thousands(most))
		return nil
	}
	c, err := s.Census(ctx)
	if large := new(solve.BudgetError); errors.As(err, &large) {
		fmt.Fprintf(out, "Positions: not counted, since that would take up to "+
			"%s MiB of memory and the budget is %s MiB.\n",
			thousands((large.Need+1<<20-1)>>20), thousands(large.Budget>>20))
		return nil
	}
	if err != nil {
		return err
	}
	open := c.Open.First + c.Open.Second + c.Open.Draw
	percent := func(part int64) int64 { return (200*part + open) / (2 * open) }
	fmt.Fprintf(out, "Positions: %s, of which %s are finished. "+
		"Of the others Player 1 wins %d%% and Player 2 %d%%",
		thousands(c.Count()), thousands(c.Count()-open),
		percent(c.Open.First), percent(c.Open.Second))
	if c.Open.Draw > 0 {
		fmt.Fprintf(out, "; %d%% are drawn", percent(c.Open.Draw))
	}
	fmt.Fprintf(
		out, ".\nLongest fight: %d turns from %s.\n", c.Plies, s.Rules().Text(c.Longest))
	return nil
}

// PrintAnalysis prints the value of every choice in a position.
func PrintAnalysis(out io.Writer, s *solve.Solution, p digit.Position) {
	r := s.Rules()
	if result := r.Result(p); result.Over() {
		fmt.Fprintf(out, "%v  %s: the game is over, %v.\n", r, r.Text(p), result)
		return
	}
	v := rulebook.Voice{Rules: r}
	fmt.Fprintf(
		out, "%v  %s: %s is to move and %s.\n\n", r, r.Text(p), v.Who(r.Turn(p)),
		verdict(v, p, s.Value(p)))
	printChoices(out, v, p, s.Choices(p))
}

// printChoices prints choices by value, the best first.
func printChoices(out io.Writer, v rulebook.Voice, p digit.Position, choices []solve.Choice) {
	slices.SortStableFunc(choices, func(a, b solve.Choice) int { return b.Value.Compare(a.Value) })
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i := 0; i < len(choices); {
		value := choices[i].Value
		var moves []digit.Move
		for ; i < len(choices) && choices[i].Value == value && len(moves) < 16; i++ {
			moves = append(moves, choices[i].Move)
		}
		fmt.Fprintf(w, "  %s\t%s\n", verdict(v, p, value), joined(moves))
	}
	_ = w.Flush() // the writer remembers its error
}

// verdict describes a value for the player to move: "wins now", "loses in 4 turns", "draws".
func verdict(v rulebook.Voice, p digit.Position, value solve.Value) string {
	switch when := v.Turns(value.Plies, v.Rules.Turn(p).Other(), false); value.Outcome {
	case solve.Win:
		return "wins " + when
	case solve.Loss:
		return "loses " + when
	default:
		return "draws"
	}
}

func joined(moves []digit.Move) string {
	words := make([]string, len(moves))
	for i, m := range moves {
		words[i] = m.String()
	}
	return strings.Join(words, " ")
}

// thousands formats a number with commas.
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

// Print prints a table.
func (c Perft) Print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "ply\tpositions\tfinished\tgames\t")
	finished := 0
	for _, p := range c.Plies {
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t\n", p.Ply, p.Positions, p.Finished, p.Games)
		finished += p.Finished
	}
	fmt.Fprintf(w, "all\t%d\t%d\t%d\t\n", c.Positions, finished, c.Games)
	_ = w.Flush() // the writer remembers its error
}

// A Progress shows how much of some work is done, its speed, and the time left. It shows nothing in
// the first half second.
type Progress struct {
	out          io.Writer
	began, shown time.Time
	lines        bool // a line from time to time, without a terminal
}

// NewProgress returns the progress of work that starts now. Without a terminal it prints a line
// every few seconds.
func NewProgress(out io.Writer, terminal bool) *Progress {
	return &Progress{out: out, began: time.Now(), lines: !terminal}
}

// Show shows how much is done.
func (b *Progress) Show(done, total int64) {
	b.Line(done, total, func(rate float64, left time.Duration) string {
		pace := fmt.Sprintf("%.1f million/s", rate/1e6)
		if rate < 1e5 {
			pace = fmt.Sprintf("%.1f/s", rate)
		}
		return fmt.Sprintf("%d of %d  %s  %v left", done, total, pace, left)
	})
}

// Line shows a line of text if it is time for one. It calls text with the work done in a second,
// and the time left.
func (b *Progress) Line(done, total int64, text func(rate float64, left time.Duration) string) {
	now, pause := time.Now(), 100*time.Millisecond
	if b.lines {
		pause = 5 * time.Second
	}
	if now.Sub(b.began) < max(pause, 500*time.Millisecond) || now.Sub(b.shown) < pause ||
		done == 0 {
		return
	}
	b.shown = now
	rate := float64(done) / now.Sub(b.began).Seconds()
	left := time.Duration(float64(total-done) / rate * float64(time.Second)).Round(time.Second)
	if b.lines {
		fmt.Fprintln(b.out, text(rate, left))
		return
	}
	fmt.Fprintf(b.out, "\r%s\x1b[K", text(rate, left))
}

// Clear removes the text that was shown.
func (b *Progress) Clear() {
	if !b.shown.IsZero() && !b.lines {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
