// Package lab measures how even a game is, compares many rules, and looks for fairer ones. Its
// figures are exact, computed over all positions. docs/lab.md defines every figure.
package lab

import (
	"cmp"
	"context"
	"fmt"

	"digitduel/digit"
	"digitduel/solve"
)

// A Report holds the figures of a game.
type Report struct {
	Verdict
	Exact bool    `json:"exact"` // computed over all positions; always true
	Curve []Point `json:"curve"`
	Bias  float64 `json:"bias"` // share of the first player above a half
	// Cut is the share of a first player who lets the opponent choose sides after the first move.
	Cut float64 `json:"cut"`
	Measures
}

// A Verdict holds the facts that follow from the solution of a game alone.
type Verdict struct {
	Rules      digit.Rules `json:"rules"`
	Winner     string      `json:"winner"` // first, second or draw under perfect play
	Plies      int         `json:"plies"`  // the number of plies of that game
	FirstMoves FirstMoves  `json:"first_moves"`
}

// FirstMoves counts the choices of the first turn by their outcome for the first player.
type FirstMoves struct {
	Win  int `json:"win"`
	Draw int `json:"draw"`
	Loss int `json:"loss"`
}

// Count returns the number of first moves.
func (f FirstMoves) Count() int { return f.Win + f.Draw + f.Loss }

// A Point holds the share of the first player, a draw counting half, and the share of draws, if
// both players slip with a probability.
type Point struct {
	Slip  float64 `json:"slip"`
	First float64 `json:"first"`
	Draw  float64 `json:"draw"`
}

// A Config configures Measure. The zero Config is good for most uses.
type Config struct {
	Most int64 // maximum number of position classes; 0 for MostClasses

	// Progress, if not nil, is called from time to time with the amount of work done.
	Progress func(done, total int64)
}

// MostClasses is the default of [Config.Most]. A million classes take about 100 MiB and two
// seconds.
const MostClasses = 4_000_000

// A LargeError reports that a game has too many positions to measure.
type LargeError struct {
	Rules         digit.Rules
	Classes, Most int64
}

func (e *LargeError) Error() string {
	return fmt.Sprintf("%v: it has %d different positions; the maximum is %d",
		e.Rules, e.Classes, e.Most)
}

// graph returns the graph of a solved game. The error is the context's or a [*LargeError].
func (c Config) graph(ctx context.Context, s *solve.Solution) (*graph, error) {
	most, progress := cmp.Or(c.Most, MostClasses), c.Progress
	if n := s.Size().Classes; n > most {
		return nil, &LargeError{s.Rules(), n, most}
	}
	if progress == nil {
		progress = func(int64, int64) {}
	}
	return newGraph(ctx, s, progress)
}

// VerdictOf returns the verdict of a solved game.
func VerdictOf(s *solve.Solution) Verdict {
	value := s.Value(digit.Position{})
	v := Verdict{Rules: s.Rules(), Winner: "draw", Plies: value.Plies}
	if winner, ok := value.Winner(digit.First); ok {
		v.Winner = winner.String()
	}
	for _, c := range s.Choices(digit.Position{}) {
		switch c.Value.Outcome {
		case solve.Win:
			v.FirstMoves.Win++
		case solve.Draw:
			v.FirstMoves.Draw++
		case solve.Loss:
			v.FirstMoves.Loss++
		}
	}
	return v
}

// Measure returns the report of a solved game. The error is the context's or a [*LargeError].
func Measure(ctx context.Context, s *solve.Solution, c Config) (Report, error) {
	g, err := c.graph(ctx, s)
	if err != nil {
		return Report{}, err
	}
	report := Report{Verdict: VerdictOf(s), Exact: true}
	for _, slip := range Slips {
		shares := g.shares(slip)
		report.Curve = append(report.Curve, Point{slip, shares[0].points(), shares[0].draws})
		if slip == Slip {
			report.Bias = shares[0].points() - 0.5
			report.Cut = g.cut(shares)
		}
	}
	report.Measures = g.measure(Slip)
	return report, nil
}

// cut returns the best share that a first move leaves to the first player if the opponent then
// chooses sides.
func (g *graph) cut(shares []share) float64 {
	most := 0.0
	for _, edge := range g.edges(0) {
		first := shareAfter(shares, edge).points()
		most = max(most, min(first, 1-first))
	}
	return most
}

// Full reports whether the report has more than a verdict.
func (r *Report) Full() bool { return r.Curve != nil }

// JSON returns the value to encode: the report, or only its verdict if the other figures are
// missing.
func (r *Report) JSON() any {
	if r.Full() {
		return r
	}
	return r.Verdict
}
