package arena

import (
	"fmt"
	"math"
	"slices"
)

// Ratings are the strengths of all players of a match on the Elo scale, by maximum likelihood,
// with mean 0, and the advantage of moving first under each of the rules.
type Ratings struct {
	Players []Rating `json:"players,omitempty"`
	First   []Rating `json:"first_move,omitempty"` // by rules
	None    string   `json:"none,omitempty"`       // why there is no fit
}

// A Rating is a figure with its 95% confidence interval. The bounds are nil if there are too few
// starts, or if all are alike.
type Rating struct {
	Name string   `json:"name"`
	Elo  float64  `json:"elo"`
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

// A count holds the games and points of one player as First against another under some rules.
type count struct {
	first, second, rules int
	games, points        float64
}

// rate returns the ratings. An interval is that of the sum of what the games from each start add
// to a figure, so it holds for players of any kind.
func (s *Standing) rate() Ratings {
	players := len(s.plan.Players)
	if players == 0 {
		return Ratings{None: "no pair of games is complete"}
	}
	counts := s.counts()
	at, ok := s.fit(counts)
	if !ok {
		return Ratings{None: s.whyNone(counts)}
	}
	errs := s.errors(at, counts)
	var all Ratings
	for i, x := range centred(at, players) {
		r := Rating{Elo: rounded(x), Low: finite(x - errs[i]), High: finite(x + errs[i])}
		if i < players {
			r.Name = s.plan.Players[i]
			all.Players = append(all.Players, r)
		} else {
			r.Name = s.plan.Rules[i-players].String()
			all.First = append(all.First, r)
		}
	}
	return all
}

// counts returns the sums of the counts from all starts, in a fixed order.
func (s *Standing) counts() (all []count) {
	sums := map[count]int{} // by the count without games
	for _, e := range s.plan.encounters() {
		for r := range s.plan.Rules {
			for _, c := range []count{{e.a, e.b, r, 0, 0}, {e.b, e.a, r, 0, 0}} {
				sums[c] = len(all)
				all = append(all, c)
			}
		}
	}
	for _, start := range s.starts {
		for _, c := range start {
			sum := &all[sums[count{c.first, c.second, c.rules, 0, 0}]]
			sum.games, sum.points = sum.games+c.games, sum.points+c.points
		}
	}
	return slices.DeleteFunc(all, func(c count) bool { return c.games == 0 })
}

// errors returns half the width of the intervals of all figures. It is not a number if there are
// too few starts, or if all are alike.
func (s *Standing) errors(at []float64, counts []count) []float64 {
	players, n := len(s.plan.Players), float64(len(s.starts))
	squares := make([]float64, len(at))
	for _, start := range s.starts {
		step, _ := newton(at, start, counts, players) // the fit has passed here
		for i, x := range centred(step, players) {
			squares[i] += x * x
		}
	}
	for i, sum := range squares {
		if squares[i] = z95 * math.Sqrt(sum*n/(n-float64(len(at)-1))); sum < 1e-9 {
			squares[i] = math.NaN()
		}
	}
	return squares
}

// centred returns the ratings of all players, with mean 0, and the advantages of moving first, in
// Elo.
func centred(at []float64, players int) []float64 {
	all := slices.Clone(at)
	mean := 0.0
	for _, x := range all[:players] {
		mean += x / float64(players)
	}
	for i := range all {
		if i < players {
			all[i] -= mean
		}
		all[i] *= 400 / math.Ln10
	}
	return all
}

// fit returns the ratings of the players, of whom the last has 0, and then the advantage of moving
// first under each of the rules, in natural units. It maximizes the likelihood by Newton's
// method, and reports false if there is no maximum, so that the steps do not become small.
func (s *Standing) fit(counts []count) (at []float64, ok bool) {
	players := len(s.plan.Players)
	at = make([]float64, players+len(s.plan.Rules))
	for range 60 {
		step, ok := newton(at, counts, counts, players)
		if !ok {
			return nil, false
		}
		longest := 0.0
		for _, x := range step {
			longest = max(longest, math.Abs(x))
		}
		if math.IsNaN(longest) {
			return nil, false
		}
		scale := min(1, 2/max(longest, 1e-300)) // far from the maximum a step may be much too long
		before := likelihood(at, counts, players)
		next := make([]float64, len(at))
		for range 30 {
			for i := range at {
				next[i] = at[i] + scale*step[i]
			}
			if likelihood(next, counts, players) >= before {
				break
			}
			scale /= 2
		}
		at = next
		if longest < 1e-7 {
			return at, true
		}
	}
	return nil, false
}

// terms returns the indices of the figures that a game depends on.
func (c *count) terms(players int) [3]int {
	return [3]int{c.first, c.second, players + c.rules}
}

// signs are the signs of these figures in the advantage of the first player.
var signs = [3]float64{1, -1, 1}

// ahead returns the advantage of the first player.
func (c *count) ahead(at []float64, players int) float64 {
	return at[c.first] - at[c.second] + at[players+c.rules]
}

// likelihood returns the log-likelihood of the counts.
func likelihood(at []float64, counts []count, players int) (sum float64) {
	for i := range counts {
		c := &counts[i]
		x := c.ahead(at, players)
		sum -= c.points*softplus(-x) + (c.games-c.points)*softplus(x)
	}
	return sum
}

// softplus returns log(1 + exp x).
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// newton returns the step to the maximum of the quadratic approximation of the likelihood, by the
// slope of some counts and the curvature of all. It reports false if there is none.
func newton(at []float64, some, all []count, players int) (step []float64, ok bool) {
	n := len(at)
	bend := make([][]float64, n) // the last column is the slope
	for i := range bend {
		bend[i] = make([]float64, n+1)
	}
	for _, c := range all {
		p := 1 / (1 + math.Exp(-c.ahead(at, players)))
		index := c.terms(players)
		for i, row := range index {
			for j, column := range index {
				bend[row][column] += signs[i] * signs[j] * c.games * p * (1 - p)
			}
		}
	}
	for _, c := range some {
		p := 1 / (1 + math.Exp(-c.ahead(at, players)))
		for i, row := range c.terms(players) {
			bend[row][n] += signs[i] * (c.points - c.games*p)
		}
	}
	last := players - 1 // its rating is fixed
	clear(bend[last])
	for i := range bend {
		bend[i][last] = 0
	}
	bend[last][last] = 1
	return eliminate(bend)
}

// eliminate solves linear equations. The last column is the right side.
func eliminate(rows [][]float64) (x []float64, ok bool) {
	n := len(rows)
	for i := range rows {
		best := i
		for k := i; k < n; k++ {
			if math.Abs(rows[k][i]) > math.Abs(rows[best][i]) {
				best = k
			}
		}
		rows[i], rows[best] = rows[best], rows[i]
		if !(math.Abs(rows[i][i]) > 1e-12) {
			return nil, false
		}
		for k := i + 1; k < n; k++ {
			f := rows[k][i] / rows[i][i]
			for j := i; j <= n; j++ {
				rows[k][j] -= f * rows[i][j]
			}
		}
	}
	x = make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		x[i] = rows[i][n]
		for j := i + 1; j < n; j++ {
			x[i] -= rows[i][j] * x[j]
		}
		x[i] /= rows[i][i]
	}
	return x, true
}

// whyNone returns the simplest reason why there is no fit: a player, or the side that moves first
// under some rules, took no points or all.
func (s *Standing) whyNone(counts []count) string {
	players := len(s.plan.Players)
	games := make([]float64, players+len(s.plan.Rules))
	points := slices.Clone(games)
	for _, c := range counts {
		for i, took := range map[int]float64{
			c.first: c.points, c.second: c.games - c.points, players + c.rules: c.points,
		} {
			games[i], points[i] = games[i]+c.games, points[i]+took
		}
	}
	for i, took := range points {
		switch {
		case took > 0 && took < games[i]:
		case i < players:
			return fmt.Sprintf("%s took %v of %v points, so nothing bounds its rating",
				s.plan.Players[i], took, games[i])
		default:
			return fmt.Sprintf("in %v the side that moved first took %v of %v points, "+
				"so nothing bounds its advantage", s.plan.Rules[i-players], took, games[i])
		}
	}
	return "some players took all points in a seat, so nothing bounds how far they are apart"
}
