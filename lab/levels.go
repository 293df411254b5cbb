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
	r, of := s.Rules(), float64(games)
	var all []LevelResult
	for i, level := range bot.Levels {
		sum, squares := 0.0, 0.0
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
			points := scoreShares[r.Result(p).Score].points()
			sum, squares = sum+points, squares+points*points
		}
		first := sum / of
		err := math.Sqrt(max(0, squares/of-first*first) / (of - 1)) // the standard error
		all = append(all, LevelResult{level.Name, games, first, 1.96 * err})
	}
	return all, nil
}
