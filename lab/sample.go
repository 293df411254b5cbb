package lab

import (
	"context"
	"math"
	"math/rand/v2"

	"digitduel/digit"
	"digitduel/solve"
)

// A Sample describes how a report was sampled.
type Sample struct {
	Seed uint64 `json:"seed"`
	// Games is the number of games for each slip. For the cut each first move gets a tenth of it.
	Games int `json:"games"`
	// Errors has the standard error of each figure by name; "first" is the largest on the curve.
	Errors map[string]float64 `json:"standard_errors"`
}

// sampled estimates the figures of exact from random games. The same seed gives the same games.
func sampled(ctx context.Context, s *solve.Solution, c Config) (Report, error) {
	errs := map[string]float64{}
	report := Report{Verdict: VerdictOf(s), Sample: &Sample{c.Seed, c.Games, errs}}
	p := &sampler{s, s.Rules(), rand.New(rand.NewPCG(c.Seed, 0))}
	most := 0.0
	for i, slip := range Slips {
		c.Progress(int64(i), int64(len(Slips)))
		games, err := p.sample(ctx, digit.Position{}, slip, c.Games)
		if err != nil {
			return Report{}, err
		}
		first := games.of["first"]
		report.Curve = append(report.Curve, Point{slip, first.mean(), games.of["draws"].mean()})
		most = max(most, first.err())
		if slip == Slip {
			report.Bias = first.mean() - 0.5
			report.Measures = games.measures(errs)
		}
	}
	errs["first"] = most
	for _, choice := range s.Choices(digit.Position{}) {
		games, err := p.sample(ctx, choice.Next, Slip, max(2, c.Games/10))
		if err != nil {
			return Report{}, err
		}
		first := games.of["first"]
		if left := min(first.mean(), 1-first.mean()); left > report.Cut {
			report.Cut, errs["cut"] = left, first.err()
		}
	}
	return report, nil
}

// A sampler plays games in which both players slip.
type sampler struct {
	solution *solve.Solution
	rules    digit.Rules
	rng      *rand.Rand
}

// A sampledGames sums up the figures of games.
type sampledGames struct {
	of      map[string]tally // by the name of the figure; keep has the sum of a game's shares
	mixed   float64          // the sum of keep × decisions
	lengths []float64        // by ply: the number of games that end there
}

// sample plays games from a position.
func (p *sampler) sample(
	ctx context.Context, at digit.Position, slip float64, games int,
) (sampledGames, error) {
	most := p.rules.Fills(digit.First) + p.rules.Fills(digit.Second)
	all := sampledGames{of: map[string]tally{}, lengths: make([]float64, most+1)}
	for range games {
		if ctx.Err() != nil {
			return all, context.Cause(ctx)
		}
		game := p.play(at, slip)
		for _, f := range Figures {
			if !f.Fast {
				all.of[f.Name] = all.of[f.Name].and(f.Of(&game))
			}
		}
		all.mixed += game.Keep * game.Decisions
		all.lengths[int(game.Length)]++
	}
	return all, nil
}

// play plays a game to its end, and returns its figures.
func (p *sampler) play(at digit.Position, slip float64) (game Report) {
	var led [4]bool // by score: whether it was the proven one at some time
	for {
		value := p.solution.Value(at)
		led[scoreOf(value, p.rules.Turn(at))] = true
		if result := p.rules.Result(at); result.Over() {
			game.Bias = points(result.Score) - 0.5
			game.Draws = indicator(result.Score == digit.Draw)
			game.Drama = indicator(game.Draws == 0 && led[digit.FirstWins] && led[digit.SecondWins])
			game.Length = float64(p.rules.Ply(at))
			return game
		}
		choices := p.solution.Choices(at)
		keep := solve.Keep(choices)
		if keep < len(choices) {
			game.Decisions++
			game.Keep += float64(keep) / float64(len(choices))
			game.OnlyMoves += indicator(keep == 1)
		}
		choice := choices[p.rng.IntN(len(choices))]
		if p.rng.Float64() >= slip {
			for choice.Value.Outcome != value.Outcome { // each of the others is equally likely
				choice = choices[p.rng.IntN(len(choices))]
			}
		}
		at = choice.Next
		if choice.Value.Outcome != value.Outcome {
			game.LeadChanges++
			game.Settled = float64(p.rules.Ply(at))
		}
	}
}

// measures returns the means, and stores the standard errors of all figures in errs.
func (g sampledGames) measures(errs map[string]float64) Measures {
	mean := func(name string) float64 { return g.of[name].mean() }
	for name, t := range g.of {
		errs[name] = t.err()
	}
	for ply := range g.lengths {
		g.lengths[ply] /= g.of["length"].n
	}
	m := Measures{
		Draws: mean("draws"), Length: mean("length"), Decisions: mean("decisions"), Keep: 1,
		OnlyMoves: mean("only_moves"), LeadChanges: mean("lead_changes"), Drama: mean("drama"),
		Settled: mean("settled"), Lengths: g.lengths,
	}
	if kept, turns := g.of["keep"], g.of["decisions"]; turns.sum > 0 {
		m.Keep = kept.sum / turns.sum
		// The error of a quotient is that of kept - Keep × decisions, over the mean of the
		// decisions.
		squares := kept.squares - 2*m.Keep*g.mixed + m.Keep*m.Keep*turns.squares
		errs["keep"] = math.Sqrt(max(0, squares)) / turns.sum
	}
	return m
}

// points returns the points of a score for the first player.
func points(score digit.Score) float64 { return scoreShare(score).points() }

// indicator returns 1 if yes is true, and 0 otherwise.
func indicator(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
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
