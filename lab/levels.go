package lab

import (
	"context"
	"math"
	"math/rand/v2"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/solve"
)

// A Measured is a report, and the results of games between computer players, if they played.
type Measured struct {
	Report
	Levels []LevelResult `json:"levels,omitempty"`
}

// A LevelResult is the result of games between two computer players of one level.
type LevelResult struct {
	Level  string  `json:"level"`
	Games  int     `json:"games"`
	First  float64 `json:"first"`  // the first player's share, a draw counting half
	Margin float64 `json:"margin"` // half the width of the 95% confidence interval of First
}

// PlayLevels plays games between two players of each level. The same seed gives the same games.
func PlayLevels(
	ctx context.Context, s *solve.Solution, seed uint64, games int,
) ([]LevelResult, error) {
	r := s.Rules()
	var all []LevelResult
	for i, level := range bot.Levels {
		var first tally
		for n := range games {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			rng := rand.New(rand.NewPCG(seed, uint64(n*len(bot.Levels)+i)))
			players := [2]*bot.Bot{bot.New(level, s, rng), bot.New(level, s, rng)}
			var p digit.Position
			for !r.Result(p).Over() {
				p, _ = r.Play(p, players[r.Turn(p)].Choose(p)) // a bot's move is legal
			}
			first = first.and(scoreShare(r.Result(p).Score).points())
		}
		all = append(all, LevelResult{level.Name, games, first.mean(), 1.96 * first.err()})
	}
	return all, nil
}

// A tally holds the count, the sum and the sum of squares of some values.
type tally struct{ n, sum, squares float64 }

// and returns the tally with another value.
func (t tally) and(x float64) tally { return tally{t.n + 1, t.sum + x, t.squares + x*x} }

func (t tally) mean() float64 { return t.sum / t.n }

// err returns the standard error of the mean.
func (t tally) err() float64 {
	variance := max(0, t.squares/t.n-t.mean()*t.mean()) * t.n / (t.n - 1)
	return math.Sqrt(variance / t.n)
}
