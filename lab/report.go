// Package lab measures how even a game is, compares many rules, and looks for fairer ones. Its
// figures are exact, computed over all positions. If there are too many positions it samples
// games instead, and says so. docs/lab.md defines every figure.
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
	Exact bool    `json:"exact"` // computed exactly, not sampled
	Curve []Point `json:"curve"`
	Bias  float64 `json:"bias"` // share of the first player above a half
	// Cut is the share of a first player who lets the opponent choose sides after the first move.
	Cut float64 `json:"cut"`
	Measures
	Sample *Sample `json:"sample,omitempty"` // how it was sampled, if it was
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
	// Most is the maximum number of position classes for exact figures; 0 for MostClasses. Larger
	// games are sampled.
	Most  int64
	Seed  uint64 // random seed for sampled games
	Games int    // sampled games for each point of the curve; 0 for SampledGames

	// Progress, if not nil, is called from time to time with the amount of work done.
	Progress func(done, total int64)
}

// Defaults of a Config. A million classes take about 100 MiB and two seconds.
const (
	MostClasses  = 4_000_000
	SampledGames = 10_000
)

// Large reports whether a game has too many positions for exact figures.
func (c Config) Large(s *solve.Solution) bool { return s.Size().Classes > c.most() }

// tooLarge returns the error for such a game.
func (c Config) tooLarge(s *solve.Solution) error {
	return fmt.Errorf("%v: it has %d different positions; the maximum is %d",
		s.Rules(), s.Size().Classes, c.most())
}

func (c Config) most() int64 { return cmp.Or(c.Most, MostClasses) }

// Measure returns the report of a solved game. The error is the context's.
func Measure(ctx context.Context, s *solve.Solution, c Config) (Report, error) {
	if c.Progress == nil {
		c.Progress = func(int64, int64) {}
	}
	c.Games = cmp.Or(c.Games, SampledGames)
	if c.Large(s) {
		return sampled(ctx, s, c)
	}
	return exact(ctx, s, c)
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

// exact computes an exact report.
func exact(ctx context.Context, s *solve.Solution, c Config) (Report, error) {
	g, err := newGraph(ctx, s, digit.Position{}, c.Progress)
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
