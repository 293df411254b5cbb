// Package lab measures how even a game is. What it says of a game is worked out exactly, over all positions; only where these are too many is
// it sampled, and then it says so.
package lab

import (
	"context"

	"digitduel/digit"
	"digitduel/solve"
)

// A Report is what the lab finds of a game.
type Report struct {
	Rules      digit.Rules `json:"rules"`
	Winner     string      `json:"winner"` // first, second or draw, if both play perfectly
	Plies      int         `json:"plies"`  // and in how many plies
	Exact      bool        `json:"exact"`  // whether it is worked out; otherwise it is sampled
	FirstMoves FirstMoves  `json:"first_moves"`
	Curve      []Point     `json:"curve"`
	Bias       float64     `json:"bias"` // what the first player has above a half
	Cut        float64     `json:"cut"`  // what is left to who moves first and then lets the other choose sides
	Measures
	Sample *Sample `json:"sample,omitempty"` // how it was sampled
}

// FirstMoves counts the choices of the first turn by what they are worth to the first player.
type FirstMoves struct {
	Win  int `json:"win"`
	Draw int `json:"draw"`
	Loss int `json:"loss"`
}

// A Point is how often the first player wins, a draw counting half, and how often it is a draw, if both players slip with some chance.
type Point struct {
	Slip  float64 `json:"slip"`
	First float64 `json:"first"`
	Draw  float64 `json:"draw"`
}

// Perfect returns the part of a report that the solution alone tells.
func Perfect(s *solve.Solution) Report {
	report := Report{Rules: s.Rules(), Winner: "draw"}
	value := s.Value(digit.Position{})
	report.Plies = value.Plies
	if winner, ok := value.Winner(digit.First); ok {
		report.Winner = winner.String()
	}
	for _, c := range s.Choices(digit.Position{}) {
		switch c.Value.Outcome {
		case solve.Win:
			report.FirstMoves.Win++
		case solve.Draw:
			report.FirstMoves.Draw++
		case solve.Loss:
			report.FirstMoves.Loss++
		}
	}
	return report
}

// Exact works out the report of a solved game.
func Exact(ctx context.Context, s *solve.Solution) (Report, error) {
	g, err := newGraph(ctx, s)
	if err != nil {
		return Report{}, err
	}
	report := Perfect(s)
	report.Exact = true
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
		first := 0.0
		if edge < 0 {
			first = scoreShare(digit.Score(^edge)).points()
		} else {
			first = shares[edge].points()
		}
		most = max(most, min(first, 1-first))
	}
	return most
}
