package arena

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
)

// Penta counts pairs by the points that a player took in their two games: 0, ½, 1, 1½, 2.
type Penta [5]int

// Pairs returns the number of pairs.
func (p Penta) Pairs() int { return p[0] + p[1] + p[2] + p[3] + p[4] }

// add adds a pair.
func (p *Penta) add(points float64) { p[int(2*points)]++ }

// Models of a test: the unit of its bounds.
const (
	Logistic = "logistic" // Elo
	// Normalised is Elo in units of the spread of results, independent of the share of draws.
	Normalised = "normalised"
)

// An SPRT is a sequential probability ratio test of pairs: whether the first player is better
// than the second by Elo0 or by Elo1. It is the generalised test with the pentanomial likelihood,
// as used to test chess programs.
type SPRT struct {
	Elo0  float64 `json:"elo0"`
	Elo1  float64 `json:"elo1"`
	Alpha float64 `json:"alpha"` // probability of accepting Elo1 if Elo0 is true
	Beta  float64 `json:"beta"`  // probability of accepting Elo0 if Elo1 is true
	Model string  `json:"model"`
}

// mostElo is the maximum absolute value of the bounds of a test. Beyond it the likelihood of few
// pairs is unreliable.
const mostElo = 200

// Check returns an error if the test is invalid.
func (s *SPRT) Check() error {
	inside := func(x float64) bool { return 0 < x && x < 0.5 }
	switch {
	case !(s.Elo0 < s.Elo1) || math.Abs(s.Elo0) > mostElo || math.Abs(s.Elo1) > mostElo:
		return fmt.Errorf(
			"sprt %v,%v: the first has to be below the second, and both from %d to %d",
			s.Elo0, s.Elo1, -mostElo, mostElo)
	case !inside(s.Alpha) || !inside(s.Beta):
		return fmt.Errorf("sprt: alpha %v and beta %v: allowed: above 0 and below 0.5",
			s.Alpha, s.Beta)
	case s.Model != Logistic && s.Model != Normalised:
		return fmt.Errorf("sprt model %q: allowed: %s, %s", s.Model, Logistic, Normalised)
	}
	return nil
}

// Bounds returns the log-likelihood ratios at which Elo0 and Elo1 are accepted.
func (s *SPRT) Bounds() (lower, upper float64) {
	return math.Log(s.Beta / (1 - s.Alpha)), math.Log((1 - s.Beta) / s.Alpha)
}

// Decide returns the accepted hypothesis, "H0" or "H1", or "" if there is none yet.
func (s *SPRT) Decide(p Penta) string {
	lower, upper := s.Bounds()
	switch llr := s.LLR(p); {
	case llr <= lower:
		return "H0"
	case llr >= upper:
		return "H1"
	}
	return ""
}

// Least returns the minimum number of pairs for a decision. Pairs that are all alike decide
// soonest.
func (s *SPRT) Least() int {
	decides := func(n int) bool {
		for i := range pairScores {
			var p Penta
			if p[i] = n; s.Decide(p) != "" {
				return true
			}
		}
		return false
	}
	most := 1
	for most < 1<<40 && !decides(most) {
		most *= 2
	}
	return 1 + sort.Search(most, func(n int) bool { return n+1 == most || decides(n+1) })
}

// pairScores has the scores of a pair, on the scale of a game.
var pairScores = [5]float64{0, 0.25, 0.5, 0.75, 1}

// eloUnit is the number of Elo in a normalised unit: near ½ a score grows by ½ / eloUnit per Elo.
var eloUnit = 800 / math.Ln10

// LLR returns the log-likelihood ratio of the two hypotheses.
func (s *SPRT) LLR(p Penta) float64 {
	if p.Pairs() == 0 {
		return 0
	}
	var shares [5]float64
	total := 0.0
	for i, n := range p {
		shares[i] = max(float64(n), 1e-3) // a result not seen yet may still happen
		total += shares[i]
	}
	for i := range shares {
		shares[i] /= total
	}
	var at [2][5]float64
	for i, elo := range []float64{s.Elo0, s.Elo1} {
		if s.Model == Normalised {
			at[i] = likeliestNormalised(shares, math.Sqrt2*elo/eloUnit)
		} else {
			at[i] = likeliest(shares, pairScores, 1/(1+math.Pow(10, -elo/400)))
		}
	}
	llr := 0.0
	for i, share := range shares {
		llr += share * math.Log(at[1][i]/at[0][i])
	}
	return total * llr
}

// likeliest returns the distribution with the given mean of values under which the observed
// shares are most likely.
func likeliest(shares, values [5]float64, mean float64) (p [5]float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range values {
		values[i] -= mean
		low, high = min(low, values[i]), max(high, values[i])
	}
	// The multiplier is the zero of a function that decreases between its two poles.
	from, to := -1/high, -1/low
	for range 60 {
		middle, sum := (from+to)/2, 0.0
		for i, v := range values {
			sum += shares[i] * v / (1 + middle*v)
		}
		if sum > 0 {
			from = middle
		} else {
			to = middle
		}
	}
	for i, v := range values {
		p[i] = shares[i] / (1 + (from+to)/2*v)
	}
	return p
}

// likeliestNormalised is like likeliest for distributions whose mean is a number of standard
// deviations above ½. It iterates, each step with a given mean.
func likeliestNormalised(shares [5]float64, deviations float64) [5]float64 {
	p := [5]float64{0.2, 0.2, 0.2, 0.2, 0.2}
	for range 10 {
		mean, deviation := spread(p)
		var values [5]float64
		for i, score := range pairScores {
			z := (score - mean) / deviation
			values[i] = score - 0.5 - deviations*deviation*(1+z*z)/2
		}
		if slices.Max(values[:]) <= 0 || slices.Min(values[:]) >= 0 {
			break // no distribution is that far to one side
		}
		next := likeliest(shares, values, 0)
		moved := 0.0
		for i := range p {
			moved = max(moved, math.Abs(next[i]-p[i]))
		}
		if p = next; moved < 1e-6 {
			break
		}
	}
	return p
}

// spread returns the mean and the standard deviation of a distribution of pairs.
func spread(p [5]float64) (mean, deviation float64) {
	for i, share := range p {
		mean += share * pairScores[i]
	}
	variance := 0.0
	for i, share := range p {
		variance += share * (pairScores[i] - mean) * (pairScores[i] - mean)
	}
	return mean, math.Sqrt(variance)
}

// An Elo is the difference in strength between two players, with its 95% confidence interval. A
// nil field is not finite, or cannot be computed from pairs that are all alike.
type Elo struct {
	Elo  *float64 `json:"elo"`
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
	NElo *float64 `json:"normalised"`
	LOS  *float64 `json:"los"` // probability that the player is better
}

// z95 is the number of standard errors on either side of a 95% confidence interval.
const z95 = 1.959963984540054

// Elo returns the difference that the pairs show. Its errors are those of pairs, because their
// two games are not independent.
func (p Penta) Elo() Elo {
	n := float64(p.Pairs())
	if n == 0 {
		return Elo{}
	}
	var shares [5]float64
	for i := range p {
		shares[i] = float64(p[i]) / n
	}
	mean, deviation := spread(shares)
	err := deviation / math.Sqrt(n)
	e := Elo{Elo: eloOf(mean)}
	if deviation > 0 {
		e.Low, e.High = eloOf(mean-z95*err), eloOf(mean+z95*err)
		e.NElo = finite((mean - 0.5) / (math.Sqrt2 * deviation) * eloUnit)
		e.LOS = finite((1 + math.Erf((mean-0.5)/(math.Sqrt2*err))) / 2)
	}
	return e
}

// eloOf returns the difference that gives a score, or nil if it is not finite.
func eloOf(score float64) *float64 {
	if score <= 0 || score >= 1 {
		return nil
	}
	return finite(400 * math.Log10(score/(1-score)))
}

// finite returns a rounded figure, or nil if it is not finite.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	x = rounded(x)
	return &x
}

// rounded rounds a figure to twelve decimals, so that three thirds are 1 and exact figures stay
// exact.
func rounded(x float64) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'f', 12, 64), 64) // a formatted float is valid
	return x + 0                                                       // no negative zero
}
