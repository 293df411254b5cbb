// Package lab measures how even a game is, compares many rules, and looks for fairer ones. What it says of a game is worked out exactly, over
// all positions; only where these are too many is it sampled, and then it says so. docs/lab.md defines every figure.
package lab

import (
	"cmp"
	"context"
	"fmt"

	"digitduel/digit"
	"digitduel/solve"
)

// A Report is what the lab finds of a game.
type Report struct {
	Verdict
	Exact bool    `json:"exact"` // whether it is worked out; otherwise it is sampled
	Curve []Point `json:"curve"`
	Bias  float64 `json:"bias"` // what the first player has above a half
	Cut   float64 `json:"cut"`  // what is left to who moves first and then lets the other choose sides
	Measures
	Sample *Sample `json:"sample,omitempty"` // how it was sampled
}

// A Verdict is what the solution of a game alone tells.
type Verdict struct {
	Rules      digit.Rules `json:"rules"`
	Winner     string      `json:"winner"` // first, second or draw, if both play perfectly
	Plies      int         `json:"plies"`  // and in how many plies
	FirstMoves FirstMoves  `json:"first_moves"`
}

// FirstMoves counts the choices of the first turn by what they are worth to the first player.
type FirstMoves struct {
	Win  int `json:"win"`
	Draw int `json:"draw"`
	Loss int `json:"loss"`
}

// Count returns how many first moves there are.
func (f FirstMoves) Count() int { return f.Win + f.Draw + f.Loss }

// A Point is how often the first player wins, a draw counting half, and how often it is a draw, if both players slip with some chance.
type Point struct {
	Slip  float64 `json:"slip"`
	First float64 `json:"first"`
	Draw  float64 `json:"draw"`
}

// A Config says how to measure. The zero Config is good for most uses.
type Config struct {
	Most     int64                   // the most classes of positions to go through; where there are more, games are sampled; 0: MostClasses
	Seed     uint64                  // of the games that are sampled
	Games    int                     // how many, for each point of the curve; 0: SampledGames
	Progress func(done, total int64) // if not nil, called now and then with how much of the work is done
}

// What a Config says if it does not say otherwise. A million classes take about 100 MiB and two seconds.
const (
	MostClasses  = 4_000_000
	SampledGames = 10_000
)

// Large reports whether there are too many positions to go through.
func (c Config) Large(s *solve.Solution) bool { return s.Size().Classes > c.most() }

// tooLarge says that there are.
func (c Config) tooLarge(s *solve.Solution) error {
	return fmt.Errorf("%v: it has %d positions, like ones counted once; the most is %d", s.Rules(), s.Size().Classes, c.most())
}

func (c Config) most() int64 { return cmp.Or(c.Most, MostClasses) }

// Measure finds how even a solved game is. The error is the context's.
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

// Judge returns what a solution tells.
func Judge(s *solve.Solution) Verdict {
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

// exact works out a report.
func exact(ctx context.Context, s *solve.Solution, c Config) (Report, error) {
	g, err := newGraph(ctx, s, digit.Position{}, c.Progress)
	if err != nil {
		return Report{}, err
	}
	report := Report{Verdict: Judge(s), Exact: true}
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

// cut returns the most that a first move leaves to who makes it when the other then chooses sides.
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

// JSON returns what of the report is written: without figures that were not worked out.
func (r *Report) JSON() any {
	if r.Full() {
		return r
	}
	return r.Verdict
}
