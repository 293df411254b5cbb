package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"digitduel/arena"
	"digitduel/digit"
	"digitduel/solve"
)

// BenchmarkMatch plays matches between levels and between two engines, two games at a time. Each
// line is checked, written and synced. The plan determines the games, so the points are always the
// same.
func BenchmarkMatch(b *testing.B) {
	s, err := solve.Solve(b.Context(), digit.Dilemma, solve.Config{})
	if err != nil {
		b.Fatal(err)
	}
	for _, v := range []struct {
		name    string
		players []string
		pairs   int
		points  float64
	}{
		{"levels", []string{"beginner", "novice"}, 10_000, 8116},
		{
			"engines",
			[]string{"engine:duel engine --level beginner", "engine:duel engine --level novice"}, 500, 398,
		},
	} {
		b.Run(v.name, func(b *testing.B) {
			plan := &arena.Plan{
				Players: v.players, Format: arena.RoundRobin, Rules: []digit.Rules{digit.Dilemma},
				Pairs: v.pairs, MoveTime: 10_000, Seed: 1,
			}
			starts, err := arena.ParseStarts("beginning", nil)
			if err == nil {
				err = plan.Draw(starts, []*solve.Solution{s})
			}
			if err != nil {
				b.Fatal(err)
			}
			open, err := arena.OpenPlayers(context.Background(), plan)
			if err != nil {
				b.Fatal(err)
			}
			for i := 0; b.Loop(); i++ {
				file, err := os.Create(filepath.Join(b.TempDir(), fmt.Sprint(i)))
				if err != nil {
					b.Fatal(err)
				}
				runner := arena.Runner{
					Plan: plan, Solutions: []*solve.Solution{s}, Open: open, Concurrency: 2,
				}
				standing, err := runner.Run(context.Background(), file)
				if err != nil || standing.Points != v.points {
					b.Fatalf("%v points, want %v: %v", standing.Points, v.points, err)
				}
				if err := file.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(plan.Games()*b.N)/b.Elapsed().Seconds(), "games/s")
		})
	}
}
