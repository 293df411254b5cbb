package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"digitduel/digit"
	"digitduel/solve"
)

// solving adds the flags of commands that solve a game, and returns what solves it.
func solving(cmd *cobra.Command) func(context.Context, digit.Rules) (*solve.Solution, error) {
	var mebibytes int64
	cmd.Flags().Int64Var(&mebibytes, "memory", solve.DefaultBudget>>20, "the most memory that solving may take, in MiB")
	return func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
		if mebibytes < 1 || mebibytes > 1<<20 {
			return nil, usagef("memory %d: allowed: 1 to %d MiB", mebibytes, 1<<20)
		}
		return solveWithin(ctx, r, mebibytes<<20, cmd.ErrOrStderr())
	}
}

// solveWithin solves a game within a budget of bytes, and shows how it goes on if that takes a while on a terminal.
func solveWithin(ctx context.Context, r digit.Rules, budget int64, errs io.Writer) (*solve.Solution, error) {
	opts := solve.Config{Budget: budget}
	if _, ok := terminal(errs); ok {
		bar := &progressBar{out: errs, began: time.Now()}
		opts.Progress = bar.show
		defer bar.clear()
	}
	s, err := solve.Solve(ctx, r, opts)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("solving %v: %w", r, errInterrupted)
	}
	return s, err
}

// A progressBar tells how much is done, how fast, and how long it will take. It shows nothing in the first half second.
type progressBar struct {
	out   io.Writer
	began time.Time
	shown time.Time
}

func (b *progressBar) show(done, total int64) {
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

func (b *progressBar) clear() {
	if !b.shown.IsZero() {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}

type moveWinner struct {
	Move   digit.Move `json:"move"`
	Winner string     `json:"winner"`
	Plies  int        `json:"plies"`
}

type solveReport struct {
	Rules      digit.Rules  `json:"rules"`
	Winner     string       `json:"winner"`
	Plies      int          `json:"plies"`
	Classes    int64        `json:"classes"`
	FirstMoves []moveWinner `json:"first_moves"`
	Line       []digit.Move `json:"line"`
}

// winner says who wins when a value is that of a side.
func winner(v solve.Value, of digit.Side) string {
	switch v.Outcome {
	case solve.Win:
		return of.String()
	case solve.Loss:
		return of.Other().String()
	default:
		return "draw"
	}
}

func report(s *solve.Solution) solveReport {
	var start digit.Position
	v := s.Value(start)
	rep := solveReport{Rules: s.Rules(), Winner: winner(v, digit.First), Plies: v.Plies, Classes: s.Size().Classes, Line: s.Line(start)}
	for m, v := range s.Moves(start) {
		rep.FirstMoves = append(rep.FirstMoves, moveWinner{m, winner(v, digit.First), v.Plies})
	}
	return rep
}

func solveCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "solve BOOK [key=value…]",
		Short: "Tell who wins a game if both play perfectly, how, and in how many plies",
		Long: "Solve a game completely: who wins if both play as well as can be, in how many plies when the winner hurries and\n" +
			"the loser delays, which first moves win, and a best line. A game that would take more memory than allowed is\n" +
			"refused with an estimate.",
		Example:           "  duel solve dilemma\n  duel solve divisibility pool=1-f\n  duel solve highest width=4 --json",
		ValidArgsFunction: completeRules,
	}
	solveGame := solving(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		r, err := rulesOf(args)
		if err != nil {
			return err
		}
		began := time.Now()
		s, err := solveGame(ctx, r)
		if err != nil {
			return err
		}
		took := time.Since(began)
		if asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(report(s))
		}
		return printSolution(ctx, cmd.OutOrStdout(), s, took)
	}
	return cmd
}

// printSolution tells a solution on one screen.
func printSolution(ctx context.Context, out io.Writer, s *solve.Solution, took time.Duration) error {
	rep, r := report(s), s.Rules()
	if rep.Winner == "draw" {
		fmt.Fprintf(out, "%v: a draw if both play perfectly.\n\n", r)
	} else {
		fmt.Fprintf(out, "%v: the %s player wins in %s if both play perfectly.\n\n", r, rep.Winner, plural(rep.Plies, "ply", "plies"))
	}
	kinds := map[string]int{}
	groups := map[solve.Value][]string{}
	for m, v := range s.Moves(digit.Position{}) {
		kinds[winner(v, digit.First)]++
		groups[v] = append(groups[v], m.String())
	}
	fmt.Fprintf(out, "First moves: %d of %d win", kinds["first"], len(rep.FirstMoves))
	if kinds["draw"] > 0 {
		fmt.Fprintf(out, ", %d draw", kinds["draw"])
	}
	fmt.Fprintf(out, ", %d lose.\n", kinds["second"])
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, v := range slices.SortedFunc(maps.Keys(groups), func(a, b solve.Value) int { return b.Compare(a) }) {
		fmt.Fprintf(w, "  %v\t%s\n", verdict(v), shorten(groups[v], 12))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	var p digit.Position
	line := make([]string, len(rep.Line))
	for i, m := range rep.Line {
		line[i] = m.String()
		p, _ = r.Play(p, m) // a best line is legal
	}
	fmt.Fprintf(out, "Best line: %s  →  %s  %v\n\n", strings.Join(line, " "), r.Text(p), r.Result(p))
	if err := printCensus(ctx, out, s); err != nil {
		return err
	}
	fmt.Fprintf(out, "Solved in %v: %s classes in %s.\n", took.Round(100*time.Microsecond), thousands(s.Size().Classes), mebibytes(s.Size().Bytes))
	return nil
}

// mostCounted is how many positions there may be for them to be counted for a person who waits.
const mostCounted = 5_000_000

// printCensus tells how many positions there are of each kind, unless they are too many to count.
func printCensus(ctx context.Context, out io.Writer, s *solve.Solution) error {
	if s.CountPositions() > mostCounted {
		return nil
	}
	c, err := s.Census(ctx)
	if err != nil {
		return err
	}
	open := c.Open.First + c.Open.Second + c.Open.Draw
	fmt.Fprintf(out, "Positions: %s, of which %s are finished. Of the others the first player wins %d%% and the second %d%%",
		thousands(c.Count()), thousands(c.Count()-open), percent(c.Open.First, open), percent(c.Open.Second, open))
	if c.Open.Draw > 0 {
		fmt.Fprintf(out, "; %d%% are drawn", percent(c.Open.Draw, open))
	}
	fmt.Fprintf(out, ".\nLongest fight: %s from %s.\n", plural(c.Plies, "ply", "plies"), s.Rules().Text(c.Longest))
	return nil
}

func percent(part, whole int64) int64 { return (200*part + whole) / (2 * whole) }

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

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func shorten(words []string, most int) string {
	if len(words) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:most], " "), len(words)-most)
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

func mebibytes(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

type optionVerdict struct {
	Move    digit.Move `json:"move"`
	Outcome string     `json:"outcome"`
	Plies   int        `json:"plies"`
}

type analysis struct {
	Rules    digit.Rules     `json:"rules"`
	Moves    []digit.Move    `json:"moves"`
	Position string          `json:"position"`
	Turn     string          `json:"turn,omitempty"`
	Outcome  string          `json:"outcome,omitempty"`
	Plies    int             `json:"plies,omitempty"`
	Options  []optionVerdict `json:"options,omitempty"`
	Over     bool            `json:"over,omitempty"`
	Result   string          `json:"result,omitempty"`
	Reason   string          `json:"reason,omitempty"`
}

func analyze(s *solve.Solution, moves []digit.Move, p digit.Position) analysis {
	r := s.Rules()
	a := analysis{Rules: r, Moves: append([]digit.Move{}, moves...), Position: r.Text(p)}
	if result := r.Result(p); result.Over() {
		a.Over, a.Result, a.Reason = true, result.Score.String(), result.Reason.String()
		return a
	}
	v := s.Value(p)
	a.Turn, a.Outcome, a.Plies = r.Turn(p).String(), v.Outcome.String(), v.Plies
	for m, v := range s.Moves(p) {
		a.Options = append(a.Options, optionVerdict{m, v.Outcome.String(), v.Plies})
	}
	return a
}

func analyzeCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "analyze BOOK [key=value…] [MOVE…]",
		Short: "Judge every legal move after some moves",
		Long: "Play some moves from the start and tell what every legal move then is worth: whether it wins or loses, and in how\n" +
			"many plies when the winner hurries and the loser delays.",
		Example:           "  duel analyze highest\n  duel analyze dilemma 7a 3b 1c\n  duel analyze sevens zero=counts 7 5 1 8 --json",
		ValidArgsFunction: completeRules,
	}
	solveGame := solving(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		split := splitRules(args)
		r, err := rulesOf(args[:split])
		if err != nil {
			return err
		}
		moves, p, err := playOut(r, args[split:])
		if err != nil {
			return err
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		s, err := solveGame(ctx, r)
		if err != nil {
			return err
		}
		if asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(analyze(s, moves, p))
		}
		return printAnalysis(cmd.OutOrStdout(), s, p)
	}
	return cmd
}

// splitRules returns where in a command line the rules end and the moves begin. An option is a key and a value; the key of a
// move with a call is a single digit.
func splitRules(args []string) int {
	i := min(1, len(args))
	for i < len(args) && strings.Index(args[i], "=") > 1 {
		i++
	}
	return i
}

// playOut plays moves from the start. The error names the first that is wrong, and what is legal there.
func playOut(r digit.Rules, words []string) ([]digit.Move, digit.Position, error) {
	var p digit.Position
	var moves []digit.Move
	for i, word := range words {
		m, err := digit.ParseMove(word)
		if err == nil {
			p, err = r.Play(p, m)
		}
		if err != nil {
			var legal []string
			for m := range r.Moves(p) {
				legal = append(legal, m.String())
			}
			hint := ""
			if len(legal) > 0 {
				hint = "; legal after " + r.Text(p) + ": " + shorten(legal, 30)
			}
			return nil, p, usagef("move %d: %w%s", i+1, err, hint)
		}
		moves = append(moves, m)
	}
	return moves, p, nil
}

func printAnalysis(out io.Writer, s *solve.Solution, p digit.Position) error {
	r := s.Rules()
	if result := r.Result(p); result.Over() {
		_, err := fmt.Fprintf(out, "%v  %s: the game is over, %v.\n", r, r.Text(p), result)
		return err
	}
	v := s.Value(p)
	fmt.Fprintf(out, "%v  %s: the %v player is to move and %s.\n\n", r, r.Text(p), r.Turn(p), verdict(v))
	type option struct {
		move  digit.Move
		value solve.Value
	}
	var options []option
	for m, v := range s.Moves(p) {
		options = append(options, option{m, v})
	}
	slices.SortStableFunc(options, func(a, b option) int { return cmp.Compare(0, a.value.Compare(b.value)) })
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i := 0; i < len(options); {
		var moves []string
		v := options[i].value
		for ; i < len(options) && options[i].value == v; i++ {
			moves = append(moves, options[i].move.String())
		}
		for len(moves) > 0 {
			n := min(len(moves), 16)
			fmt.Fprintf(w, "  %s\t%s\n", verdict(v), strings.Join(moves[:n], " "))
			moves = moves[n:]
		}
	}
	return w.Flush()
}
