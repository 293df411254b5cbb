package arena

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Ratings are the strengths of all players of a match on the Elo scale, by maximum likelihood,
// with mean 0, and the advantage of moving first under each of the rules.
type Ratings struct {
	Players []Rating `json:"players,omitempty"`
	First   []Rating `json:"first_move,omitempty"` // by rules
	None    string   `json:"none,omitempty"`       // why there is no fit
	Missed  int      `json:"draws_without_fit,omitempty"`
}

// A Rating is a figure with its 95% confidence interval. The bounds are nil if too many bootstrap
// samples had no fit.
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

// bootstraps is the number of bootstrap samples for the intervals.
const bootstraps = 400

// rate returns the ratings. The same games give the same intervals.
func (s *Standing) rate() Ratings {
	keys := s.keys()
	if len(s.plan.Players) == 0 {
		return Ratings{None: "no pair of games is complete"}
	}
	fit, err := s.fit(s.counts(keys, nil))
	if err != nil {
		return Ratings{None: err.Error()}
	}
	draws := make([][]float64, 0, bootstraps)
	rng := rand.New(rand.NewPCG(s.plan.Seed, 1))
	missed := 0
	for range bootstraps {
		if one, err := s.fit(s.counts(keys, rng)); err == nil {
			draws = append(draws, one)
		} else {
			missed++
		}
	}
	all := Ratings{Missed: missed}
	for i, elo := range fit {
		r := Rating{Elo: rounded(elo)}
		if missed <= bootstraps/40 { // otherwise the interval would leave out the extremes
			column := make([]float64, len(draws))
			for n := range draws {
				column[n] = draws[n][i]
			}
			slices.Sort(column)
			from, to := column[len(column)/40], column[len(column)-1-len(column)/40]
			r.Low, r.High = finite(from), finite(to)
		}
		if i < len(s.plan.Players) {
			r.Name = s.plan.Players[i]
			all.Players = append(all.Players, r)
		} else {
			r.Name = s.plan.Rules[i-len(s.plan.Players)].String()
			all.First = append(all.First, r)
		}
	}
	return all
}

// keys returns the keys of the cells in a fixed order.
func (s *Standing) keys() []cellKey {
	var keys []cellKey
	for _, e := range s.plan.encounters() {
		for r := range s.plan.Rules {
			if key := (cellKey{e, r}); s.cells[key] != nil {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// counts returns the counts of the cells. With random numbers it returns those of a bootstrap
// sample of the pairs of each cell.
func (s *Standing) counts(keys []cellKey, rng *rand.Rand) []count {
	var all []count
	for _, key := range keys {
		both := s.cells[key].both
		if rng != nil {
			both = redraw(both, rng)
		}
		there := count{first: key.a, second: key.b, rules: key.rules}
		back := count{first: key.b, second: key.a, rules: key.rules}
		for i, row := range both {
			for j, n := range row {
				there.games += float64(n)
				there.points += float64(n*i) / 2
				back.games += float64(n)
				back.points += float64(n) * (1 - float64(j)/2)
			}
		}
		all = append(all, there, back)
	}
	return all
}

// redraw returns a bootstrap sample of pairs.
func redraw(both [3][3]int, rng *rand.Rand) (drawn [3][3]int) {
	var ends [9]int
	total := 0
	for i := range ends {
		total += both[i/3][i%3]
		ends[i] = total
	}
	for range total {
		x, i := rng.IntN(total), 0
		for x >= ends[i] {
			i++
		}
		drawn[i/3][i%3]++
	}
	return drawn
}

// fit returns the ratings of the players, with mean 0, and then the advantage of moving first
// under each of the rules.
func (s *Standing) fit(counts []count) ([]float64, error) {
	n := len(s.plan.Players)
	if err := s.connected(counts); err != nil {
		return nil, err
	}
	// The last player is fixed at 0 for the fit, because only differences matter.
	size := n - 1 + len(s.plan.Rules)
	at := make([]float64, size)
	if !climb(at, counts, n) {
		return nil, s.whyNone(counts, at)
	}
	fit := append(slices.Clone(at[:n-1]), 0)
	mean := 0.0
	for _, x := range fit {
		mean += x / float64(n)
	}
	for i := range fit {
		fit[i] -= mean
	}
	fit = append(fit, at[n-1:]...)
	for i := range fit {
		fit[i] *= 400 / math.Ln10
	}
	return fit, nil
}

// climb maximizes the likelihood by Newton's method. It reports false if there is no maximum, so
// that the steps do not become small.
func climb(at []float64, counts []count, players int) bool {
	for range 60 {
		step, ok := newton(at, counts, players)
		if !ok {
			return false
		}
		longest := 0.0
		for _, x := range step {
			longest = max(longest, math.Abs(x))
		}
		if math.IsNaN(longest) {
			return false
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
		copy(at, next)
		if longest < 1e-7 {
			return true
		}
	}
	return false
}

// terms returns the indices of the figures that a game depends on, and their signs. The index -1
// is that of the player fixed at 0.
func (c *count) terms(players int) (index [3]int, sign [3]float64) {
	index, sign = [3]int{c.first, c.second, players - 1 + c.rules}, [3]float64{1, -1, 1}
	for i := range 2 {
		if index[i] == players-1 {
			index[i] = -1
		}
	}
	return index, sign
}

// ahead returns the advantage of the first player.
func (c *count) ahead(at []float64, players int) (ahead float64) {
	index, sign := c.terms(players)
	for i, n := range index {
		if n >= 0 {
			ahead += sign[i] * at[n]
		}
	}
	return ahead
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

// newton returns the step to the maximum of the quadratic approximation of the likelihood. It
// reports false if there is none.
func newton(at []float64, counts []count, players int) (step []float64, ok bool) {
	n := len(at)
	bend := make([][]float64, n) // the last column is the gradient
	for i := range bend {
		bend[i] = make([]float64, n+1)
	}
	for i := range counts {
		c := &counts[i]
		p := 1 / (1 + math.Exp(-c.ahead(at, players)))
		index, sign := c.terms(players)
		for i, row := range index {
			if row < 0 {
				continue
			}
			bend[row][n] += sign[i] * (c.points - c.games*p)
			for j, column := range index {
				if column >= 0 {
					bend[row][column] += sign[i] * sign[j] * c.games * p * (1 - p)
				}
			}
		}
	}
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

// connected returns nil if games connect all players, and all rules were played.
func (s *Standing) connected(counts []count) error {
	group := make([]int, len(s.plan.Players))
	for i := range group {
		group[i] = i
	}
	rules := make([]bool, len(s.plan.Rules))
	for _, c := range counts {
		rules[c.rules] = true
		from, to := group[c.first], group[c.second]
		for i := range group {
			if group[i] == from {
				group[i] = to
			}
		}
	}
	for i := range group {
		if group[i] != group[0] {
			return fmt.Errorf("no games compare %s with %s", s.plan.Players[0], s.plan.Players[i])
		}
	}
	if i := slices.Index(rules, false); i >= 0 {
		return fmt.Errorf("no games of %v were played", s.plan.Rules[i])
	}
	return nil
}

// whyNone returns the simplest reason why there is no fit. At is where climb gave up.
func (s *Standing) whyNone(counts []count, at []float64) error {
	for i, name := range s.plan.Players {
		games, points := 0.0, 0.0
		for _, c := range counts {
			if c.first == i {
				games, points = games+c.games, points+c.points
			}
			if c.second == i {
				games, points = games+c.games, points+c.games-c.points
			}
		}
		if points == 0 || points == games {
			return fmt.Errorf("%s took %v of %v points, so nothing bounds its rating",
				name, points, games)
		}
	}
	for i, r := range s.plan.Rules {
		games, points := 0.0, 0.0
		for _, c := range counts {
			if c.rules == i {
				games, points = games+c.games, points+c.points
			}
		}
		if points == 0 || points == games {
			return fmt.Errorf("in %v the side that moved first took %v of %v points, "+
				"so nothing bounds its advantage", r, points, games)
		}
	}
	players := len(s.plan.Players)
	var far *count // the most extreme count in which one side took all points
	for i := range counts {
		c := &counts[i]
		if c.points != 0 && c.points != c.games {
			continue
		}
		if far == nil || math.Abs(c.ahead(at, players)) > math.Abs(far.ahead(at, players)) {
			far = c
		}
	}
	if far == nil {
		return errors.New("the counts are too far apart for a fit")
	}
	return fmt.Errorf("%s, moving first against %s in %v, took %v of %v points, "+
		"so nothing bounds how far they are apart",
		s.plan.Players[far.first], s.plan.Players[far.second], s.plan.Rules[far.rules],
		far.points, far.games)
}
