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
	games := c.Games
	sample := &Sample{Seed: c.Seed, Games: games, Errors: map[string]float64{}}
	report := Report{Verdict: VerdictOf(s), Sample: sample}
	p := &sampler{solution: s, rules: s.Rules(), rng: rand.New(rand.NewPCG(c.Seed, 0))}
	for i, slip := range Slips {
		c.Progress(int64(i), int64(len(Slips)))
		var first, draws tally
		var stats sampleStats
		for range games {
			if ctx.Err() != nil {
				return Report{}, context.Cause(ctx)
			}
			g := p.play(digit.Position{}, slip)
			first.add(points(g.score))
			draws.add(indicator(g.score == digit.Draw))
			stats.add(g)
		}
		report.Curve = append(report.Curve, Point{slip, first.mean(), draws.mean()})
		sample.Errors["first"] = max(sample.Errors["first"], first.err())
		if slip == Slip {
			report.Bias = first.mean() - 0.5
			sample.Errors["bias"] = first.err()
			report.Measures = stats.measures(sample.Errors)
		}
	}
	var err error
	report.Cut, sample.Errors["cut"], err = p.cut(ctx, max(2, games/10))
	return report, err
}

// A sampler plays games in which both players slip.
type sampler struct {
	solution *solve.Solution
	rules    digit.Rules
	rng      *rand.Rand
}

// A sampledGame holds the figures of one game.
type sampledGame struct {
	score                                    digit.Score
	plies, decisions, only, changes, settled int
	kept                                     float64
	// led says for each score whether it was the proven one at some time.
	led [4]bool
}

// play plays a game to its end.
func (p *sampler) play(at digit.Position, slip float64) sampledGame {
	var g sampledGame
	for {
		value := p.solution.Value(at)
		g.led[scoreOf(value, p.rules.Turn(at))] = true
		if result := p.rules.Result(at); result.Over() {
			g.score, g.plies = result.Score, p.rules.Ply(at)
			return g
		}
		choices := p.solution.Choices(at)
		keep := solve.Keep(choices)
		if keep < len(choices) {
			g.decisions++
			g.kept += float64(keep) / float64(len(choices))
			if keep == 1 {
				g.only++
			}
		}
		choice := choices[p.rng.IntN(len(choices))]
		if p.rng.Float64() >= slip {
			for choice.Value.Outcome != value.Outcome { // each of the others is equally likely
				choice = choices[p.rng.IntN(len(choices))]
			}
		}
		at = choice.Next
		if choice.Value.Outcome != value.Outcome {
			g.changes++
			g.settled = p.rules.Ply(at)
		}
	}
}

// cut samples every first move, and returns the share after the best one and its standard error.
func (p *sampler) cut(ctx context.Context, games int) (most, err float64, _ error) {
	for _, c := range p.solution.Choices(digit.Position{}) {
		var first tally
		for range games {
			if ctx.Err() != nil {
				return 0, 0, context.Cause(ctx)
			}
			first.add(points(p.play(c.Next, Slip).score))
		}
		if left := min(first.mean(), 1-first.mean()); left > most {
			most, err = left, first.err()
		}
	}
	return most, err, nil
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

func (t *tally) add(x float64) {
	t.n++
	t.sum += x
	t.squares += x * x
}

func (t *tally) mean() float64 { return t.sum / t.n }

// err returns the standard error of the mean.
func (t *tally) err() float64 {
	variance := max(0, t.squares/t.n-t.mean()*t.mean()) * t.n / (t.n - 1)
	return math.Sqrt(variance / t.n)
}

// A sampleStats holds the tallies of sampled games.
type sampleStats struct {
	draws, length, decisions, only, changes, drama, settled, kept, mixed tally
	lengths                                                              []float64
}

func (m *sampleStats) add(g sampledGame) {
	m.draws.add(indicator(g.score == digit.Draw))
	m.length.add(float64(g.plies))
	m.decisions.add(float64(g.decisions))
	m.only.add(float64(g.only))
	m.changes.add(float64(g.changes))
	m.drama.add(indicator(g.score == digit.FirstWins && g.led[digit.SecondWins] ||
		g.score == digit.SecondWins && g.led[digit.FirstWins]))
	m.settled.add(float64(g.settled))
	m.kept.add(g.kept)
	m.mixed.add(g.kept * float64(g.decisions))
	for len(m.lengths) <= g.plies {
		m.lengths = append(m.lengths, 0)
	}
	m.lengths[g.plies]++
}

// measures returns the means, and stores their standard errors in errs.
func (m *sampleStats) measures(errs map[string]float64) Measures {
	mean := func(name string, t *tally) float64 {
		errs[name] = t.err()
		return t.mean()
	}
	of := Measures{
		Draws:       mean("draws", &m.draws),
		Length:      mean("length", &m.length),
		Decisions:   mean("decisions", &m.decisions),
		OnlyMoves:   mean("only_moves", &m.only),
		LeadChanges: mean("lead_changes", &m.changes),
		Drama:       mean("drama", &m.drama),
		Settled:     mean("settled", &m.settled),
		Keep:        1,
	}
	if m.decisions.sum > 0 {
		of.Keep = m.kept.sum / m.decisions.sum
		// The error of a quotient is that of kept - Keep × decisions, over the mean of the
		// decisions.
		squares := m.kept.squares - 2*of.Keep*m.mixed.sum + of.Keep*of.Keep*m.decisions.squares
		errs["keep"] = math.Sqrt(max(0, squares)) / m.decisions.sum
	}
	for _, n := range m.lengths {
		of.Lengths = append(of.Lengths, n/m.length.n)
	}
	return of
}
